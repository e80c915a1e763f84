import { migrations } from '../migrations/list.gen.js'
import type { Definitions } from '../statements/dialect.js'
import type { AnyTable } from './table.js'
import { tables } from './tables.js'

/** The tables that a feature adds to a store. */
export interface AddedTables {
  /** The feature's name. The names of its migrations begin with it: `tags-0001-tags`. */
  readonly name: string
  /** The tables by name, each after the tables that it refers to. */
  readonly tables?: Readonly<Record<string, AnyTable>>
  /** The migrations by name, in the order in which they run. Released migrations are never edited. */
  readonly migrations?: Readonly<Record<string, Definitions>>
}

/** The tables of a store: those of the core, and of the features that it was opened with. */
export interface StoreTables {
  /** The tables by name, in the order of a copy: each after the tables that it refers to, and `facts` last. */
  readonly all: ReadonlyMap<string, AnyTable>
  readonly migrations: Readonly<Record<string, Definitions>>
}

export function storeTables(features: readonly AddedTables[]): StoreTables {
  const { facts, ...core } = tables
  const added = features.flatMap((feature) => Object.entries(feature.tables ?? {}))
  return {
    all: new Map<string, AnyTable>([...Object.entries(core), ...added, ['facts', facts]]),
    get migrations() {
      return Object.assign({}, migrations, ...features.map((feature) => feature.migrations))
    },
  }
}
