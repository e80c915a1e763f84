import { sealedClientFields, sealedFields } from '../evidence/closing-fields.js'
import type { EvidenceEntry, Snapshot } from '../evidence/evidence.js'
import { shortHashLength } from '../evidence/printed-check.js'
import { closedAt, toldOnSite } from '../evidence/told-on-site.js'
import { isIntact } from '../files/intact-file.js'
import type { StoredFile } from '../files/stored-file.js'
import type { Company, ReplacedReport } from '../letters/letter.js'
import { sha256Of } from '../node-crypto.js'
import type { Reads } from '../storage.js'
import { picked } from '../values/picked.js'
import type { ReportContent, ReportPhoto, ReportRecord } from './report.js'

/**
 * The page where anyone may check a report by its hash, or the first 16 digits of it; null if the service has no public
 * address.
 * @param url_publique the account's own address, instead of the service's
 */
export type CheckUrl = (hash_sha256: string, url_publique: string | null) => string | null

export function companyOf({ account, societe }: Snapshot): Company {
  return {
    account,
    raison_sociale: societe.raison_sociale ?? null,
    adresse: societe.adresse ?? null,
    siret: societe.siret ?? null,
    email: societe.email ?? null,
    telephone: societe.telephone ?? null,
    assureur: societe.assureur ?? null,
    mediateur: societe.mediateur ?? null,
  }
}

/** The close of a report, and its record; null when the record is gone, or does not match its hash. */
export async function closeOf(
  reads: Pick<Reads, 'evidence'>,
  { account_id, sequence }: Pick<ReportRecord, 'account_id' | 'sequence'>,
): Promise<{ readonly entry: EvidenceEntry; readonly snapshot: Snapshot } | null> {
  const entry = await reads.evidence.find(account_id, sequence)
  const text = entry && (await reads.evidence.snapshot(account_id, entry.hash_dossier))
  if (entry === null || text === null || sha256Of(text) !== entry.hash_dossier) return null
  return { entry, snapshot: JSON.parse(text) }
}

/** The report of the previous close; null if there was none, or it was erased. */
export async function replacedBy(
  reads: Pick<Reads, 'evidence' | 'reports'>,
  { account, case_id, sequence }: EvidenceEntry,
): Promise<ReplacedReport | null> {
  const before = (await reads.reports.ofCase(account, case_id)).findLast((report) => report.sequence < sequence)
  const close = before && (await closeOf(reads, before))
  if (!close) return null
  const { signature_client, reserves } = close.snapshot
  return { date_cloture: closedAt(close.snapshot), signed: signature_client !== undefined, reserves }
}

/** How many photos are printed, of up to 5 MiB each. The others are only in the snapshot. */
const printedPhotos = 20

/** The content of a close's report: its snapshot, with the files that it names. */
export async function contentOf(
  reads: Pick<Reads, 'files' | 'accounts' | 'evidence' | 'reports'>,
  entry: EvidenceEntry,
  snapshot: Snapshot,
  checkUrl: CheckUrl,
): Promise<ReportContent> {
  const { account, case_id, sequence, hash_dossier, hash_entree } = entry
  const file = async (sha256: string | undefined) =>
    sha256 === undefined ? null : whole(await reads.files.find(account, case_id, sha256))
  const photoOf = async (sha256: string): Promise<ReportPhoto> => ({ sha256, url: null, file: await file(sha256) })
  const { logo } = snapshot.societe
  const { id: _, priorite: __, statut: ___, ...printed } = picked(snapshot, sealedFields)
  const url_publique = (await reads.accounts.find(account))?.url_publique ?? null
  return {
    societe: companyOf(snapshot),
    logo: await logoOf(reads, account, logo),
    ...printed,
    date_cloture: snapshot.date_cloture,
    sur_place: toldOnSite(snapshot),
    remplace: await replacedBy(reads, entry),
    client: picked(snapshot.client, sealedClientFields),
    poseur: snapshot.poseur_assigne?.nom ?? null,
    photos: await Promise.all(
      snapshot.photos.slice(0, printedPhotos).map(async ({ date, ...photo }) => {
        if ('url' in photo) return { sha256: null, url: photo.url, file: null, date }
        return { ...(await photoOf(photo.sha256)), date }
      }),
    ),
    photo_avant: snapshot.photo_avant === undefined ? null : await photoOf(snapshot.photo_avant),
    photo_apres: snapshot.photo_apres === undefined ? null : await photoOf(snapshot.photo_apres),
    resolution: snapshot.resolution,
    reserves: snapshot.reserves,
    signature: await file(snapshot.signature_client),
    signataire_nom: snapshot.signataire_nom ?? null,
    preuve: { sequence, hash_sha256: hash_dossier, hash_entree },
    check_url: checkUrl(hash_dossier, url_publique),
    check_address: checkUrl(hash_dossier.slice(0, shortHashLength), url_publique),
  }
}

/** @param sha256 undefined or null: there is no logo */
export const logoOf = async (reads: Pick<Reads, 'accounts'>, account: string, sha256?: string | null) =>
  sha256 ? whole(await reads.accounts.findLogo(account, sha256)) : null

/** The file, or null if it was altered: it is then not printed. */
const whole = (file: StoredFile | null): StoredFile | null => (file !== null && isIntact(file) ? file : null)
