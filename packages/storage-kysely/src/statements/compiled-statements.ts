import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialect.js'
import type { Schema } from '../tables.js'
import type { Bindings, Statement } from './statement.js'

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** The statements of one store, as compiled for its dialect. */
export class CompiledStatements {
  readonly dialect: Dialect
  readonly #db: Kysely<Schema>
  readonly #compiled: WeakMap<object, CompiledQuery>

  /** @param compiled of other stores, whose tables have the same names */
  constructor(db: Kysely<Schema>, dialect: Dialect, compiled = new WeakMap<object, CompiledQuery>()) {
    this.#db = db
    this.dialect = dialect
    this.#compiled = compiled
  }

  bind<P extends Bindings, O>(statement: Statement<P, O>, values: Bindings): CompiledQuery<O> {
    const { query, queryId, sql, parameters } = this.#compiled.get(statement) ?? this.#compile(statement)
    const bound = parameters.map((parameter) => (parameter instanceof Placeholder ? values[parameter.name] : parameter))
    return { query, queryId, sql, parameters: bound }
  }

  #compile<P, O>(statement: Statement<P, O>): CompiledQuery {
    const named = <T>(name: string): RawBuilder<T> => this.dialect.bound(sql`${new Placeholder(name)}`)
    const compiled = statement.build(this.#db, named, this.dialect).compile(this.#db)
    this.#compiled.set(statement, compiled)
    return compiled
  }
}
