import { migrations } from '../migrations/list.gen.js'
import type { Definitions } from '../statements/dialect.js'
import type { AnyTable } from './table.js'
import { tables } from './tables.js'

/** The tables that a feature adds to a store. */
export interface AddedTables {
  /** The feature's name. The names of its migrations begin with it: `tags-0001-tags`. */
  readonly name: string
  /** By name, each after those that it refers to. */
  readonly tables?: Readonly<Record<string, AnyTable>>
  /** By name, in the order in which they run. Released ones are never edited. */
  readonly migrations?: Readonly<Record<string, Definitions>>
}

/** The tables of a store: those of the core, and of the features that it was opened with. */
export interface StoreTables {
  /** By name, in the order of a copy: each after those that it refers to, `facts` last. */
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
