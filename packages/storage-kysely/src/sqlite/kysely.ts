import {
  CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type KyselyPlugin,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { wasNotAwaited } from '../statements/connection.js'
import type { Schema } from '../tables/tables.js'
import { callsUnderWay } from './callers.js'
import type { Member } from './member.js'

/**
 * Work that runs in the current asynchronous context. While it is open, a transaction inside it would wait for itself.
 */
export interface Scope {
  readonly isOpen: boolean
}

export interface GroupedConnections {
  readonly scope: Scope | undefined
  /** Runs `work` in an asynchronous context of `scope`. */
  runIn<T>(scope: Scope, work: () => Promise<T>): Promise<T>
  begin(): Promise<Member>
  /** Runs a query outside any transaction. */
  execute<R>(query: CompiledQuery): Promise<QueryResult<R>>
  close(): Promise<void>
}

/**
 * A Kysely whose transactions take part in group commit, invisibly to its callers. It gets its connections directly
 * from `connections`: Kysely's own pool does not know in which asynchronous context a transaction runs.
 */
export function kyselyOver(connections: GroupedConnections, plugins: KyselyPlugin[]): Kysely<Schema> {
  const driver = new GroupedDriver(connections)
  const dialect: Dialect = {
    createAdapter: () => new GroupedAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  const provider: ConnectionProvider = {
    provideConnection(consumer) {
      const lease = new Lease(connections)
      return connections.runIn(lease, () => consumer(lease))
    },
  }
  const executor = new DefaultQueryExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), provider, plugins)
  return new Kysely<Schema>({ config: { dialect }, dialect, driver, executor })
}

class GroupedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true
  }

  override get supportsTransactionalDdl() {
    return true
  }
}

/** Kysely's connection: inside a transaction the writer; outside, the writer or the reader, as each query needs. */
class Lease implements DatabaseConnection, Scope {
  readonly #connections: GroupedConnections
  readonly #outer: Scope | undefined
  #member: Member | null = null

  constructor(connections: GroupedConnections) {
    this.#connections = connections
    this.#outer = connections.scope
  }

  get isOpen(): boolean {
    return this.#member?.isOpen === true || this.#outer?.isOpen === true
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#member === null ? this.#connections.execute<R>(query) : this.#member.executeQuery<R>(query)
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }

  async begin(): Promise<void> {
    this.#member = await this.#connections.begin()
  }

  async commit(): Promise<void> {
    // Checked before the commit, because a commit that fails would also fail the others that share it.
    const underWay = await this.#member?.executeQuery(CompiledQuery.raw(callsUnderWay))
    if (underWay !== undefined && underWay.rows.length > 0) throw wasNotAwaited()
    await this.#member?.commit()
  }

  rollback(): void {
    this.#member?.rollback()
  }
}

class GroupedDriver implements Driver {
  readonly #connections: GroupedConnections

  constructor(connections: GroupedConnections) {
    this.#connections = connections
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Lease(this.#connections)
  }

  async releaseConnection(): Promise<void> {}

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return leaseOf(connection).begin()
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return leaseOf(connection).commit()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    leaseOf(connection).rollback()
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`savepoint "${name}"`))
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`rollback to "${name}"`))
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`release "${name}"`))
  }

  destroy(): Promise<void> {
    return this.#connections.close()
  }
}

function leaseOf(connection: DatabaseConnection): Lease {
  if (connection instanceof Lease) return connection
  throw new Error('This connection belongs to another database.')
}
