import { caseFields, everyItem, picked, type Reads } from '@sav/core/feature'
import type { Client, StoredFile } from '@sav/core/ports'
import { planningStore, takesPlace } from '@sav/planning/feature'
import type { ImportType } from './import-store.js'
import { exportedBy } from './keys.js'

/** A row in the form of an import. */
export type ExportedRow = Readonly<Record<string, unknown>>

/** A file that a row names. */
export interface ExportedFile {
  /** The name in the row: the SHA-256 of its content, with an extension. */
  readonly name: string
  read(): Promise<StoredFile | null>
}

/** The data for another system, or for the person concerned: the rows of an import, with more about a close. */
export interface Exports {
  /**
   * The rows of an account, or of one of its clients, by id, without erased clients.
   * @param folder put before the names of files
   */
  rows(
    account_id: string,
    type: ImportType,
    of: { readonly client_id?: number | undefined; readonly folder: string },
  ): AsyncGenerator<{ readonly row: ExportedRow; readonly files: readonly ExportedFile[] }>
}

export function exportQueries({ reads }: { readonly reads: Reads }): Exports {
  return {
    async *rows(account_id, type, { client_id, folder }) {
      const account = await reads.accounts.find(account_id)
      const idOf: IdOf = (id) => `${account === null ? '' : exportedBy(account)}${id}`
      if (type === 'clients')
        for await (const client of clientsOf(reads, account_id, client_id)) yield clientRow(client, idOf)
      else if (type === 'poseurs') {
        if (client_id === undefined) yield* poseurRows(reads, account_id, idOf)
      } else
        for await (const client of clientsOf(reads, account_id, client_id))
          yield* type === 'cases'
            ? caseRows(reads, client, { account_id, folder, idOf })
            : visitRows(reads, client, { account_id, idOf })
    },
  }
}

/** The id of a record in the export. */
type IdOf = (id: number) => string

async function* clientsOf(reads: Reads, account_id: string, client_id?: number): AsyncGenerator<Client> {
  if (client_id !== undefined) {
    const client = await reads.directory.findClient(account_id, client_id)
    if (client !== null) yield client
    return
  }
  for await (const client of everyItem((page) => reads.directory.listClients(account_id, page)))
    if (client.efface_le === null) yield client
}

function clientRow({ id, whatsapp_depuis, lieu, efface_le: _, ...client }: Client, idOf: IdOf) {
  const { ligne1 = null, code_postal = null, ville = null, lat = null, lon = null, acces = null } = lieu ?? {}
  const place = { ligne1, code_postal, ville, lat, lon, acces }
  return {
    row: { id_externe: idOf(id), ...client, ...place, whatsapp: whatsapp_depuis === null ? 'non' : 'oui' },
    files: [],
  }
}

async function* poseurRows(reads: Reads, account_id: string, idOf: IdOf) {
  const poseurs = everyItem((page) => reads.directory.listPoseurs(account_id, page))
  for await (const { id, nom, email, couleur, inactif_depuis } of poseurs)
    yield {
      row: { id_externe: idOf(id), nom, email, couleur, actif: inactif_depuis === null ? 'oui' : 'non' },
      files: [],
    }
}

const endings: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
}

async function* caseRows(
  reads: Reads,
  client: Client,
  { account_id, folder, idOf }: { readonly account_id: string; readonly folder: string; readonly idOf: IdOf },
) {
  for (const { id } of await reads.cases.ofClient(account_id, client.id)) {
    const found = await reads.cases.find(account_id, id)
    if (found === null) continue
    const history = await reads.cases.history(account_id, id)
    const types = new Map((await reads.files.ofCase(account_id, id)).map((file) => [file.sha256, file.media_type]))
    const files = new Map<string, ExportedFile>()
    const named = (sha256: string | null) => {
      const ending = sha256 === null ? undefined : endings[types.get(sha256) ?? '']
      if (sha256 === null || ending === undefined) return null
      const name = `${sha256}.${ending}`
      files.set(name, { name, read: () => reads.files.find(account_id, id, sha256) })
      return `${folder}${name}`
    }
    const closing = found.statut === 'clos' ? found : null
    const row = {
      id_externe: idOf(id),
      reference_origine: found.reference_origine ?? found.reference,
      client_id_externe: idOf(client.id),
      description: found.description,
      ...picked(found, caseFields),
      statut: found.statut,
      date_creation: found.date_creation,
      date_cloture: closing?.date_cloture ?? null,
      resolution: closing?.resolution ?? null,
      poseur: found.poseur_assigne?.nom ?? null,
      photos: found.photos
        .map((photo) => ('url' in photo ? photo.url : named(photo.sha256)))
        .filter((name) => name !== null),
      photo_avant: named(closing?.photo_avant ?? null),
      photo_apres: named(closing?.photo_apres ?? null),
      signature_client: named(closing?.signature_client ?? null),
      signataire_nom: closing?.signataire_nom ?? null,
      reserves: closing?.reserves ?? [],
      commentaires: history
        .filter(({ type }) => type === 'commentaire')
        .map(({ date, acteur, commentaire }) => ({ date, auteur: acteur.nom, texte: commentaire ?? '' })),
    }
    yield { row, files: [...files.values()] }
  }
}

async function* visitRows(
  reads: Reads,
  client: Client,
  { account_id, idOf }: { readonly account_id: string; readonly idOf: IdOf },
) {
  for (const rdv of await reads.of(planningStore).ofClient(account_id, client.id)) {
    if (!takesPlace(rdv)) continue
    const dossier = rdv.sav && (await reads.cases.find(account_id, rdv.sav.id))
    const { id, poseur, debut, fin, type, notes, bilan } = rdv
    yield {
      row: {
        id_externe: idOf(id),
        client_id_externe: idOf(client.id),
        reference_origine: dossier && (dossier.reference_origine ?? dossier.reference),
        ...{ poseur: poseur.nom, debut, fin, type, notes: notes ?? bilan?.compte_rendu ?? null },
      },
      files: [],
    }
  }
}
