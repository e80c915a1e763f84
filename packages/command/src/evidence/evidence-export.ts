import { readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { NotFoundError } from '@sav/core'
import type { SavClient } from '@sav/http-node/client'
import { caseParams } from '../cases/case-id.js'
import type { Context } from '../invocation/context.js'
import { CommandError } from '../process/command-error.js'
import { fillDirectory } from '../process/export-directory.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { jsonText } from '../terminal/safe-text.js'
import { counted } from '../terminal/terminal.js'

export interface ExportEvidenceOptions {
  /** The sequence number of an earlier close; default: the latest close. */
  readonly sequence?: number
  /** The directory for the files. Without it, the evidence is printed as JSON. */
  readonly dir?: string
}

/** Exports everything that is needed to check the evidence of a close without this program. */
export async function exportEvidence(context: Context, id: string, options: ExportEvidenceOptions): Promise<Output> {
  const api = await context.api()
  const params = await caseParams(api, id)
  const proof = await proofOf(api, params, options.sequence)
  const { sequence } = proof.entree
  const bundle = { ...proof, chaine: await chainOf(api, sequence, proof.horodatage?.sequence ?? sequence) }
  if (options.dir === undefined) return { json: bundle, text: jsonText(bundle, 2), isVerbatim: true }
  const directory = resolve(context.cwd, options.dir)
  const files = new Map([...filesOf(bundle), ...(await held(api, params, bundle))])
  const subject = { account: proof.entree.account, evidence: proof.entree.reference, sequence }
  await fillDirectory({ path: directory, output: options.dir }, subject, async () => {
    // Removes the files of an unfinished export, which may contain data that was erased since.
    for (const name of await readdir(directory)) if (exportedName.test(name)) await rm(join(directory, name))
    for (const [name, content] of files) await writeFile(join(directory, name), content, { flag: 'wx', mode: 0o600 })
  })
  const text = `Wrote ${counted(files.size, 'file')} to ${directory}. Check them there: sha256sum -c SHA256SUMS`
  return { json: { directory, files: [...files.keys()] }, text }
}

const exportedName =
  /^([0-9a-f]{64}|SHA256SUMS|README\.txt|pv\.pdf|(chaine-\d+|snapshot|entree|preuve)\.json|horodatage\.tsr)$/

const proofOf = async (api: SavClient, params: { readonly id: number }, sequence: number | undefined) =>
  (await api.get('/api/v1/sav/{id}/preuve', { params, query: { sequence } })).data

type Proof = Awaited<ReturnType<typeof proofOf>>
/** The hashed fields of an entry. */
type ChainLink = Proof['entree']

/** The entries from the sequence `first` to the sequence `last`. */
async function chainOf(api: SavClient, first: number, last: number): Promise<ChainLink[]> {
  const found: ChainLink[] = []
  for await (const entry of api.each('/api/v1/preuves', { query: { curseur: String(first - 1), limite: 200 } })) {
    if (entry.sequence > last) break
    found.push(entry)
    if (entry.sequence === last) break
  }
  return found
}

/** The evidence of a close, and the chain's entries from the close's own entry to the one with the time stamp. */
interface Bundle extends Proof {
  readonly chaine: readonly ChainLink[]
}

function filesOf(bundle: Bundle): [name: string, content: string | Uint8Array][] {
  const { snapshot, hash_sha256, entree, horodatage, chaine } = bundle
  const sums = [`${entree.hash_entree}  entree.json`]
  if (snapshot !== null) sums.unshift(`${hash_sha256}  snapshot.json`)
  for (const sha256 of namedFiles(snapshot)) sums.push(`${sha256}  ${sha256}`)
  const way = horodatage === null ? [] : chaine
  for (const link of way) sums.push(`${link.hash_entree}  ${linkName(link)}`)
  return [
    ...(snapshot === null ? [] : [['snapshot.json', snapshot] satisfies [string, string]]),
    ['entree.json', entryText(entree)],
    ...way.map((link) => [linkName(link), entryText(link)] satisfies [string, string]),
    ...(horodatage === null
      ? []
      : [['horodatage.tsr', Buffer.from(horodatage.token, 'base64')] satisfies [string, Uint8Array]]),
    ['preuve.json', `${JSON.stringify(bundle, null, 2)}\n`],
    ['SHA256SUMS', `${sums.join('\n')}\n`],
    ['README.txt', readme(bundle)],
  ]
}

/** The file name of an entry. It has ten digits, so that files sort in the order of the chain. */
const linkName = ({ sequence }: ChainLink) => `chaine-${String(sequence).padStart(10, '0')}.json`

/**
 * The canonical JSON (RFC 8785) that an entry's hash covers. With only integers and ASCII text, it is enough to list
 * the fields in alphabetical order.
 */
function entryText({ account, date, hash_dossier, hash_precedent, reference, sequence, version }: ChainLink) {
  return JSON.stringify({ account, date, hash_dossier, hash_precedent, reference, sequence, version })
}

function namedFiles(snapshot: string | null): string[] {
  if (snapshot === null) return []
  const { photos = [], photo_avant, photo_apres, signature_client } = JSON.parse(snapshot)
  const named: unknown[] = [...photos.map(({ sha256 }: { sha256?: string }) => sha256), photo_avant, photo_apres]
  return [...new Set([...named, signature_client])].filter((sha256) => typeof sha256 === 'string')
}

/** Downloads the photos and the signature, each named by its hash, and the report if there is one. */
async function held(
  api: SavClient,
  params: { readonly id: number },
  { snapshot }: Bundle,
): Promise<[string, Uint8Array][]> {
  const files: [string, Uint8Array][] = []
  for (const sha256 of namedFiles(snapshot)) {
    const call = { params: { ...params, sha256 } }
    files.push([sha256, (await api.get('/api/v1/sav/{id}/fichiers/{sha256}', call)).data])
  }
  const report = await api.get('/api/v1/sav/{id}/pv', { params }).catch((error: unknown) => {
    if (isNotFound(error)) return null
    throw error
  })
  if (report?.data instanceof Uint8Array) files.push(['pv.pdf', report.data])
  return files
}

const isNotFound = (error: unknown) =>
  error instanceof NotFoundError || (error instanceof CommandError && error.exitCode === exitCodes.notFound)

function readme({ entree, snapshot, horodatage, effacement, chaine }: Bundle): string {
  return [
    `Evidence of ${entree.reference}, entry ${entree.sequence} of the chain of account ${entree.account}.`,
    '',
    'To check that no file was changed since the export:  sha256sum -c SHA256SUMS',
    "To check that the case has not changed since its close, you need something that is kept elsewhere. Compare the SHA-256 of snapshot.json with the hash on the customer's report or in the webhook sav.closed, and the entry with an anchor or a time stamp.",
    '',
    snapshot === null
      ? `snapshot.json is missing: its personal data was erased${effacement === null ? '' : ` on ${effacement.date} by entry ${effacement.sequence}`}.`
      : 'snapshot.json is the closed case as it was, as canonical JSON (RFC 8785). Its SHA-256 is the hash that the report prints and the webhook sav.closed has. The photos and the signature are named by their SHA-256, as the snapshot lists them.',
    '',
    'entree.json is the entry of the chain: it holds the hash of the snapshot (hash_dossier) and of the entry before it (hash_precedent). Its SHA-256 is hash_entree, which the next entry holds. preuve.json also has the entry before it and the one after it.',
    ...(horodatage === null
      ? []
      : [
          '',
          `horodatage.tsr is an RFC 3161 time stamp of entry ${horodatage.sequence} (${horodatage.date}):`,
          `openssl ts -verify -digest ${horodatage.hash_entree} -in horodatage.tsr -CAfile ROOT.pem`,
          '',
          `The time stamp covers this case only if the chain leads from the entry of the case to the stamped entry. The files chaine-….json are the entries ${entree.sequence} to ${horodatage.sequence}, ${chaine.length} in all. The first must equal entree.json. Each further entry must hold, as hash_precedent, the SHA-256 of the entry before it. The SHA-256 of the last must be the digest above. To check this part of the chain:`,
          '',
          'cmp entree.json "$(ls chaine-*.json | head -n 1)" && before= && for f in chaine-*.json; do',
          '  [ -z "$before" ] || grep -q "\\"hash_precedent\\":\\"$before\\"" "$f" || echo "broken at $f"',
          '  before=$(sha256sum "$f" | cut -d " " -f 1)',
          `done; [ "$before" = ${horodatage.hash_entree} ] && echo "the chain leads to the stamp"`,
        ]),
    '',
  ].join('\n')
}
