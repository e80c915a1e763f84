/** Complete, valid records. A test gives only the fields that matter to it. */

import type { EvidenceEntry } from '@sav/core'
import {
  addPoseurInput,
  type CaseClose,
  type ChainedHistoryEntry,
  type ClientFields,
  type PoseurFields,
  toInstant,
  unknownClient,
  usualCaseFields,
} from '@sav/core/feature'
import type {
  Account,
  ApiKeyRecord,
  CaseChanges,
  EndpointRecord,
  NewCase,
  SavCase,
  Storage,
  StoredFile,
  Transaction,
} from '@sav/core/ports'

/** An account with a client and an installer. */
export interface Owner {
  readonly account_id: string
  readonly client_id: number
  readonly poseur_id: number
}

const start = Date.UTC(2026, 0, 15, 10, 30)

/** The instant `ms` milliseconds after 2026-01-15T10:30:00.000Z. */
export function instant(ms = 0): string {
  return toInstant(start + ms)
}

/** The value, which must exist. @throws Error if it is not */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('The store answered with nothing.')
  return value
}

/** Waits for the end of a write that a store may either ignore or refuse. */
export async function ended(promise: Promise<unknown>): Promise<void> {
  await promise.catch(() => undefined)
}

/** A SHA-256. @param number the same number gives the same hash */
export function digest(number: number): string {
  return number.toString(16).padStart(64, '0')
}

export function account(id: string, fields: Partial<Account> = {}): Account {
  return {
    id,
    raison_sociale: null,
    adresse: null,
    siret: null,
    email: null,
    telephone: null,
    assureur: null,
    mediateur: null,
    logo: null,
    couleur: '#17507a',
    signature_requise_depuis: null,
    confirmation_rdv_depuis: null,
    rappel_rdv_depuis: null,
    prevenir_bureau_depuis: null,
    lieu: null,
    zone_feries: 'FR',
    fuseau: null,
    pas: 15,
    nom_expediteur: null,
    repondre_a: null,
    url_publique: null,
    textes_terrain: [],
    dossiers_par_mois: null,
    stockage_octets: null,
    desactive_le: null,
    created_at: instant(),
    ...fields,
  }
}

/** The fields of a new client. */
export function client(fields: Partial<ClientFields> = {}): ClientFields {
  return {
    ...unknownClient,
    nom: 'Durand',
    prenom: 'Alice',
    efface_le: null,
    ...fields,
  }
}

const { actif: _, ...poseurFields } = addPoseurInput().parse({ nom: 'Bruno Petit' })

/** The fields of a new installer. */
export function poseur(fields: Partial<PoseurFields> = {}): PoseurFields {
  return {
    ...poseurFields,
    inactif_depuis: null,
    ...fields,
  }
}

/** An account with a client and an installer. */
export async function addOwner(storage: Storage, account_id: string): Promise<Owner> {
  return storage.transaction(async (tx) => {
    await tx.accounts.add(account(account_id))
    const client_id = await tx.directory.addClient(account_id, client({ nom: `Client de ${account_id}` }))
    const poseur_id = await tx.directory.addPoseur(account_id, poseur({ nom: `Poseur de ${account_id}` }))
    return { account_id, client_id, poseur_id }
  })
}

/** Two accounts, each with a client and an installer. */
export async function twoOwners(storage: Storage): Promise<{ ours: Owner; theirs: Owner }> {
  return { ours: await addOwner(storage, 'ours'), theirs: await addOwner(storage, 'theirs') }
}

const { notes_internes: __, ...caseFields } = usualCaseFields

export function newCase(owner: Owner, fields: Partial<NewCase> = {}): NewCase {
  return {
    account_id: owner.account_id,
    annee: 2026,
    numero: 1,
    client_id: owner.client_id,
    description: 'La porte du meuble bas ne ferme plus.',
    ...caseFields,
    photos: [],
    date_creation: instant(),
    tete_historique: { numero: 1, hash: digest(1) },
    ...fields,
  }
}

/** Inserts a case under the next number of its year. */
export async function insertCase(tx: Transaction, owner: Owner, fields: Partial<NewCase> = {}): Promise<SavCase> {
  const numero = await tx.cases.nextNumber(owner.account_id, fields.annee ?? 2026)
  const id = await tx.cases.insert(newCase(owner, { numero, ...fields }))
  return present(await tx.cases.find(owner.account_id, id))
}

/** Adds a case of the owner's client. */
export async function addCase(storage: Storage, owner: Owner, fields: Partial<NewCase> = {}): Promise<SavCase> {
  return storage.transaction((tx) => insertCase(tx, owner, fields))
}

/** Changes a case as the core does: locked, with the next version. */
export async function changeCase(
  storage: Storage,
  { account_id, id }: Pick<SavCase, 'account_id' | 'id'>,
  changes: Partial<CaseChanges>,
): Promise<SavCase> {
  return storage.transaction(async (tx) => {
    const found = present(await tx.cases.lock(account_id, id))
    await tx.cases.update(found, { date_modification: instant(1), version: found.version + 1, ...changes })
    return present(await tx.cases.find(account_id, id))
  })
}

/** The fields of a close. */
export function closing(fields: Partial<CaseClose> = {}): CaseClose {
  return {
    date_cloture: instant(1),
    resolution: 'Charnière remplacée et porte réglée.',
    photo_avant: null,
    photo_apres: null,
    signature_client: null,
    signataire_nom: null,
    reserves: [],
    survenu_a: null,
    decalage_ms: null,
    vu: null,
    ...fields,
  }
}

let lines = 0

/** A line with a distinct number. Its chain is not valid, since stores do not check it. */
export function historyEntry(fields: Partial<ChainedHistoryEntry> = {}): ChainedHistoryEntry {
  lines += 1
  return {
    date: instant(),
    type: 'modification',
    acteur: { type: 'cli', id: null, nom: 'atelier' },
    champ: null,
    ancienne_valeur: null,
    nouvelle_valeur: null,
    commentaire: null,
    numero: lines,
    hash: digest(1),
    sel: null,
    empreintes: null,
    ...fields,
  }
}

export function file(content: Uint8Array, fields: Partial<StoredFile> = {}): StoredFile {
  return { sha256: digest(content.length), media_type: 'image/jpeg', content, ...fields }
}

/** The entry `sequence` of a chain. Its hashes are not computed, since stores do not check them. */
export function evidence(from: SavCase, sequence: number, fields: Partial<EvidenceEntry> = {}): EvidenceEntry {
  return {
    version: 1,
    account: from.account_id,
    sequence,
    case_id: from.id,
    reference: from.reference,
    date: instant(sequence),
    hash_dossier: digest(1000 + sequence),
    hash_precedent: sequence === 1 ? digest(0) : digest(sequence - 1),
    hash_entree: digest(sequence),
    ...fields,
  }
}

export function apiKey(account_id: string, id: string, fields: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
  return {
    id,
    account_id,
    nom: 'caisse',
    hash: `hash of ${id}`,
    permissions: ['sav:read'],
    ips: [],
    created_at: instant(),
    expires_at: instant(365 * 86_400_000),
    revoked_at: null,
    last_used_at: null,
    successor_id: null,
    ...fields,
  }
}

export function endpoint(account_id: string, id: string, fields: Partial<EndpointRecord> = {}): EndpointRecord {
  return {
    id,
    account_id,
    url: 'https://receiver.example/hooks',
    description: null,
    events: ['sav.created'],
    sealed_secret: 'sealed',
    previous_secrets: [],
    sealed_headers: null,
    disabled_at: null,
    disabled_reason: null,
    removed_at: null,
    failing_since: null,
    failures: null,
    created_at: instant(),
    updated_at: instant(),
    ...fields,
  }
}

export async function addEndpoint(
  storage: Storage,
  account_id: string,
  id: string,
  fields: Partial<EndpointRecord> = {},
): Promise<EndpointRecord> {
  const record = endpoint(account_id, id, fields)
  await storage.transaction((tx) => tx.endpoints.add(record))
  return record
}

/** One event with one delivery: `dlv_<name>` of `evt_<name>`. */
export interface DeliverySample {
  readonly account_id: string
  readonly name: string
  readonly target: string
  readonly channel?: string
  readonly event?: string
  readonly body?: string
  readonly created_at?: string
  readonly traceparent?: string
}

/** Resolves to the delivery's id. */
export async function enqueue(tx: Transaction, { account_id, name, target, ...rest }: DeliverySample): Promise<string> {
  const { channel = 'webhook', event = 'sav.created', body = `{"name":"${name}"}` } = rest
  const { created_at = instant(), traceparent } = rest
  const id = `dlv_${name}`
  await tx.outbox.add({
    id: `evt_${name}`,
    account_id,
    event,
    body,
    created_at,
    ...(traceparent !== undefined && { traceparent }),
    deliveries: [{ id, channel, target }],
  })
  return id
}

export async function addDelivery(storage: Storage, enqueued: DeliverySample): Promise<string> {
  return storage.transaction((tx) => enqueue(tx, enqueued))
}
