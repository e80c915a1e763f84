import type { Account, Client } from '../directory/directory.js'
import { placeLine } from '../directory/lieu.js'
import { type Addendum, filesOfAddendum } from '../evidence/addenda.js'
import { canonicalJson } from '../evidence/canonical-json.js'
import { closingFields, type SealedClient, sealedClientFields, sealedFields } from '../evidence/closing-fields.js'
import { type AddendumSeal, filesNamed } from '../evidence/evidence.js'
import { type HistoryHead, saltedDigest } from '../evidence/history-chain.js'
import { visitSeal } from '../evidence/visit-digests.js'
import type { HeldFile } from '../files/file-store.js'
import { picked } from '../values/picked.js'
import type { ClosedCase, Intervention } from './case.js'

/** The data of a snapshot beside the case itself. */
export interface SnapshotContext {
  readonly account: Account
  readonly client: Pick<Client, 'lieu'> & Partial<Pick<Client, keyof SealedClient>>
  /** The head of the case's history, including this close. */
  readonly historique: HistoryHead
  /** The files that the case holds. Files that the close does not name are ignored. */
  readonly held: readonly HeldFile[]
  readonly interventions: readonly Intervention[]
  /** Closes that arrived from a phone after the case was closed. */
  readonly addenda: readonly Addendum[]
}

/**
 * The canonical JSON of a closed case: only integers and strings, without absent fields, so that any JSON tool in any
 * language writes the same bytes. It names files by their SHA-256, and internal notes by a salted digest.
 */
export function snapshotOf(closed: ClosedCase, context: SnapshotContext): string {
  const { account, client, historique, held, interventions } = context
  const addenda = context.addenda.map(addendumSeal)
  const { notes_internes, sel_notes } = closed
  const named = new Set(filesNamed({ ...closed, addenda }))
  return canonicalJson({
    version: 1,
    account: closed.account_id,
    societe: {
      raison_sociale: account.raison_sociale,
      adresse: account.adresse,
      siret: account.siret,
      email: account.email,
      telephone: account.telephone,
      assureur: account.assureur,
      mediateur: account.mediateur,
      logo: account.logo,
    },
    ...picked(closed, [...sealedFields, ...closingFields]),
    client: {
      ...picked(client, sealedClientFields),
      ...closed.client,
      adresse: client.adresse ?? (client.lieu && placeLine(client.lieu)),
    },
    poseur_assigne: closed.poseur_assigne,
    photos: closed.photos,
    addenda: addenda.length === 0 ? null : addenda,
    historique,
    notes_internes: notes_internes === null || sel_notes === null ? null : saltedDigest(sel_notes, notes_internes),
    fichiers: held
      .filter(({ sha256 }) => named.has(sha256))
      .map(({ sha256, media_type }) => ({ sha256, media_type }))
      .toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1)),
    interventions: interventions.map(visitSeal),
  })
}

const addendumSeal = (addendum: Addendum): AddendumSeal => {
  const { date, survenu_a, resolution, signataire_nom, reserves } = addendum
  return { date, survenu_a, resolution, signataire_nom, reserves, fichiers: filesOfAddendum(addendum) }
}
