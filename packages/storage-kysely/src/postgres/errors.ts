import { UnavailableError } from '@sav/core/ports'
import { NotMigratedError } from '../storage/not-migrated.js'
import { driver } from './own-connections.js'

/**
 * Behind a pooler, the name of our statement may belong to another client's statement on the server's connection, or
 * our statement may have been prepared on another connection.
 */
const pooler =
  'A pooler between here and the database keeps no prepared statements: add prepare=false to the URL, or let it keep them (max_prepared_statements of PgBouncer 1.21 or later).'

/** The reasons, by the prefix of PostgreSQL's error code. */
const reasons = [
  ['08', 'The connection to the database is lost.'],
  ['23P01', 'Another appointment has taken that time meanwhile.'],
  [
    '25006',
    'The database is read-only. Connect to the primary server, or set default_transaction_read_only of this one to off.',
  ],
  ['25P03', 'The database ended a transaction that had been idle for too long.'],
  ['26000', pooler],
  ['28', 'The database refuses the user, the password, or a connection without TLS.'],
  ['3D000', 'The database does not exist.'],
  ['40', 'The database is busy: too many transactions wanted the same rows.'],
  ['42P05', pooler],
  ['53100', 'The disk of the database is full.'],
  [
    '53300',
    'The database has too many connections. Raise the limit of the server, of the database or of the role (a process needs at least two), or close other connections.',
  ],
  ['53', 'The database is short of resources.'],
  ['55P03', 'The database is busy: another transaction keeps a row locked.'],
  ['57014', 'The database took too long.'],
  ['57P03', 'The database is starting up or shutting down.'],
  ['57P', 'The database shut the connection down.'],
  ['58', 'The disk of the database failed.'],
  ['XX001', 'The store in the database is damaged: stop, then restore the last backup (sav restore BACKUP --to URL).'],
  [
    'XX002',
    'An index of the store in the database is damaged: REINDEX it, or restore the last backup (sav restore BACKUP --to URL).',
  ],
] as const

const soon = new Set(['23P01', '40', '55P03', '57014', '25P03'])

/**
 * A transaction that fails with one of these codes runs again. It then sees what the other transaction has taken
 * (23P01), referred to, or deleted (23503).
 */
const conflicts = new Set(['40001', '40P01', '23P01', '23503'])

/** Undefined table, undefined column. */
const notThere = new Set(['42P01', '42703'])

/** For a migration on a worker node of Citus, which answers with PostgreSQL's general code. */
const onWorkerNode = [
  '0A',
  'On Citus, only the coordinator creates and changes tables: name it in the URL for `sav init` and `sav migrate`.',
] as const

/** What a failed statement means. */
export interface Failure {
  /** The error for the storage's callers. It says if the database is busy, full or unreachable. */
  readonly error: unknown
  /** A conflict between transactions: this one was rolled back, and may succeed if it runs again. */
  readonly conflict: boolean
  /** The connection is lost, or unusable. */
  readonly lost: boolean
  /** The other connections of the pool may be lost too. */
  readonly othersToo: boolean
  /** A migration has changed a table since the server prepared the statement. */
  readonly stale: boolean
}

export function failureOf(error: unknown): Failure {
  // All other errors of node-postgres are about its socket.
  if (!(error instanceof driver.DatabaseError))
    return { error: away(error), conflict: false, lost: true, othersToo: true, stale: false }
  const { code = '', severity = '', message } = error
  const conflict = conflicts.has(code)
  const stale = code === '0A000' && message.includes('cached plan')
  // 25006: this connection refuses writes, as a standby does. The next connection may reach a writable server.
  const spoilt = stale || code === '25006'
  const othersToo = severity === 'FATAL' || severity === 'PANIC' || code.startsWith('08')
  const lost = spoilt || othersToo
  if (notThere.has(code)) return { error: new NotMigratedError(error), conflict, lost, othersToo, stale }
  const reason =
    code === '42501'
      ? ([code, `The database refuses: ${message}. Grant the missing right to the role in its URL.`] as const)
      : code === 'XX000' && /operation is not allowed on this node|from a worker node/.test(message)
        ? onWorkerNode
        : reasons.find(([prefix]) => code.startsWith(prefix))
  if (reason === undefined) return { error: lost ? away(error) : error, conflict, lost, othersToo, stale }
  const [prefix, text] = reason
  const retryAfterSeconds = soon.has(prefix) ? 1 : 5
  const damaged = prefix.startsWith('XX')
  return {
    error: new UnavailableError(text, { cause: error, retryAfterSeconds, damaged }),
    conflict,
    lost,
    othersToo,
    stale,
  }
}

function away(error: unknown): UnavailableError {
  if (error instanceof UnavailableError) return error
  // Messages of a socket, of TLS, of node-postgres: none of them contains a password.
  const why = error instanceof Error && error.message !== '' ? `: ${error.message}` : ''
  const message = `The database cannot be reached${why}. Check that it runs, and that its address is right.`
  return new UnavailableError(message, { cause: error, retryAfterSeconds: 5 })
}
