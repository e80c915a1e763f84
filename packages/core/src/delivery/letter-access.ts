/** What a caller may have to do with letters: deliveries that go to people, and not by the channel `webhook`. */
export interface LetterAccess {
  /** Their history holds people's addresses. */
  readonly see: boolean
  /** Attempt them again. */
  readonly send: boolean
}

/** Of an operator at the machine itself. */
export const everyLetter: LetterAccess = { see: true, send: true }

export const isLetter = ({ channel }: { readonly channel: string }): boolean => channel !== 'webhook'

/**
 * Event of the letters by which people sign in. Each attempt makes a link of its own, so none is replayed on request: a person
 * who needs another is invited again.
 */
export const invitationEvent = 'invitation'

const email = /[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g
/** In one piece, or begun as telephone numbers are: not an instant, nor the status codes of a mail server. */
const telephone = /\+?\d{9,15}|(?:\+\d{1,3}|\b0\d)(?:[ .()-]*\d){6,12}/g

/** What a mail server or a telephone service said, without whom it said it of. */
export function withoutAddresses(text: string): string {
  return text.replace(email, '…').replace(telephone, '…')
}
