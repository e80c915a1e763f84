import type { ColumnType } from 'kysely'

/**
 * What a column holds, alike in every database. Instants are text: ISO 8601 in UTC, of fixed width. JSON is text as well.
 * There are no booleans: an instant or null says more.
 */
export type Kind = 'text' | 'whole' | 'json' | 'bytes'

interface Traits {
  readonly kind: Kind
  readonly isNullable?: true
  /** The database gives it where an insert does not. */
  readonly isGenerated?: true
  /** A number that the database gives each row, never twice. */
  readonly isNumbered?: true
  /** Erasing the client takes it away. */
  readonly isPersonal?: true
  /** Why no evidence covers it, at all or only while a case is open. */
  readonly uncovered?: string
  readonly uncoveredWhileOpen?: string
}

/** `Stored` is what lies in the database, `Value` what the core speaks of, `Inserted` what an insert takes. */
export class Column<Stored = unknown, Value = Stored, Inserted = Stored> {
  declare readonly types: { readonly stored: Stored; readonly value: Value; readonly inserted: Inserted }
  readonly traits: Traits

  constructor(traits: Traits) {
    this.traits = traits
  }

  orNull(): Column<Stored | null, Value | null, Inserted | null> {
    return new Column({ ...this.traits, isNullable: true })
  }

  generated(): Column<Stored, Value, Inserted | undefined> {
    return new Column({ ...this.traits, isGenerated: true })
  }

  personal(): this {
    return this.#with({ isPersonal: true })
  }

  uncovered(why: string): this {
    return this.#with({ uncovered: why })
  }

  uncoveredWhileOpen(why: string): this {
    return this.#with({ uncoveredWhileOpen: why })
  }

  #with(more: Partial<Traits>): this {
    return new Column({ ...this.traits, ...more }) as this
  }
}

export const text = <T extends string = string>(): Column<T> => new Column({ kind: 'text' })
/** Of milliseconds, counts and ids; below 2^53. */
export const whole = <T extends number = number>(): Column<T> => new Column({ kind: 'whole' })
/** Of this shape; the column is text. */
export const json = <T>(): Column<string, T> => new Column({ kind: 'json' })
/** A name of its own, since TypeScript would write `Uint8Array<ArrayBufferLike>`, which those before 5.7 do not read. */
export interface Bytes extends Uint8Array {}
export const bytes = (): Column<Bytes> => new Column({ kind: 'bytes' })
/** A number that the database gives each row, never twice. */
export const numbered = (): Column<number, number, number | undefined> =>
  new Column({ kind: 'whole', isGenerated: true, isNumbered: true })

export type Columns = Readonly<Record<string, Column<unknown, unknown, unknown>>>
type NameOf<C extends Columns> = keyof C & string

/** As Kysely wants it. */
export type KyselyTable<C extends Columns> = {
  [name in keyof C]: ColumnType<C[name]['types']['stored'], C[name]['types']['inserted'], C[name]['types']['stored']>
}

/** The same columns, as the core speaks of them. */
type ValuesOf<C extends Columns, Row> = {
  [name in keyof Row]: name extends keyof C ? C[name]['types']['value'] : Row[name]
}
type StoredOf<C extends Columns, Row> = {
  [name in keyof Row]: name extends keyof C ? C[name]['types']['stored'] : Row[name]
}
type Some<C extends Columns, T extends 'value' | 'stored'> = { readonly [name in keyof C]?: C[name]['types'][T] }

/** What evidence says of a table whose rows concern a case that was closed at least once. */
export type Evidence =
  /** Nothing: why. */
  | { readonly none: string }
  /** A hash over every column that does not say otherwise. `inserted`, `deleted`: why a row more or less is not found. */
  | { readonly by: string; readonly inserted?: string; readonly deleted?: string }

interface About<C extends Columns> {
  /** Its primary key, in the order in which its rows are walked. */
  readonly key: readonly NameOf<C>[]
  readonly evidence: Evidence
  /** Rows that are copied at a time: a transaction of some megabytes at most. 100 unless given; null: of no use in another store. */
  readonly copied?: number | null
  /** The column of contents, of up to 5 MiB each: such rows are copied one at a time. */
  readonly content?: NameOf<C>
  /** Why its rows stay when their account is erased; all other rows with an `account_id` go. */
  readonly outlives?: string
}

/** A table, whichever it is. */
export type AnyTable = Pick<Table, 'evidence' | 'copied' | 'content' | 'isNumbered' | 'isOfAccounts'> & {
  readonly columns: Readonly<Record<string, { readonly traits: Traits }>>
  readonly key: readonly string[]
}

/** Everything that is said of a table: its type, how its rows are read, written and copied, and who vouches for them follows. */
export class Table<C extends Columns = Columns> {
  readonly columns: C
  readonly names: readonly NameOf<C>[]
  readonly key: readonly NameOf<C>[]
  readonly evidence: Evidence
  /** Rows that are copied at a time; null: of no use in another store. */
  readonly copied: number | null
  /** The column of contents, of up to 5 MiB each. */
  readonly content: string | null
  /** The next number of a copy follows the highest one. */
  readonly isNumbered: boolean
  /** Its rows go with their account. */
  readonly isOfAccounts: boolean
  /** Those of JSON, with whether they may hold nothing. */
  readonly #json: readonly { readonly name: string; readonly isNullable: boolean }[]

  constructor(columns: C, { key, evidence, content, outlives, copied = content === undefined ? 100 : 1 }: About<C>) {
    this.columns = columns
    this.names = Object.keys(columns)
    this.key = key
    this.evidence = evidence
    this.copied = copied
    this.content = content ?? null
    this.isOfAccounts = 'account_id' in columns && outlives === undefined
    this.isNumbered = Object.values(columns).some(({ traits }) => traits.isNumbered)
    this.#json = Object.entries(columns).flatMap(([name, { traits }]) =>
      traits.kind === 'json' ? [{ name, isNullable: traits.isNullable ?? false }] : [],
    )
  }

  /** The names of the other columns. */
  without<L extends NameOf<C>>(...left: readonly L[]): readonly Exclude<NameOf<C>, L>[] {
    return this.names.filter((name): name is Exclude<NameOf<C>, L> => !left.some((each) => each === name))
  }

  /** The columns with how a statement that is handed many rows casts them. */
  casts<N extends NameOf<C>>(names: readonly N[]): Readonly<Record<N, 'text' | 'integer'>> {
    const casts = names.map((name) => [name, this.columns[name]?.traits.kind === 'whole' ? 'integer' : 'text'] as const)
    return Object.fromEntries(casts) as Record<N, 'text' | 'integer'>
  }

  /** A row, or part of one, as the core speaks of it; what is not of this table stays as it is. */
  read<R extends Some<C, 'stored'>>(row: R): ValuesOf<C, R> {
    const read: Record<string, unknown> = { ...row }
    for (const { name } of this.#json) {
      const stored = read[name]
      if (typeof stored === 'string') read[name] = JSON.parse(stored)
    }
    return read as ValuesOf<C, R>
  }

  /** The same the other way. */
  written<V extends Some<C, 'value'>>(value: V): StoredOf<C, V> {
    const written: Record<string, unknown> = { ...value }
    for (const { name, isNullable } of this.#json) {
      const given = written[name]
      if (given !== undefined && !(given === null && isNullable)) written[name] = JSON.stringify(given)
    }
    return written as StoredOf<C, V>
  }
}

export const ofTheService: Evidence = { none: 'they belong to the running of the service' }

export const table = <C extends Columns>(columns: C, about: About<C>): Table<C> => new Table(columns, about)
