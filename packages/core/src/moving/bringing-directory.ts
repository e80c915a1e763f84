import type { ClientFields } from '../directory/directory.js'
import { nowhere } from '../directory/lieu.js'
import type { Bringing, Brought, Way } from './bringing.js'
import type { Row } from './rows.js'

/** Clients and poseurs of an import, as they are written. */
export async function bringClients(rows: readonly Bringing<'clients'>[], { tx, actor, at }: Way): Promise<Brought> {
  const noted: { place: number; id: number }[] = []
  for (const { place, row, id } of rows) {
    const client = clientOf(row, at)
    if (id === null) noted.push({ place, id: await tx.directory.addClient(actor.account_id, client) })
    else {
      const { whatsapp_depuis, efface_le: _, ...fields } = client
      const before = await tx.directory.findClient(actor.account_id, id)
      const since = whatsapp_depuis === null ? null : (before?.whatsapp_depuis ?? whatsapp_depuis)
      await tx.directory.updateClient(actor.account_id, id, { ...fields, whatsapp_depuis: since })
      noted.push({ place, id })
    }
  }
  return { noted, refused: new Map() }
}

export async function bringPoseurs(rows: readonly Bringing<'poseurs'>[], { tx, actor, at }: Way): Promise<Brought> {
  const noted: { place: number; id: number }[] = []
  for (const { place, row, id } of rows) {
    const { nom, email, couleur, actif } = row
    const inactif_depuis = actif === 'non' ? at : null
    // That somebody can be sent no more, planning must say: his visits to come are to be given to others.
    if (id !== null) await tx.directory.updatePoseur(actor.account_id, id, { nom, email, couleur })
    const poseur = { nom, email, couleur, inactif_depuis, lieu: null, lieu_retour: null }
    noted.push({ place, id: id ?? (await tx.directory.addPoseur(actor.account_id, poseur)) })
  }
  return { noted, refused: new Map() }
}

function clientOf(row: Row<'clients'>, at: string): ClientFields {
  const {
    nom,
    prenom,
    raison_sociale,
    email,
    telephone,
    adresse,
    ligne1,
    code_postal,
    ville,
    lat,
    lon,
    acces,
    whatsapp,
  } = row
  const placed = [ligne1, code_postal, ville, acces].some((part) => part !== null)
  return {
    ...{ nom, prenom, raison_sociale, email, telephone, adresse },
    lieu: placed
      ? { ...nowhere, ligne1, code_postal, ville, acces, ...(lat !== null && lon !== null && { lat, lon }) }
      : null,
    whatsapp_depuis: whatsapp === 'oui' ? at : null,
    efface_le: null,
  }
}
