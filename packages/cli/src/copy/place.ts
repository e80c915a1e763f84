import type { StoreStorage } from '../database.js'

/** A store that is copied, or copied to. */
export interface Place {
  readonly kind: 'sqlite' | 'postgres'
  readonly storage: StoreStorage
  /** Without a password. */
  readonly name: string
}
