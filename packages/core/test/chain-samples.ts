import { replacing } from '../../planning/test/replacing.js'
import type { CaseClose } from '../src/cases/case.js'
import type { CaseChanges } from '../src/cases/case-store.js'
import { closingFields } from '../src/evidence/closing-fields.js'
import type { Reads } from '../src/storage.js'
import { picked } from '../src/values/picked.js'
import { dataUri, description, jpeg, motif, resolution } from './case-samples.js'
import { openSav } from './open-sav.js'

export const photo = dataUri(jpeg)

export type Link = Awaited<ReturnType<Reads['evidence']['walk']>>[number]

/** Three closed cases, the second one closed twice, which makes four entries; and a fourth case, still open. */
export async function withChain() {
  const opened = await openSav()
  const { sav, actor, client, clock, poseur, storage } = opened
  const ids: number[] = []
  for (let count = 0; count < 4; count += 1) {
    const input = { client_id: client.id, description, photos: count === 0 ? [photo] : [] }
    const { id } = await sav.cases.create(actor, input)
    await sav.cases.update(actor, id, { poseur_id: poseur.id })
    ids.push(id)
  }
  const [a = 0, b = 0, c = 0, open = 0] = ids
  const close = async (id: number) => {
    await clock.advance(1_000)
    return sav.cases.close(actor, id, {
      resolution,
      photo_apres: photo,
      signataire_nom: 'A. Durand',
      reserves: ['Rayure.'],
    })
  }
  await close(a)
  await close(b)
  await sav.cases.reopen(actor, b, { motif })
  await close(b)
  await close(c)

  /** The same service on an altered store. */
  const on = (altered: Partial<Reads>) =>
    sav.inTransaction({ ...storage, reads: { ...storage.reads, ...altered } }).evidence
  /** The same service on a store with an altered chain. */
  const withLinks = (alter: (link: Link) => Link | null) =>
    on({
      evidence: replacing(storage.reads.evidence, {
        async walk(account_id, { afterSequence, limit }) {
          const all = await storage.reads.evidence.walk(account_id, { afterSequence: 0, limit: 1000 })
          const altered = all.map(alter).filter((link) => link !== null)
          return altered.filter(({ entry }) => entry.sequence > afterSequence).slice(0, limit)
        },
      }),
    })
  /** Changes a closed case directly in the store. */
  const tamper = (id: number, change: (closing: CaseClose) => Partial<CaseChanges>) =>
    storage.transaction(async (tx) => {
      const found = await tx.cases.lock('default', id)
      if (found?.statut !== 'clos') throw new Error('no such closed case')
      const { date_modification, version } = found
      await tx.cases.update(found, { date_modification, version, ...change(picked(found, closingFields)) })
    })
  return { ...opened, a, b, c, open, on, withLinks, tamper }
}
