import { OwnStore, type Put } from '../store/own-store.js'
import { type Meaning, withoutNames } from '../sync/answers.js'
import { heldVisits, ofSameClient, unchanged, withAnswer, withoutVisits } from '../sync/day.js'
import type { Outbox } from '../sync/item.js'
import type { KeptAnswer, SendingStore } from './sender.js'

/** What waits in somebody's part of this phone. */
export function ownKept(profile: string, key: CryptoKey): SendingStore {
  const store = new OwnStore(profile, key)
  return {
    outbox: store.outbox,
    changeOutbox: (change) => store.changeOutbox(change),
    keepAnswer: (meaningOf) => keepAnswer(store, meaningOf),
    content: (sha256) => store.readBytes('file', sha256),
  }
}

/** An answer changes the outbox and the day together: a visit is never shown in a state before its reports. */
function keepAnswer(store: OwnStore, meaningOf: (outbox: Outbox) => Meaning): Promise<KeptAnswer> {
  return store.changeBoth(async (before) => {
    const { outbox: meant, rdv, erasedRdv, outcome } = meaningOf(before.outbox)
    const erased = erasedRdv === null ? new Set<number>() : ofSameClient(before.day, erasedRdv)
    const outbox = withoutNames(meant, erased)
    const held = heldVisits(
      outbox,
      (await store.begun()).filter((id) => !erased.has(id)),
    )
    const answered = before.day && rdv ? withAnswer(before.day, rdv) : before.day
    const day = answered && unchanged(withoutVisits(answered, erased), held)
    return { outbox, day, beside: await withoutDrafts(store, erased, outbox), outcome, erased }
  })
}

/** Takes away what was begun at visits, with their photos and signatures; a file that is to be sent stays. */
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
