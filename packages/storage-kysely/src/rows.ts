import type {
  ApiKeyRecord,
  AttemptRecord,
  CaseSummary,
  ChainedHistoryEntry,
  Closing,
  EndpointRecord,
  EvidenceEntry,
  HistoryEntry,
  Lieu,
  NewHistoryEntry,
  Passkey,
  Poseur,
  PoseurFields,
  ReplayJob,
  SavCase,
} from '@sav/core/ports'
import { formatReference } from '@sav/core/ports'
import type { Selectable } from 'kysely'
import type {
  ApiKeyTable,
  AttemptTable,
  CaseHistoryTable,
  CaseTable,
  EvidenceEntryTable,
  PasskeyTable,
  PoseurTable,
  ReplayJobTable,
  WebhookEndpointTable,
} from './schema.js'

/**
 * The one place where rows become what the core speaks of. Tables that are not here have rows of exactly that shape.
 */

/** What a database driver returns, taken as what the query's type says it selects. */
export function asSelected<R>(rows: unknown[]): R[] {
  return rows as R[]
}

export function parsed<T>(json: string): T {
  return JSON.parse(json) as T
}

/** The keys of an object that has no others than its type says. */
export function keysOf<K extends string>(object: Readonly<Record<K, unknown>>): K[] {
  return Object.keys(object) as K[]
}

/** `current` with what `changes` replaces. */
export function changed<T extends object>(
  current: T,
  changes: { readonly [field in keyof T]?: T[field] | undefined },
): T {
  const present = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...current, ...Object.fromEntries(present) }
}

export function fromApiKey({ permissions, ips, ...key }: ApiKeyRecord): Selectable<ApiKeyTable> {
  return { ...key, permissions: JSON.stringify(permissions), ips: JSON.stringify(ips) }
}

export function toApiKey(row: Selectable<ApiKeyTable>): ApiKeyRecord {
  return { ...row, permissions: parsed(row.permissions), ips: parsed(row.ips) }
}

export function fromPasskey({ transports, ...passkey }: Passkey): PasskeyTable {
  return { ...passkey, transports: JSON.stringify(transports) }
}

export function toPasskey({ transports, ...row }: PasskeyTable): Passkey {
  return { ...row, transports: parsed(transports) }
}

export const fromLieu = (lieu: Lieu | null): string | null => lieu && JSON.stringify(lieu)

export const toLieu = (json: string | null): Lieu | null => (json === null ? null : parsed<Lieu>(json))

/** Of an account and of a client. */
export function withLieu<R extends { readonly lieu: string | null }>({ lieu, ...row }: R) {
  return { ...row, lieu: toLieu(lieu) }
}

export function toPoseur({ lieu, lieu_retour, ...row }: Omit<Selectable<PoseurTable>, 'account_id'>): Poseur {
  return { ...row, lieu: toLieu(lieu), lieu_retour: toLieu(lieu_retour) }
}

export function fromPoseur({ lieu, lieu_retour, ...poseur }: PoseurFields) {
  return { ...poseur, lieu: fromLieu(lieu), lieu_retour: fromLieu(lieu_retour) }
}

interface NamesOfCase {
  readonly client_nom: string
  readonly client_prenom: string
  /** Null where no poseur is assigned. */
  readonly poseur_nom: string | null
}

export type SummaryRow = NamesOfCase &
  Pick<
    Selectable<CaseTable>,
    'id' | 'annee' | 'numero' | 'client_id' | 'poseur_id' | 'description' | 'statut' | 'priorite' | 'date_creation'
  >

export type CaseRow = NamesOfCase & Omit<Selectable<CaseTable>, 'recherche' | 'recherche_client'>

export function toSummary(row: SummaryRow): CaseSummary {
  return {
    id: row.id,
    reference: formatReference(row),
    client: { id: row.client_id, nom: row.client_nom, prenom: row.client_prenom },
    description: row.description,
    statut: row.statut,
    priorite: row.priorite,
    date_creation: row.date_creation,
    poseur_assigne: toPoseurAssigne(row),
  }
}

function toPoseurAssigne({ poseur_id, poseur_nom }: Pick<SummaryRow, 'poseur_id' | 'poseur_nom'>) {
  // Somebody who is not there is no nobody: evidence would not see that the case names another one.
  return poseur_id === null ? null : { id: poseur_id, nom: poseur_nom ?? '' }
}

export function toCase(row: CaseRow): SavCase {
  const fields = {
    ...toSummary(row),
    account_id: row.account_id,
    type_probleme: row.type_probleme,
    photos: parsed<SavCase['photos']>(row.photos),
    notes_internes: row.notes_internes,
    sel_notes: row.sel_notes,
    tete_historique: toHead(row),
    date_modification: row.date_modification,
    version: row.version,
  }
  const { statut } = row
  return statut === 'clos' ? { ...fields, statut, ...toClosing(row) } : { ...fields, statut }
}

type HeadRow = Pick<Selectable<CaseTable>, 'historique_numero' | 'historique_hash'>

function toHead({ historique_numero: numero, historique_hash: hash }: HeadRow): SavCase['tete_historique'] {
  return numero === null || hash === null ? null : { numero, hash }
}

export function fromHead(head: SavCase['tete_historique']): HeadRow {
  return { historique_numero: head?.numero ?? null, historique_hash: head?.hash ?? null }
}

type ClosingRow = Pick<
  Selectable<CaseTable>,
  'date_cloture' | 'resolution' | 'photo_avant' | 'photo_apres' | 'signature_client' | 'signataire_nom' | 'reserves'
>

function toClosing(row: ClosingRow): Closing {
  return {
    // A closed case has all of a closing: both are written by the same change.
    date_cloture: row.date_cloture as string,
    resolution: row.resolution as string,
    photo_avant: row.photo_avant,
    photo_apres: row.photo_apres,
    signature_client: row.signature_client,
    signataire_nom: row.signataire_nom,
    reserves: parsed(row.reserves as string),
  }
}

const notClosed: ClosingRow = {
  date_cloture: null,
  resolution: null,
  photo_avant: null,
  photo_apres: null,
  signature_client: null,
  signataire_nom: null,
  reserves: null,
}

export function fromClosing(closing: Closing | null): ClosingRow {
  if (closing === null) return notClosed
  const { date_cloture, resolution, photo_avant, photo_apres, signature_client, signataire_nom } = closing
  const reserves = JSON.stringify(closing.reserves)
  return { date_cloture, resolution, photo_avant, photo_apres, signature_client, signataire_nom, reserves }
}

type HistoryRow = Omit<Selectable<CaseHistoryTable>, 'account_id' | 'case_id'>
type PlaceColumn = 'numero' | 'hash' | 'sel' | 'empreintes'

export function toHistoryEntry(row: Omit<HistoryRow, PlaceColumn>): HistoryEntry {
  return { id: row.id, ...toHistoryLine(row) }
}

function toHistoryLine(row: Omit<HistoryRow, PlaceColumn | 'id'>): NewHistoryEntry {
  return {
    date: row.date,
    type: row.type,
    acteur: { type: row.acteur_type, id: row.acteur_id, nom: row.acteur_nom },
    champ: row.champ,
    ancienne_valeur: parsed(row.ancienne_valeur),
    nouvelle_valeur: parsed(row.nouvelle_valeur),
    commentaire: row.commentaire,
  }
}

export function toChainedEntry({ numero, hash, sel, empreintes, ...row }: Omit<HistoryRow, 'id'>): ChainedHistoryEntry {
  return { ...toHistoryLine(row), numero, hash, sel, empreintes: empreintes === null ? null : parsed(empreintes) }
}

export function fromHistoryEntry(entry: ChainedHistoryEntry): Omit<HistoryRow, 'id'> {
  return {
    date: entry.date,
    type: entry.type,
    acteur_type: entry.acteur.type,
    acteur_id: entry.acteur.id,
    acteur_nom: entry.acteur.nom,
    champ: entry.champ,
    ancienne_valeur: JSON.stringify(entry.ancienne_valeur),
    nouvelle_valeur: JSON.stringify(entry.nouvelle_valeur),
    commentaire: entry.commentaire,
    numero: entry.numero,
    hash: entry.hash,
    sel: entry.sel,
    empreintes: entry.empreintes === null ? null : JSON.stringify(entry.empreintes),
  }
}

export function toEvidenceEntry({ account_id, ...row }: Selectable<EvidenceEntryTable>): EvidenceEntry {
  return { ...row, account: account_id }
}

export function fromEndpoint({
  events,
  previous_secrets,
  ...endpoint
}: EndpointRecord): Selectable<WebhookEndpointTable> {
  return { ...endpoint, events: JSON.stringify(events), previous_secrets: JSON.stringify(previous_secrets) }
}

export function toEndpoint(row: Selectable<WebhookEndpointTable>): EndpointRecord {
  return { ...row, events: parsed(row.events), previous_secrets: parsed(row.previous_secrets) }
}

export function toAttempt(row: Omit<Selectable<AttemptTable>, 'account_id' | 'delivery_id'>): AttemptRecord {
  return { ...row, response_headers: row.response_headers === null ? null : parsed(row.response_headers) }
}

export function fromAttempt(account_id: string, delivery_id: string, attempt: AttemptRecord): Selectable<AttemptTable> {
  const { response_headers } = attempt
  return {
    account_id,
    delivery_id,
    ...attempt,
    response_headers: response_headers && JSON.stringify(response_headers),
  }
}

export function fromReplay({ filter, position, ...job }: ReplayJob): Selectable<ReplayJobTable> {
  return { ...job, filter: JSON.stringify(filter), position: JSON.stringify(position) }
}

export function toReplay(row: Selectable<ReplayJobTable>): ReplayJob {
  // One that an earlier release began names nothing of letters, and leaves none out.
  const filter = { letters: true, ...parsed<Omit<ReplayJob['filter'], 'letters'>>(row.filter) }
  return { ...row, filter, position: parsed(row.position) }
}
