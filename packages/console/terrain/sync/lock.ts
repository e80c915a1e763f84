/**
 * What can be read of a profile without unlocking it. Times are in milliseconds since the epoch, by the phone's clock.
 */
export interface LockRecord {
  /** Wrong codes since the last right one. */
  readonly wrongCodes: number
  /** When the service last answered for this user. */
  readonly lastContact: number
  /**
   * When the profile was last opened, or the service last answered. If the phone's clock is set back, the 72 hours
   * without an answer are still counted up to this time.
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

/** Counts a code as wrong before it is tried, so that closing the app does not avoid the count. */
export const codeTried = <G extends LockRecord>(guarded: G): G => ({ ...guarded, wrongCodes: guarded.wrongCodes + 1 })

/** What happens after a wrong code, which is already counted. */
export function afterWrongCode({ wrongCodes }: LockRecord): 'again' | 'last' | 'wipe' {
  if (wrongCodes >= maxWrongCodes) return 'wipe'
  return wrongCodes === maxWrongCodes - 1 ? 'last' : 'again'
}
