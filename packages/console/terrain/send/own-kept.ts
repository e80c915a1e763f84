import { OwnStore, type Put } from '../store/own-store.js'
import type { Meaning } from '../sync/answers.js'
import type { Outbox } from '../sync/item.js'
import { withMeaning } from '../sync/kept.js'
import type { KeptAnswer, SendingStore } from './sender.js'

/** The `SendingStore` of a user, in their profile on this phone. */
export function ownKept(profile: string, key: CryptoKey): SendingStore {
  const store = new OwnStore(profile, key)
  return {
    outbox: store.outbox,
    changeOutbox: (change) => store.changeOutbox(change),
    keepAnswer: (meaningOf) => keepAnswer(store, meaningOf),
    content: (sha256) => store.readBytes('file', sha256),
  }
}

function keepAnswer(store: OwnStore, meaningOf: (outbox: Outbox) => Meaning): Promise<KeptAnswer> {
  return store.changeBoth(async (before) => {
    const meaning = meaningOf(before.outbox)
    const { outbox, day, erased } = withMeaning(before, meaning, await store.begun())
    return { outbox, day, beside: await withoutDrafts(store, erased, outbox), outcome: meaning.outcome, erased }
  })
}

/**
 * The writes that remove drafts of visits, with their photos and signatures. Files that must still be sent are kept.
 */
async function withoutDrafts(store: OwnStore, visits: ReadonlySet<number>, { files }: Outbox): Promise<Put[]> {
  if (visits.size === 0) return []
  const photos = await store.photos()
  const others = photos.filter(({ rdv_id }) => !visits.has(rdv_id))
  const needed = new Set([...files, ...others].map(({ sha256 }) => sha256))
  const away = (kind: Put['kind'], id: string): Put => ({ kind, id, value: null })
  return [
    ...[...visits].flatMap((id) => [away('draft', String(id)), away('ink', String(id))]),
    ...photos
      .filter(({ rdv_id }) => visits.has(rdv_id))
      .flatMap(({ id, sha256 }) => [
        ...[away('photo', id), away('raw', id)],
        ...(sha256 === null || needed.has(sha256) ? [] : [away('file', sha256)]),
      ]),
  ]
}
