/** What a caller may do with letters: deliveries that go to people, by any channel but `webhook`. */
export interface LetterAccess {
  /** See them: their history holds people's addresses. */
  readonly see: boolean
  /** Attempt them again. */
  readonly send: boolean
}

/** The access of an operator at the machine itself. */
export const everyLetter: LetterAccess = { see: true, send: true }

export const isLetter = ({ channel }: { readonly channel: string }): boolean => channel !== 'webhook'

/**
 * The event of letters by which people sign in. Each attempt makes a link of its own, so none is replayed on request: a
 * person who needs another one is invited again.
 */
export const invitationEvent = 'invitation'

const email = /[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g
/** Digits in one piece, or beginning as telephone numbers do: no instant, and no status code of a mail server. */
const telephone = /\+?\d{9,15}|(?:\+\d{1,3}|\b0\d)(?:[ .()-]*\d){6,12}/g

/** In UTF-16 units: looking for addresses takes the square of it. */
const longestSaid = 2000

/** The beginning of the answer of a mail server or a telephone service, without addresses and numbers. */
export function withoutAddresses(text: string): string {
  return text.slice(0, longestSaid).replace(email, '…').replace(telephone, '…')
}
