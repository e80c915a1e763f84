import type { Constat, InterventionBody } from '../api.js'

/** A report on a visit, or a request to the office. */
type ItemContent =
  | { readonly operation: 'debut'; readonly body: Readonly<Record<string, never>> }
  | { readonly operation: 'intervention'; readonly body: InterventionBody }
  | { readonly operation: 'absent'; readonly body: { readonly compte_rendu?: string } }
  | { readonly operation: 'retard'; readonly body: { readonly minutes: number } }
  | { readonly operation: 'reprise'; readonly body: { readonly statut: string } }
  | { readonly operation: 'commentaire'; readonly body: { readonly texte: string } }
  | { readonly operation: 'rdv'; readonly body: { readonly jeton: string; readonly sav_id: number } }
export type Operation = ItemContent['operation']

/** Why the service will refuse a report as long as it is unchanged. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly params: Readonly<Record<string, string | number>>
  readonly message: string
}

export type ItemState =
  | {
      readonly is: 'waiting'
      /** How often the report, or one of its files, was sent; counted before sending. */
      readonly attempts: number
      /** Milliseconds since the epoch, by the phone's clock. */
      readonly notBefore: number
      /** Why the last attempt failed; null: it did not. */
      readonly because: 'lost' | 'busy' | 'file_missing' | null
    }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  | { readonly is: 'received'; readonly at: number; readonly constat: Constat | null }

/** A report from this phone, until the user has seen its outcome. */
export type Item = ItemContent & {
  /** Its `Idempotency-Key`. */
  readonly id: string
  /** The position of the report in the order in which things happened on this phone. */
  readonly order: number
  readonly rdv_id: number
  readonly sav_id: number | null
  /** The customer, as the outbox shows it. */
  readonly title: string
  /** The version of the visit, as the user saw it. */
  readonly version: number
  readonly survenu_a: string
  /** The phone's clock minus the service's. */
  readonly decalage_ms: number
  /** SHA-256 of the files that must be sent first. */
  readonly files: readonly string[]
  readonly state: ItemState
}
export type NewItem = ItemContent & Omit<Item, 'order' | 'state' | 'operation' | 'body'>

/** A photo or a signature; its content is stored separately. */
export interface SentFile {
  readonly sha256: string
  readonly type: string
  readonly size: number
  /** How many bytes the service has, as far as it has reported. */
  readonly sent: number
  readonly isThere: boolean
  /** Whether the service must be asked for its progress: the answer to a part was lost. */
  readonly isDoubtful: boolean
  /** How often the service found that the content does not match the hash. */
  readonly spoilt: number
}

/** What waits on a phone for one user. */
export interface Outbox {
  readonly items: readonly Item[]
  readonly files: readonly SentFile[]
}

export const emptyOutbox: Outbox = { items: [], files: [] }

export const isWaiting = ({ state }: Item): boolean => state.is === 'waiting'
/** Whether a report is only on this phone: it waits, or it was refused and the installer has not decided yet. */
export const isUnsent = ({ state }: Item): boolean => state.is !== 'received'
export const unsentCount = ({ items }: Outbox): number => items.filter(isUnsent).length
/** Whether the service cannot have received a report, since it was never sent. */
export const isUntouched = ({ state }: Item): boolean => state.is === 'waiting' && state.attempts === 0
