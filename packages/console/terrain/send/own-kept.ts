import { OwnStore } from '../store/own-store.js'
import type { Meaning } from '../sync/answers.js'
import { unchanged, withAnswer, withoutVisit } from '../sync/day.js'
import type { Kept } from './sender.js'

/** What waits in somebody's part of this phone. */
export function ownKept(profile: string, key: CryptoKey): Kept & { readonly store: OwnStore } {
  const store = new OwnStore(profile, key)
  return {
    store,
    outbox: store.outbox,
    changeOutbox: (change) => store.changeOutbox(change),
    content: (sha256) => store.readBytes('file', sha256),
  }
}

/** Brings what an answer says of a visit into the day that is kept, and lets go what was kept for the sake of its write. */
export async function keepAnswer(
  store: OwnStore,
  { rdv, erasedRdv }: Pick<Meaning, 'rdv' | 'erasedRdv'>,
): Promise<void> {
  if (erasedRdv !== null) await store.write({ kind: 'draft', id: String(erasedRdv), value: null })
  await store.changeDay((day, held) => {
    if (day === null) return null
    const answered = rdv === null ? day : withAnswer(day, rdv)
    return unchanged(erasedRdv === null ? answered : withoutVisit(answered, erasedRdv), held)
  })
}
