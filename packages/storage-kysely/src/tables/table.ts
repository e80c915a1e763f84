import type { ColumnType } from 'kysely'

/**
 * The kind of a column, the same in every database. Instants are text: ISO 8601 in UTC, of fixed width. JSON is text as
 * well. There are no booleans: an instant or null holds more information.
 */
export type Kind = 'text' | 'whole' | 'json' | 'bytes'

interface Traits {
  readonly kind: Kind
  readonly isNullable?: true
  /** The database assigns the value, unless an insert gives one. */
  readonly isGenerated?: true
  /** A number that the database assigns to each row, never twice. */
  readonly isNumbered?: true
  /** An erasure of the client empties it. */
  readonly isPersonal?: true
  /** Why no evidence covers it, always or only while a case is open. */
  readonly uncovered?: string
  readonly uncoveredWhileOpen?: string
}

/** `StoredType` is the type in the database, `Value` that of the core, `InsertType` that of an insert. */
export class Column<StoredType = unknown, Value = StoredType, InsertType = StoredType> {
  declare readonly types: { readonly stored: StoredType; readonly value: Value; readonly inserted: InsertType }
  readonly traits: Traits

  constructor(traits: Traits) {
    this.traits = traits
  }

  orNull(): Column<StoredType | null, Value | null, InsertType | null> {
    return new Column({ ...this.traits, isNullable: true })
  }

  generated(): Column<StoredType, Value, InsertType | undefined> {
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
/** For milliseconds, counts and ids; below 2^53. */
export const whole = <T extends number = number>(): Column<T> => new Column({ kind: 'whole' })
/** JSON of this shape. The column is text. */
export const json = <T>(): Column<string, T> => new Column({ kind: 'json' })
/** A named type, because TypeScript would emit `Uint8Array<ArrayBufferLike>`, which versions before 5.7 cannot read. */
export interface Bytes extends Uint8Array {}
export const bytes = (): Column<Bytes> => new Column({ kind: 'bytes' })
/** A number that the database assigns to each row, never twice. */
export const numbered = (): Column<number, number, number | undefined> =>
  new Column({ kind: 'whole', isGenerated: true, isNumbered: true })

export type Columns = Readonly<Record<string, Column<unknown, unknown, unknown>>>
type NameOf<C extends Columns> = keyof C & string

/** The type of a table for Kysely. */
export type KyselyTable<C extends Columns> = {
  [name in keyof C]: ColumnType<C[name]['types']['stored'], C[name]['types']['inserted'], C[name]['types']['stored']>
}

/** The types of tables for Kysely: what `statementsOf` takes. */
export type KyselyTables<T extends Readonly<Record<string, { readonly columns: Columns }>>> = {
  [name in keyof T]: KyselyTable<T[name]['columns']>
}

/** The same columns with the core's types. */
type ValuesOf<C extends Columns, Row> = {
  [name in keyof Row]: name extends keyof C ? C[name]['types']['value'] : Row[name]
}
type StoredOf<C extends Columns, Row> = {
  [name in keyof Row]: name extends keyof C ? C[name]['types']['stored'] : Row[name]
}
type Some<C extends Columns, T extends 'value' | 'stored'> = { readonly [name in keyof C]?: C[name]['types'][T] }

/** The evidence of a table whose rows concern cases that were ever closed. */
export type Evidence =
  /** There is none; the text says why. */
  | { readonly none: string }
  /**
   * `by` covers every column, except those that give a reason (`uncovered`). `inserted`, `deleted`: why an added or
   * deleted row is not detected.
   */
  | { readonly by: string; readonly inserted?: string; readonly deleted?: string }

interface About<C extends Columns> {
  /** Its primary key, in the order in which its rows are walked. */
  readonly key: readonly NameOf<C>[]
  readonly evidence: Evidence
  /**
   * How many rows are copied at a time, in a transaction of some megabytes at most. Default: 100; null: the rows are
   * useless in another store.
   */
  readonly copied?: number | null
  /** The column with contents of up to 5 MiB each: such rows are copied one at a time. */
  readonly content?: NameOf<C>
  /** Why its rows are kept when their account is erased; all other rows with an `account_id` are deleted. */
  readonly outlives?: string
}

/** Any table. */
export type AnyTable = Pick<Table, 'evidence' | 'copied' | 'content' | 'isNumbered' | 'isOfAccounts'> & {
  readonly columns: Readonly<Record<string, { readonly traits: Traits }>>
  readonly key: readonly string[]
}

/** The declaration of a table. Its type, how its rows are read, written and copied, and its evidence follow from it. */
export class Table<C extends Columns = Columns> {
  readonly columns: C
  readonly names: readonly NameOf<C>[]
  readonly key: readonly NameOf<C>[]
  readonly evidence: Evidence
  /** How many rows are copied at a time; null: they are useless in another store. */
  readonly copied: number | null
  /** The column of contents, of up to 5 MiB each. */
  readonly content: string | null
  /** Whether a copy of the table must continue its numbers after the highest one. */
  readonly isNumbered: boolean
  /** Whether its rows are erased with their account. */
  readonly isOfAccounts: boolean
  /** The columns of JSON, and whether they may be null. */
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

  /** The names of all columns except `left`. */
  without<L extends NameOf<C>>(...left: readonly L[]): readonly Exclude<NameOf<C>, L>[] {
    return this.names.filter((name): name is Exclude<NameOf<C>, L> => !left.some((each) => each === name))
  }

  /** The columns with their casts, for a statement with many rows. */
  casts<N extends NameOf<C>>(names: readonly N[]): Readonly<Record<N, 'text' | 'integer'>> {
    const casts = names.map((name) => [name, this.columns[name]?.traits.kind === 'whole' ? 'integer' : 'text'] as const)
    return Object.fromEntries(casts) as Record<N, 'text' | 'integer'>
  }

  /** A row, or part of one, with the core's types. Fields of other tables are not changed. */
  read<R extends Some<C, 'stored'>>(row: R): ValuesOf<C, R> {
    const read: Record<string, unknown> = { ...row }
    for (const { name } of this.#json) {
      const stored = read[name]
      if (typeof stored === 'string') read[name] = JSON.parse(stored)
    }
    return read as ValuesOf<C, R>
  }

  /** A row, or part of one, with the database's types. */
  written<V extends Some<C, 'value'>>(value: V): StoredOf<C, V> {
    const written: Record<string, unknown> = { ...value }
    for (const { name, isNullable } of this.#json) {
      const given = written[name]
      if (given !== undefined && !(given === null && isNullable)) written[name] = JSON.stringify(given)
    }
    return written as StoredOf<C, V>
  }
}

export const ofTheService: Evidence = { none: 'they serve the operation of the service, and no case' }

export const table = <C extends Columns>(columns: C, about: About<C>): Table<C> => new Table(columns, about)
