import { OwnStore } from '../store/own-store.js'
import type { Meaning } from '../sync/answers.js'
import { withAnswer, withoutVisit } from '../sync/day.js'
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

/** Brings what an answer says of a visit into the day that is kept. */
export async function keepAnswer(
  store: OwnStore,
  { rdv, erasedRdv }: Pick<Meaning, 'rdv' | 'erasedRdv'>,
): Promise<void> {
  const day = await store.day()
  if (day === null || (rdv === null && erasedRdv === null)) return
  const answered = rdv === null ? day : withAnswer(day, rdv)
  const value = erasedRdv === null ? answered : withoutVisit(answered, erasedRdv)
  const drafts = erasedRdv === null ? [] : [{ kind: 'draft' as const, id: String(erasedRdv), value: null }]
  await store.write({ kind: 'day', id: '', value }, ...drafts)
}
