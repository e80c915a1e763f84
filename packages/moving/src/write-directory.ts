import { ConflictError, type FieldProblem, type Lieu } from '@sav/core'
import { type ClientFields, lockCasesOf, nowhere, said } from '@sav/core/feature'
import type { Changes, Client, Poseur, Transaction } from '@sav/core/ports'
import { refuseWhileBooked } from '@sav/planning/feature'
import { importStore } from './import-store.js'
import { fieldProblem } from './refusals.js'
import {
  differing,
  poseursByName,
  type RowChange,
  type RowRecord,
  type RowResults,
  type WriteContext,
} from './row-changes.js'
import type { Row } from './rows.js'

/** Writes clients and poseurs of an import. An existing one keeps the fields that the row omits. */
export async function writeClients(
  rows: readonly RowChange<'clients'>[],
  { tx, actor, at }: WriteContext,
): Promise<RowResults> {
  const { account_id } = actor
  const noted: RowRecord[] = []
  const refused = new Map<number, readonly FieldProblem[]>()
  for (const { id } of rows) if (id !== null) await lockCasesOf(tx, { account_id, client_id: id })
  const added = rows.filter(({ id }) => id === null)
  const fields = added.map(({ row }) => newClient(row, at))
  const ids = await tx.of(importStore).addClients(account_id, fields)
  for (const [index, id] of ids.entries()) noted.push({ place: added[index]?.place ?? 0, id, changed: true })
  for (const { place, row, id } of rows) {
    if (id === null) continue
    const before = await tx.directory.findClient(account_id, id)
    if (before === null || before.efface_le !== null) {
      refused.set(place, [fieldProblem('id_externe', 'import_erased')])
      continue
    }
    const changes = changesOf(before, row)
    const changed = differing(before, changes).length > 0
    if (changed) await tx.directory.updateClient(account_id, id, changes)
    const consents = row.whatsapp !== null && row.whatsapp !== (before.whatsapp_depuis === null ? 'non' : 'oui')
    noted.push({ place, id, changed, kept: consents ? [fieldProblem('whatsapp', 'import_kept')] : [] })
  }
  return { noted, refused }
}

export async function writePoseurs(
  rows: readonly RowChange<'poseurs'>[],
  { tx, actor, at }: WriteContext,
): Promise<RowResults> {
  const { account_id } = actor
  const noted: RowRecord[] = []
  const refused = new Map<number, readonly FieldProblem[]>()
  const poseurs = await poseursByName({ tx, actor })
  const taken = new Set<number>()
  for (const { place, row, id: known } of rows) {
    const { nom, email, couleur, actif } = row
    // A poseur with the same name, for example from an earlier case, is the same person.
    const named = known ?? poseurs.find(nom)?.id ?? null
    const id = named !== null && !taken.has(named) ? named : known
    const inactif_depuis = actif === 'non' ? at : null
    const before = id === null ? null : await tx.directory.findPoseur(account_id, id)
    const leaves = inactif_depuis !== null && before !== null && before.inactif_depuis === null
    const booked = leaves ? await stillBooked(tx, account_id, before, at) : null
    if (booked !== null) {
      refused.set(place, [booked])
      continue
    }
    const changes = { ...said({ nom, email, couleur }), ...(leaves && { inactif_depuis }) }
    const changed = before === null || differing(before, changes).length > 0
    if (id !== null && changed) await tx.directory.updatePoseur(account_id, id, changes)
    const poseur = { nom, email, couleur, inactif_depuis, lieu: null, lieu_retour: null }
    const written = id ?? (await tx.directory.addPoseur(account_id, poseur))
    taken.add(written)
    const returns = actif === 'oui' && before !== null && before.inactif_depuis !== null
    noted.push({ place, id: written, changed, kept: returns ? [fieldProblem('actif', 'import_kept')] : [] })
  }
  return { noted, refused }
}

/** Why an installer stays active: appointments in the future must be reassigned first. */
async function stillBooked(
  tx: Transaction,
  account_id: string,
  poseur: Poseur,
  at: string,
): Promise<FieldProblem | null> {
  try {
    await refuseWhileBooked(tx, account_id, poseur, at)
    return null
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
    const { code, params, message } = error
    return { field: 'actif', code, params, message }
  }
}

/** The client and the place in a row. */
function partsOf({
  id_externe: _,
  whatsapp: __,
  ligne1,
  code_postal,
  ville,
  acces,
  lat,
  lon,
  ...person
}: Row<'clients'>) {
  return { person, place: { ligne1, code_postal, ville, acces, lat, lon } }
}

/** A name without a first name is that of a company, as in most systems. */
export function newClient(row: Row<'clients'>, at: string): ClientFields {
  const { person, place } = partsOf(row)
  const prenom = person.prenom ?? ''
  return {
    ...person,
    prenom,
    raison_sociale: person.raison_sociale ?? (prenom === '' ? person.nom : null),
    lieu: lieuOf(null, place),
    whatsapp_depuis: row.whatsapp === 'oui' ? at : null,
    efface_le: null,
  }
}

/**
 * The fields of an existing client that a row changes. Consent is the client's decision, and no later row changes it.
 */
function changesOf(before: Client, row: Row<'clients'>): Changes<ClientFields> {
  const { person, place } = partsOf(row)
  const wasCompany = before.raison_sociale === before.nom && before.prenom === ''
  return {
    ...said({ ...person, prenom: person.prenom || null }),
    ...(wasCompany && person.raison_sociale === null && { raison_sociale: person.prenom ? null : person.nom }),
    lieu: lieuOf(before.lieu, place),
  }
}

/** A new address invalidates the coordinates. */
function lieuOf(
  before: Lieu | null,
  { ligne1, code_postal, ville, acces, lat, lon }: Pick<Row<'clients'>, keyof Lieu>,
): Lieu | null {
  const address = said({ ligne1, code_postal, ville })
  const words = { ...address, ...said({ acces }) }
  if (before === null && Object.keys(words).length === 0) return null
  const was = before ?? nowhere
  const moves = Object.entries(address).some(([part, value]) => was[part as keyof Lieu] !== value)
  return { ...was, ...(moves && { lat: null, lon: null }), ...words, ...(lat !== null && lon !== null && { lat, lon }) }
}
