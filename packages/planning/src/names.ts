import { clientName, endpointName, type TargetName } from '@sav/core/feature'
import { planningStore } from './appointments/planning-store.js'
import { followUpStore } from './follow-ups/follow-up-store.js'

/** The names of appointments and follow-ups in the audit. */
export const planningNames: Readonly<Record<string, TargetName>> = {
  async rdv(reads, account_id, id) {
    const { prenom, nom } = (await reads.of(planningStore).find(account_id, Number(id)))?.client ?? {}
    return nom === undefined ? null : `${prenom} ${nom}`.trim()
  },
  // A follow-up that was never marked as done has no row here.
  async 'a-traiter'(reads, account_id, id) {
    const client_id = (await reads.of(followUpStore).find(account_id, id))?.client_id ?? null
    if (client_id !== null) return clientName(reads, account_id, client_id)
    const [, endpoint_id] = /^recepteur_en_echec-(.+)-\d+$/.exec(id) ?? []
    return endpoint_id === undefined ? null : endpointName(reads, account_id, endpoint_id)
  },
}
