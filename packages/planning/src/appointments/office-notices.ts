import { lazily, NoLetter, type NoticeOf, type Reads } from '@sav/core/feature'
import * as z from 'zod'
import { planningStore } from './planning-store.js'

/** A notice as stored in the outbox. The appointment is looked up when the notice is sent. */
const keptNotice = lazily(() =>
  z.object({
    type: z.literal('rdv_client'),
    acte: z.enum(['annule', 'deplace']),
    rdv_id: z.number(),
    ancien_debut: z.string().nullable(),
  }),
)

/** Notices to the office of what customers did. */
export const officeNotices = (reads: Reads): Readonly<Record<string, NoticeOf>> => ({
  async rdv_client(account_id, kept) {
    const { type, acte, ancien_debut, rdv_id } = keptNotice().parse(kept)
    const rdv = await reads.of(planningStore).find(account_id, rdv_id)
    const client = rdv && (await reads.directory.findClient(account_id, rdv.client.id))
    if (rdv === null || client === null || client.efface_le !== null)
      throw new NoLetter('letter_erased', 'the client of the appointment was erased: there is nothing to report')
    const { sav, debut, motif_annulation: motif } = rdv
    const reference = sav?.reference ?? null
    return { type, acte, client: rdv.client, telephone: client.telephone, reference, debut, ancien_debut, motif }
  },
})
