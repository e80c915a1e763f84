import { type CompiledQuery, type Kysely, type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Dialect } from './dialect.js'
import type { Schema } from './schema.js'
import type { Bindings, RowsStatement, Statement } from './statement.js'

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Whatever runs compiled queries: a connection, a transaction, a whole Kysely. */
export interface Connection {
  executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>>
}

/** The statements of one store, as compiled for its dialect. */
export class CompiledStatements {
  readonly #db: Kysely<Schema>
  readonly #dialect: Dialect
  readonly #compiled = new WeakMap<object, CompiledQuery>()

  constructor(db: Kysely<Schema>, dialect: Dialect) {
    this.#db = db
    this.#dialect = dialect
  }

  bind<P extends Bindings, O>(statement: Statement<P, O>, values: Bindings): CompiledQuery<O> {
    const { query, queryId, sql, parameters } = this.#compiled.get(statement) ?? this.#compile(statement)
    const bound = parameters.map((parameter) => (parameter instanceof Placeholder ? values[parameter.name] : parameter))
    return { query, queryId, sql, parameters: bound }
  }

  #compile<P, O>(statement: Statement<P, O>): CompiledQuery {
    const named = <T>(name: string): RawBuilder<T> => this.#dialect.bound(sql`${new Placeholder(name)}`)
    const compiled = statement.build(this.#db, named, this.#dialect).compile(this.#db)
    this.#compiled.set(statement, compiled)
    return compiled
  }
}

/** Runs statements on one connection. */
export class Session {
  readonly #statements: CompiledStatements
  readonly #connection: Connection

  constructor(statements: CompiledStatements, connection: Connection) {
    this.#statements = statements
    this.#connection = connection
  }

  async all<P extends Bindings, O>(statement: Statement<P, O>, values: P): Promise<O[]> {
    return (await this.#connection.executeQuery(this.#statements.bind(statement, values))).rows
  }

  async first<P extends Bindings, O>(statement: Statement<P, O>, values: P): Promise<O | null> {
    return (await this.#connection.executeQuery(this.#statements.bind(statement, values))).rows[0] ?? null
  }

  /** For statements that always give a row. */
  async one<P extends Bindings, O>(statement: Statement<P, O>, values: P): Promise<O> {
    const row = await this.first(statement, values)
    if (row === null) throw new Error('A statement that always gives a row gave none.')
    return row
  }

  /** What `statement` returns of all `rows`. */
  async each<C extends string, O>(
    statement: RowsStatement<C, O>,
    rows: readonly { readonly [column in C]: Bindings[string] }[],
  ): Promise<O[]> {
    const returned: O[] = []
    for (const run of statement.runs(rows)) returned.push(...(await this.all(run.statement, run.values)))
    return returned
  }

  /** Resolves to the number of rows that it changed. */
  async run<P extends Bindings, O>(statement: Statement<P, O>, values: P): Promise<number> {
    const { numAffectedRows } = await this.#connection.executeQuery(this.#statements.bind(statement, values))
    return Number(numAffectedRows ?? 0)
  }
}
