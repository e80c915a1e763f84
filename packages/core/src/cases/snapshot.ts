import type { Account, Client } from '../directory/directory.js'
import { canonicalJson } from '../evidence/evidence.js'
import type { ClosedCase } from './case.js'

/**
 * The canonical JSON of a closed case: integers and strings only, absent fields left out, so that any JSON tool in any
 * language writes the same bytes. Files stand in it by their SHA-256.
 */
export function snapshotOf(closed: ClosedCase, account: Account, client: Pick<Client, 'adresse'>): string {
  return canonicalJson({
    version: 1,
    account: closed.account_id,
    societe: {
      raison_sociale: account.raison_sociale,
      adresse: account.adresse,
      siret: account.siret,
      email: account.email,
      assureur: account.assureur,
      mediateur: account.mediateur,
      logo: account.logo,
    },
    id: closed.id,
    reference: closed.reference,
    client: { ...closed.client, adresse: client.adresse },
    description: closed.description,
    type_probleme: closed.type_probleme,
    priorite: closed.priorite,
    statut: closed.statut,
    date_creation: closed.date_creation,
    poseur_assigne: closed.poseur_assigne,
    photos: closed.photos,
    date_cloture: closed.date_cloture,
    resolution: closed.resolution,
    photo_avant: closed.photo_avant,
    photo_apres: closed.photo_apres,
    signature_client: closed.signature_client,
    signataire_nom: closed.signataire_nom,
    reserves: closed.reserves,
  })
}
