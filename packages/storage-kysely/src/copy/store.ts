import type { OpenedStorage } from '../storage/opened-storage.js'

/** A store that is copied, or copied to. */
export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  readonly storage: OpenedStorage
  /** For messages, without a password; the source's is also how a copy that was interrupted is known again. */
  readonly name: string
  /** What `storage.db` reads is as of one moment: it may be in use. */
  readonly isSnapshot?: true
  /**
   * It is made for this one copy: what an interrupted copy of such a source has left in a target is deleted, where one of
   * another source would go on.
   */
  readonly isTemporary?: true
}
