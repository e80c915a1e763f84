import { type Day, heldVisits, takesWork } from '../sync/day.js'
import { type Draft, isBegun, type PhotoRow } from '../sync/draft.js'
import { emptyOutbox, type Outbox, unsentCount } from '../sync/item.js'
import { type SealedRow, seal, sealJson, unseal, unsealJson } from '../vault/sealed.js'
import { type Kind, opened, ownChanges, type RowKey, rowsOf } from './database.js'

/** The phone is full; existing data is unchanged. */
export class PhoneFullError extends Error {
  constructor(cause: unknown) {
    super("the phone's storage is full", { cause })
    this.name = 'PhoneFullError'
  }
}

/** A row to write, replacing an existing one; null deletes it. */
export interface Put {
  readonly kind: Kind
  readonly id: string
  readonly value: unknown
}

/** The outbox and the day, with other rows to write in the same transaction. */
interface OutboxAndDay {
  readonly outbox: Outbox
  readonly day: Day | null
  readonly beside: readonly Put[]
}

interface WriteOptions {
  /** The row that must still exist: if it is gone, nothing is written. */
  readonly where?: RowKey
  /** The number of reports that the service does not have yet, as shown while the phone is locked. */
  readonly unsent?: number
}

/** Visits for which this page is about to store something. */
const awaited = new Set<{ readonly profile: string; readonly rdv_id: number }>()

/**
 * Keeps a visit on this phone, even if the office reassigns it, until its data is stored. @returns a function to call
 * then
 */
export function holdVisit(profile: string, rdv_id: number): () => void {
  const hold = { profile, rdv_id }
  awaited.add(hold)
  return () => awaited.delete(hold)
}

const isSame = (before: unknown, after: unknown): boolean =>
  before === after || JSON.stringify(before) === JSON.stringify(after)

/**
 * A user's rows on this phone, while the profile is unlocked. Rows are encrypted; the rows of one call are written
 * together or not at all.
 */
export class OwnStore {
  readonly profile: string
  readonly key: CryptoKey

  constructor(profile: string, key: CryptoKey) {
    this.profile = profile
    this.key = key
  }

  async read<T>(kind: Kind, id = ''): Promise<T | null> {
    const place: RowKey = [this.profile, kind, id]
    const row = await (await opened()).get('sealed', place)
    return row === undefined ? null : unsealJson<T>(this.key, place, row)
  }

  async readBytes(kind: Kind, id: string): Promise<ArrayBuffer | null> {
    const place: RowKey = [this.profile, kind, id]
    const row = await (await opened()).get('sealed', place)
    return row === undefined ? null : unseal(this.key, place, row)
  }

  async ids(kind: Kind): Promise<string[]> {
    const keys = await (await opened()).getAllKeys('sealed', rowsOf(this.profile, kind))
    return keys.map(([, , id]) => id)
  }

  /** @throws PhoneFullError */
  write = (...puts: Put[]): Promise<void> => this.#write(puts, {})

  /** Writes only if this row still exists, so that deleted data does not come back. @throws PhoneFullError */
  writeWhere = (kind: Kind, id: string, ...puts: Put[]): Promise<void> =>
    this.#write(puts, { where: [this.profile, kind, id] })

  /**
   * Writes data of a visit only if the visit is on this phone, so that erased data does not come back. @returns whether
   * it was written @throws PhoneFullError
   */
  writeOf(rdv_id: number, ...puts: Put[]): Promise<boolean> {
    return this.#turn('day', async () => {
      const day = await this.day()
      if (day === null || !takesWork(day, rdv_id)) return false
      await this.write(...puts)
      return true
    })
  }

  async #write(puts: readonly Put[], how: WriteOptions): Promise<void> {
    const rows = await Promise.all(puts.map((put) => this.#row(put)))
    await this.#store(rows, how).catch(async (error: unknown) => {
      if (!isFull(error)) throw error
      // Makes room by deleting thumbnails, which can be downloaded again.
      await (await opened()).delete('sealed', rowsOf(this.profile, 'thumb'))
      await this.#store(rows, how).catch((again: unknown) => {
        throw isFull(again) ? new PhoneFullError(again) : again
      })
    })
  }

  outbox = async (): Promise<Outbox> => (await this.read<Outbox>('outbox')) ?? emptyOutbox
  day = (): Promise<Day | null> => this.read<Day>('day')

  /** The drafts by visit. */
  async drafts(): Promise<Map<number, Draft>> {
    const ids = await this.ids('draft')
    const found = await Promise.all(ids.map(async (id) => [Number(id), await this.read<Draft>('draft', id)] as const))
    return new Map(found.flatMap(([id, draft]) => (draft === null ? [] : [[id, draft]])))
  }

  /** The photos of drafts. */
  async photos(): Promise<PhotoRow[]> {
    const rows = await Promise.all((await this.ids('photo')).map((id) => this.read<PhotoRow>('photo', id)))
    return rows.flatMap((row) => row ?? [])
  }

  /**
   * Changes the outbox. Every change is made through this method, so that pages and the worker take turns.
   * @param beside written together with it
   * @throws PhoneFullError
   */
  changeOutbox(change: (outbox: Outbox) => Outbox, ...beside: Put[]): Promise<Outbox> {
    return this.#turn('outbox', async () => {
      const before = await this.outbox()
      const after = change(before)
      await this.#writeOutbox(before, after, beside)
      return after
    })
  }

  /**
   * Changes the day. Every change is made through this method, so that an answer to a write and a new day take turns.
   * @param change gets the visits with data that is not at the service yet
   */
  changeDay(change: (day: Day | null, held: ReadonlySet<number>) => Day | null): Promise<Day | null> {
    return this.#turn('day', async () => {
      const before = await this.day()
      const after = change(before, heldVisits(await this.outbox(), await this.begun()))
      if (!isSame(before, after)) await this.write({ kind: 'day', id: '', value: after })
      return after
    })
  }

  /**
   * Changes the outbox and the day in one write. So a report never leaves the outbox before the day contains its
   * answer.
   */
  changeBoth<T extends OutboxAndDay>(change: (before: Omit<OutboxAndDay, 'beside'>) => Promise<T>): Promise<T> {
    return this.#turn('outbox', () =>
      this.#turn('day', async () => {
        const before = { outbox: await this.outbox(), day: await this.day() }
        const after = await change(before)
        const day: Put[] = isSame(before.day, after.day) ? [] : [{ kind: 'day', id: '', value: after.day }]
        await this.#writeOutbox(before.outbox, after.outbox, [...day, ...after.beside])
        return after
      }),
    )
  }

  /** The visits of which this phone has unreported text or photos, or is about to store some. */
  async begun(): Promise<number[]> {
    const drafted = [...(await this.drafts())].flatMap(([id, draft]) => (isBegun(draft) ? [id] : []))
    const held = [...awaited].filter(({ profile }) => profile === this.profile)
    return [...drafted, ...[...(await this.photos()), ...held].map(({ rdv_id }) => rdv_id)]
  }

  #turn<T>(of: 'outbox' | 'day', work: () => Promise<T>): Promise<T> {
    return navigator.locks.request(`sav-terrain-${of}/${this.profile}`, work)
  }

  async #writeOutbox(before: Outbox, after: Outbox, beside: readonly Put[]): Promise<void> {
    if (beside.length === 0 && isSame(before, after)) return
    const kept = new Set(after.files.map(({ sha256 }) => sha256))
    const unneeded = before.files.filter(({ sha256 }) => !kept.has(sha256))
    // A draft may contain the same picture, which must then stay.
    const drafted = new Set(unneeded.length === 0 ? [] : (await this.photos()).map(({ sha256 }) => sha256))
    const dropped = unneeded.filter(({ sha256 }) => !drafted.has(sha256))
    await this.#write(
      [
        { kind: 'outbox', id: '', value: after },
        ...beside,
        ...dropped.map(({ sha256 }): Put => ({ kind: 'file', id: sha256, value: null })),
      ],
      { unsent: unsentCount(after) },
    )
    ownChanges.postMessage(this.profile)
  }

  async #row({ kind, id, value }: Put): Promise<readonly [RowKey, SealedRow | null]> {
    const place: RowKey = [this.profile, kind, id]
    if (value === null) return [place, null]
    const isBytes = value instanceof ArrayBuffer
    return [place, await (isBytes ? seal(this.key, place, value) : sealJson(this.key, place, value))]
  }

  async #store(rows: readonly (readonly [RowKey, SealedRow | null])[], { where, unsent }: WriteOptions): Promise<void> {
    const transaction = (await opened()).transaction(['sealed', 'profiles'], 'readwrite')
    const ended = transaction.done
    // If the transaction fails, the failed request, which is awaited below, gives the reason.
    ended.catch(() => {})
    const profiles = transaction.objectStore('profiles')
    const profile = await profiles.get(this.profile)
    // A profile wiped meanwhile, here or in another tab, gets no more data.
    if (profile === undefined) return transaction.abort()
    const sealed = transaction.objectStore('sealed')
    if (where !== undefined && (await sealed.getKey(where)) === undefined) return transaction.abort()
    const stored = rows.map(([place, row]) => (row === null ? sealed.delete(place) : sealed.put(row, place)))
    const counted = unsent === undefined ? null : profiles.put({ ...profile, unsent })
    // Without an explicit commit, the transaction waits for this page, and is lost if the app is closed meanwhile.
    transaction.commit()
    await Promise.all([...stored, counted, ended])
  }
}

const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError'

/**
 * Calls the listener after a wipe, and after changes of the outbox or the day in this page, another tab or the worker.
 * @returns a function that ends this
 */
export function onOwnChange(listener: (profile: string) => void): () => void {
  const channel = new BroadcastChannel(ownChanges.name)
  channel.onmessage = ({ data }) => listener(String(data))
  return () => channel.close()
}
