/** What a caller may do with letters: deliveries to people, by any channel but `webhook`. */
export interface LetterAccess {
  /** May see them: their history contains people's addresses. */
  readonly see: boolean
  /** May send them again. */
  readonly send: boolean
}

/** The access of an operator on the machine itself. */
export const everyLetter: LetterAccess = { see: true, send: true }

export const isLetter = ({ channel }: { readonly channel: string }): boolean => channel !== 'webhook'

/**
 * The event of letters by which people sign in. Each attempt creates its own link, so an invitation is never replayed
 * on request: invite the person again instead.
 */
export const invitationEvent = 'invitation'

const email = /[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g
/**
 * At least 9 digits in a row, or groups of digits after `+` or `0`. Instants and status codes of mail servers do not
 * match.
 */
const telephone = /\+?\d{9,15}|(?:\+\d{1,3}|\b0\d)(?:[ .()-]*\d){6,12}/g

/** How much of a text is kept, in UTF-16 units. It is bounded because the search for addresses takes quadratic time. */
const longestSaid = 2000

/** The beginning of a mail server's or telephone service's answer, without addresses and numbers. */
export function withoutAddresses(text: string): string {
  return text.slice(0, longestSaid).replace(email, '…').replace(telephone, '…')
}
