import { type Proof, sav } from '../../api/client.js'

/** The results of checking a case's evidence, each computed in this browser. */
export interface ProofCheck {
  /** Whether the snapshot has the recorded hash; null: it was erased, and cannot be recomputed. */
  readonly content: boolean | null
  /** Whether the recomputed hash of the entry is the recorded one. */
  readonly entry: boolean
  /** Whether the entries before and after it are linked to it. */
  readonly chain: boolean
}

/** Recomputes, in this browser, what the service claims. @throws SavApiError */
export async function checkProof(caseId: number, sequence: number): Promise<ProofCheck> {
  const { data } = await sav.get('/api/v1/sav/{id}/preuve', { params: { id: caseId }, query: { sequence } })
  return checked(data)
}

async function checked({ snapshot, hash_sha256, entree, precedente, suivante }: Proof): Promise<ProofCheck> {
  const { hash_entree, ...hashed } = entree
  return {
    content: snapshot === null ? null : (await sha256(snapshot)) === hash_sha256 && entree.hash_dossier === hash_sha256,
    entry: (await sha256(canonical(hashed))) === hash_entree,
    chain:
      entree.hash_precedent === (precedente?.hash_entree ?? '0'.repeat(64)) &&
      (suivante === null || suivante.hash_precedent === hash_entree),
  }
}

/** The canonical JSON (RFC 8785) of an object whose values are integers and plain texts. */
const canonical = (entry: Readonly<Record<string, string | number>>) =>
  JSON.stringify(Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1))))

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return new Uint8Array(digest).reduce((hex, byte) => hex + byte.toString(16).padStart(2, '0'), '')
}
