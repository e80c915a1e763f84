import { dayMs, toInstant } from '@sav/core/feature'
import type { Clock, Transaction } from '@sav/core/ports'
import type { SessionRecord } from './session.js'
import { sessionStore } from './session-store.js'

/**
 * How long the record of a silent or ended phone is kept: as long as a browser keeps the phone's cookie (RFC 6265bis
 * §5.5).
 */
export const keepDevicesMs = 400 * dayMs

interface Ending {
  readonly clock: Pick<Clock, 'now'>
  readonly which: (session: SessionRecord) => boolean
}

/**
 * Ends sessions of a user, on behalf of the office. The end of a phone is kept, so that the phone learns of it at its
 * next call. Resolves to the number of ended sessions.
 */
export async function endSessions(
  tx: Transaction,
  { account_id, user_id }: Pick<SessionRecord, 'account_id' | 'user_id'>,
  { clock, which }: Ending,
): Promise<number> {
  const expire_a = toInstant(clock.now() + keepDevicesMs)
  let ended = 0
  for (const session of (await tx.of(sessionStore).ofUser(account_id, user_id)).filter(which)) {
    const { id, hash } = session
    // The record does not name the user, since it outlives the user's other data.
    if (isDevice(session))
      await tx.of(sessionStore).addAttempt({ hash, methode: 'fin', account_id, user_id: null, expire_a })
    ended += await tx.of(sessionStore).end(account_id, user_id, id)
  }
  return ended
}

export const isDevice = ({ appareil_terrain }: Pick<SessionRecord, 'appareil_terrain'>): boolean =>
  appareil_terrain !== null
