import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChosenClient } from '../directory/client-choice.js'
import { personHere } from '../session/session.js'
import { sayFailed } from '../system/notices.js'
import type { DrawnSignature } from '../system/signature-sheet.js'
import type { FormTexts, TypedStore } from '../system/typed.js'
import { words } from '../words/words.js'
import type { Picture } from './pictures.js'

/** The parts of a form that are not text. */
export interface DraftEnclosures {
  readonly client?: ChosenClient | null
  readonly photos?: readonly Picture[]
  readonly before?: Picture | null
  readonly after?: Picture | null
  readonly signature?: DrawnSignature | null
}

/** An unsent form. It is kept on this device until it is sent or cancelled, or its user signs out. */
export interface Draft {
  readonly texts: TypedStore
  readonly enclosed: DraftEnclosures
  readonly enclose: (change: (before: DraftEnclosures) => Partial<DraftEnclosures>) => void
}

/** Photos have their own row, so that typing does not rewrite them. */
interface Drafts extends DBSchema {
  typed: { key: Key; value: { readonly keptAt: number; readonly typed: FormTexts }; indexes: { keptAt: number } }
  enclosed: {
    key: Key
    value: { readonly keptAt: number; readonly enclosed: DraftEnclosures }
    indexes: { keptAt: number }
  }
}
type Key = [person: string, form: string, id: string]

const stores = ['typed', 'enclosed'] as const
const keptForMs = 30 * 86_400_000

let opening: Promise<IDBPDatabase<Drafts>> | undefined

function opened(): Promise<IDBPDatabase<Drafts>> {
  opening ??= openDB<Drafts>('sav-drafts', 1, {
    upgrade(database) {
      for (const store of stores) database.createObjectStore(store).createIndex('keptAt', 'keptAt')
    },
  })
  return opening
}

/** The range of all keys that begin with these parts. */
const below = (...begin: string[]) => IDBKeyRange.bound(begin, [...begin, []])

/** Reports that a draft was not saved; its text is still on the screen. */
const tellFailure = () => sayFailed(words.value.draftNotKept)

async function remove(...begin: string[]): Promise<void> {
  const transaction = (await opened()).transaction(stores, 'readwrite')
  const removed = stores.map((store) => transaction.objectStore(store).delete(below(...begin)))
  // Without an explicit commit, the transaction is lost if the page unloads.
  transaction.commit()
  await Promise.all([...removed, transaction.done])
}

/** Deletes a user's drafts at sign-out. */
export const forgetDraftsOf = (person: string): Promise<void> => remove(person)

/** Deletes old drafts, so that customers' photos do not stay on an abandoned device. */
async function forgetOld(): Promise<void> {
  const transaction = (await opened()).transaction(stores, 'readwrite')
  const old = IDBKeyRange.upperBound(Date.now() - keptForMs)
  for (const name of stores) {
    const store = transaction.objectStore(name)
    for (const key of await store.index('keptAt').getAllKeys(old)) await store.delete(key)
  }
  await transaction.done
}

/** A draft locked by this tab. */
interface DraftHold {
  readonly id: string
  readonly release: () => void
}

/** Settles when the lock that this tab last released is free. */
let released: Promise<unknown> = Promise.resolve()

/** Whether this page was just reloaded. It may then start before the previous page has released the draft. */
function isAfterItself(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  const isReload = navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload'
  return isReload && performance.now() < reloadedMs
}
const reloadedMs = 30_000
const itsEndMs = 1000

function hold(person: string, form: string, id: string): Promise<DraftHold | null> {
  return new Promise((resolve, reject) => {
    const how = isAfterItself() ? { signal: AbortSignal.timeout(itsEndMs) } : { ifAvailable: true }
    const ended = navigator.locks.request(`${person}/${form}/${id}`, how, (lock) => {
      if (lock === null) return resolve(null)
      return new Promise<void>((end) => {
        const release = () => {
          released = ended
          end()
        }
        resolve({ id, release })
      })
    })
    ended.catch((error) => (how.signal?.aborted ? resolve(null) : reject(error)))
  })
}

/** A saved draft that no other tab has open; otherwise a new one. */
async function takeUp(person: string, form: string): Promise<DraftHold> {
  await released
  const database = await opened()
  const keys = await Promise.all(stores.map((store) => database.getAllKeys(store, below(person, form))))
  for (const id of new Set(keys.flat().map(([, , id]) => id))) {
    const held = await hold(person, form, id)
    if (held !== null) return held
  }
  const id = crypto.randomUUID()
  return (await hold(person, form, id)) ?? { id, release: () => {} }
}

interface StoredDraft {
  readonly key: Key
  readonly texts: TypedStore
  readonly enclosed: DraftEnclosures
}

async function begunBy(key: Key): Promise<StoredDraft> {
  const database = await opened()
  const [texts, others] = await Promise.all([database.get('typed', key), database.get('enclosed', key)])
  return { key, texts: textsOf(key, texts?.typed ?? null), enclosed: others?.enclosed ?? {} }
}

const textsOf = (key: Key, typed: FormTexts | null): TypedStore => ({
  read: () => typed,
  write(next) {
    void keep('typed', key, { keptAt: Date.now(), typed: next }).catch(tellFailure)
  },
  forget() {
    void remove(...key).catch(tellFailure)
  },
})

async function keep<Store extends (typeof stores)[number]>(store: Store, key: Key, value: Drafts[Store]['value']) {
  const transaction = (await opened()).transaction(store, 'readwrite')
  const written = transaction.store.put(value, key)
  transaction.commit()
  await Promise.all([written, transaction.done])
}

/** The draft of this form; null until it is read. */
export function useDraft(form: string): Draft | null {
  const person = personHere()
  const [begun, setBegun] = useState<StoredDraft | null>(null)
  const latest = useRef<DraftEnclosures>({})

  useEffect(() => {
    let isGone = false
    let held: DraftHold | undefined
    const read = async (): Promise<StoredDraft> => {
      await forgetOld()
      held = await takeUp(person, form)
      if (isGone) held.release()
      return begunBy([person, form, held.id])
    }
    read()
      .catch((): StoredDraft => {
        tellFailure()
        const key: Key = [person, form, crypto.randomUUID()]
        return { key, texts: textsOf(key, null), enclosed: {} }
      })
      .then((found) => {
        latest.current = found.enclosed
        if (!isGone) setBegun(found)
      })
    return () => {
      isGone = true
      held?.release()
    }
  }, [person, form])

  if (begun === null) return null
  return {
    texts: begun.texts,
    enclosed: begun.enclosed,
    enclose(change) {
      latest.current = { ...latest.current, ...change(latest.current) }
      setBegun({ ...begun, enclosed: latest.current })
      void keep('enclosed', begun.key, { keptAt: Date.now(), enclosed: latest.current }).catch(tellFailure)
    },
  }
}
