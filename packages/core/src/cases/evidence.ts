import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Account } from '../directory/directory.js'
import type { ClosedCase } from './case.js'

/**
 * One link of an account's evidence chain.
 * `hash_entree` = SHA-256 of the RFC 8785 canonical JSON of `{version, account, sequence, reference, date, hash_dossier, hash_precedent}`.
 */
export interface EvidenceEntry {
  readonly version: 1
  readonly account: string
  /** 1, 2, 3 … within the account, without a gap. */
  readonly sequence: number
  readonly case_id: number
  readonly reference: string
  readonly date: string
  /** SHA-256 of the snapshot's canonical JSON. */
  readonly hash_dossier: string
  /** `hash_entree` of the entry before; 64 zeros for the first. */
  readonly hash_precedent: string
  readonly hash_entree: string
}

const beforeTheFirst = '0'.repeat(64)

/**
 * The canonical JSON of a closed case: integers and strings only, absent fields left out, so that any JSON tool in any
 * language writes the same bytes. Files stand in it by their SHA-256.
 */
export function snapshotOf(closed: ClosedCase, account: Account): string {
  return canonicalJson({
    version: 1,
    account: closed.account_id,
    societe: {
      raison_sociale: account.raison_sociale,
      adresse: account.adresse,
      siret: account.siret,
      email: account.email,
    },
    id: closed.id,
    reference: closed.reference,
    client: closed.client,
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

/** The entry that follows `head` in the account's chain (null: the first one). */
export function nextEntry(head: EvidenceEntry | null, closed: ClosedCase, snapshot: string): EvidenceEntry {
  const link = {
    version: 1,
    account: closed.account_id,
    sequence: (head?.sequence ?? 0) + 1,
    reference: closed.reference,
    date: closed.date_cloture,
    hash_dossier: sha256(snapshot),
    hash_precedent: head?.hash_entree ?? beforeTheFirst,
  } as const
  return { ...link, case_id: closed.id, hash_entree: sha256(canonicalJson(link)) }
}

/**
 * What is wrong with an entry, given the one before it in the chain and its snapshot: one sentence a fault, none when
 * it stands.
 */
export function faultsOf(entry: EvidenceEntry, previous: EvidenceEntry | null, snapshot: string | null): string[] {
  const { case_id, hash_entree, ...link } = entry
  const faults: string[] = []
  if (entry.sequence !== (previous?.sequence ?? 0) + 1)
    faults.push(`sequence ${entry.sequence} follows ${previous?.sequence ?? 0}: entries are missing`)
  if (entry.hash_precedent !== (previous?.hash_entree ?? beforeTheFirst))
    faults.push('hash_precedent is not the hash_entree of the entry before')
  if (hash_entree !== sha256(canonicalJson(link))) faults.push('hash_entree does not match the entry')
  if (snapshot === null) faults.push('the snapshot is missing')
  else if (entry.hash_dossier !== sha256(snapshot)) faults.push('hash_dossier does not match the snapshot')
  else if (JSON.parse(snapshot).id !== case_id) faults.push(`the snapshot is not of case ${case_id}`)
  return faults
}

/** RFC 8785, without the members that are null. */
function canonicalJson(value: Record<string, unknown>): string {
  const text = canonicalize(
    JSON.parse(JSON.stringify(value, (_, member: unknown) => (member === null ? undefined : member))),
  )
  if (text === undefined) throw new TypeError('a value without a JSON form cannot be evidence')
  return text
}

const sha256 = (text: string): string => hash('sha256', text)
