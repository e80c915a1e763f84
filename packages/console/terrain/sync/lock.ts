/** What is known about a profile without unlocking it. Times in milliseconds since the epoch, by the phone's clock. */
export interface LockRecord {
  /** Wrong codes since the last right one. */
  readonly wrongCodes: number
  /** When the service last answered for this user. */
  readonly lastContact: number
  /**
   * The latest time that the phone's clock has shown. If the clock was set back before it, the profile does not open.
   */
  readonly lastSeen: number
}

export const lockAfterMs = 5 * 60_000
export const maxWrongCodes = 10
const contactWithinMs = 72 * 3_600_000

export const isLockedAfter = (lastTouch: number, now: number): boolean => now - lastTouch >= lockAfterMs

/** Whether the service must answer before anything is shown. */
export const needsContact = ({ lastContact, lastSeen }: LockRecord, now: number): boolean =>
  Math.max(now, lastSeen) - lastContact > contactWithinMs

/** Counts a code before it is tried, so that closing the app gains nothing. */
export const codeTried = <G extends LockRecord>(guarded: G): G => ({ ...guarded, wrongCodes: guarded.wrongCodes + 1 })

/** What happens after a wrong code, which is already counted. */
export function afterWrongCode({ wrongCodes }: LockRecord): 'again' | 'last' | 'wipe' {
  if (wrongCodes >= maxWrongCodes) return 'wipe'
  return wrongCodes === maxWrongCodes - 1 ? 'last' : 'again'
}
