import { isEnabled, type QueryParams, Repository, type schema, statementsOf, table } from '@sav/storage-kysely/feature'
import { sql } from 'kysely'
import type { SessionRecord, SignInAttempt } from '../sessions/session.js'
import type { SessionBounds, SessionWrites } from '../sessions/session-store.js'
import type { User } from '../users/user.js'
import { tables } from './tables.js'

type Schema = schema.KyselyTables<typeof tables>
const { deletion, insertion, replacement, selection, statement } = statementsOf<Schema>()

// Uses the unique index sessions_hash.
const findByHash = statement((db, p: QueryParams<{ hash: string }>) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('hash', '=', p('hash'))
    .where(isEnabled(sql.ref('sessions.account_id'))),
)
const findUser = selection('users', ['account_id', 'id'])
// Uses the index sessions_user, as do the statements that end sessions.
const listSessions = selection('sessions', ['account_id', 'user_id'], { order: ['date_creation desc', 'id desc'] })
const addSession = insertion('sessions', tables.sessions.names)
const endSessions = deletion('sessions', ['account_id', 'user_id'])
const endSession = deletion('sessions', ['account_id', 'user_id', 'id'])
const noteUse = statement((db, p: QueryParams<{ account_id: string; id: string; at: string }>) =>
  db
    .updateTable('sessions')
    .set({ derniere_utilisation: p('at') })
    .where('account_id', '=', p('account_id'))
    .where('id', '=', p('id'))
    .where('derniere_utilisation', '<', p('at')),
)

const addAttempt = insertion('sign_in_attempts', tables.sign_in_attempts.names, sql`on conflict (hash) do nothing`)
const findAttempt = selection('sign_in_attempts', ['hash', 'methode'])
// Of two concurrent calls, the second waits for the first, and finds nothing.
const takeAttempt = statement((db, p: QueryParams<Pick<SignInAttempt, 'hash' | 'methode'>>) =>
  db.deleteFrom('sign_in_attempts').where('hash', '=', p('hash')).where('methode', '=', p('methode')).returningAll(),
)
const forgetAttempts = deletion('sign_in_attempts', ['account_id', 'user_id'])

const setDevice = replacement(
  'sessions',
  ['account_id', 'id'],
  ['appareil_terrain', 'en_attente', 'derniere_utilisation'],
)

/** Sessions last used before their bound, by the index sessions_used. The bound of phones is earlier. */
const hasEnded = (p: QueryParams<SessionBounds>) => sql`derniere_utilisation < ${p('before')}
  and (appareil_terrain is null or derniere_utilisation < ${p('devicesBefore')})`
const purgeSessions = statement(
  (_, p: QueryParams<SessionBounds & { limit: number }>) =>
    sql<never>`delete from ${table('sessions')} where hash in (
      select hash from ${table('sessions')} where ${hasEnded(p)} order by derniere_utilisation limit ${p('limit')}
    )`,
)
// Uses the index sign_in_attempts_expiry.
const purgeAttempts = statement(
  (_, p: QueryParams<{ before: string; limit: number }>) =>
    sql<never>`delete from ${table('sign_in_attempts')} where hash in (
      select hash from ${table('sign_in_attempts')} where expire_a < ${p('before')}
      order by expire_a limit ${p('limit')}
    )`,
)

const countEnded = statement(
  (_, p: QueryParams<SessionBounds>) => sql<{ count: number }>`select
    (select count(*) from ${table('sessions')} where ${hasEnded(p)})
    + (select count(*) from ${table('sign_in_attempts')} where expire_a < ${p('before')}) as count`,
)

export class Sessions extends Repository implements SessionWrites {
  async findByHash(hash: string): Promise<{ session: SessionRecord; user: User } | null> {
    const session = await this.db.first(findByHash, { hash })
    const user = session && (await this.db.first(findUser, { account_id: session.account_id, id: session.user_id }))
    return session && user && { session, user }
  }

  ofUser(account_id: string, user_id: string): Promise<SessionRecord[]> {
    return this.db.all(listSessions, { account_id, user_id })
  }

  async add(session: SessionRecord): Promise<void> {
    await this.db.run(addSession, { ...session })
  }

  end(account_id: string, user_id: string, id?: string): Promise<number> {
    return id === undefined
      ? this.db.run(endSessions, { account_id, user_id })
      : this.db.run(endSession, { account_id, user_id, id })
  }

  async setDevice(
    account_id: string,
    id: string,
    { appareil_terrain, en_attente, derniere_utilisation }: Parameters<SessionWrites['setDevice']>[2],
  ): Promise<void> {
    await this.db.run(setDevice, { account_id, id, appareil_terrain, en_attente, derniere_utilisation })
  }

  async noteUse(uses: Parameters<SessionWrites['noteUse']>[0]): Promise<void> {
    // Every transaction updates sessions in the order of their ids, so that no two wait for each other.
    for (const use of uses.toSorted((a, b) => (a.id < b.id ? -1 : 1))) await this.db.run(noteUse, use)
  }

  async addAttempt(attempt: SignInAttempt): Promise<boolean> {
    return (await this.db.run(addAttempt, { ...attempt })) === 1
  }

  findAttempt(hash: string, methode: SignInAttempt['methode']): Promise<SignInAttempt | null> {
    return this.db.first(findAttempt, { hash, methode })
  }

  takeAttempt(hash: string, methode: SignInAttempt['methode']): Promise<SignInAttempt | null> {
    return this.db.first(takeAttempt, { hash, methode })
  }

  async forgetAttempts(account_id: string, user_id: string): Promise<void> {
    await this.db.run(forgetAttempts, { account_id, user_id })
  }

  async purgeable({ before, devicesBefore }: SessionBounds): Promise<number> {
    return (await this.db.one(countEnded, { before, devicesBefore })).count
  }

  async purge({ before, devicesBefore }: SessionBounds, limit: number): Promise<number> {
    const sessions = await this.db.run(purgeSessions, { before, devicesBefore, limit })
    return sessions + (await this.db.run(purgeAttempts, { before, limit }))
  }
}
