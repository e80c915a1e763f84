import type { Photo } from '../files/stored-file.js'
import { sha256Of } from '../node-crypto.js'
import type { Reads } from '../storage.js'
import { addendaOf, filesOfAddendum } from './addenda.js'
import { canonicalJson, holdsBytes } from './canonical-json.js'
import { closingFields, sealedFields } from './closing-fields.js'
import { type ErasedCase, filesNamed, type Snapshot } from './evidence.js'
import type { FileChecks, NamedFile } from './file-check.js'
import { faultsOfHistory, type HistoryHead, type HistoryLink, saltedDigest } from './history-chain.js'
import { closeOfImport, faultsOfImported, faultsOfPlace, type ImportedClose, originalOf } from './imported.js'
import { faultsOfVisits } from './visit-check.js'

/** An entry of a case, as found in the chain. */
export interface RecordedEntry {
  readonly sequence: number
  readonly reference: string
  readonly date: string
  readonly hash_dossier: string
  /** `erased`: a close whose snapshot was erased; `unreadable`: its snapshot is broken or missing. */
  readonly kind: 'close' | 'erased' | 'erasure' | 'unreadable'
  /** The head of the case's history when it was recorded; null if the snapshot is gone. */
  readonly historique: HistoryHead | null
  /** The files that the snapshot names. */
  readonly files: readonly NamedFile[]
}

export interface CaseFaults {
  readonly reference: string
  readonly faults: readonly string[]
}

type StoredCase = NonNullable<Awaited<ReturnType<Reads['cases']['find']>>>
type Report = Awaited<ReturnType<Reads['reports']['ofCase']>>[number]

interface CheckedCase {
  readonly account_id: string
  readonly id: number
  readonly entries: readonly RecordedEntry[]
  /** The record of the import, for a case that was imported closed. */
  readonly imported: ImportedClose | null
  /** Whether the case has a visit. */
  readonly visited: boolean
}

/** The faults of a case that was ever closed, given its chain entries. */
export async function faultsOfCase(
  reads: Reads,
  fileChecks: FileChecks,
  { account_id, id, entries, imported, visited }: CheckedCase,
): Promise<CaseFaults> {
  const found = await reads.cases.find(account_id, id)
  if (found === null) return { reference: entries.at(-1)?.reference ?? '', faults: [`case ${id} is missing`] }
  const lines = await reads.cases.historyChain(account_id, id)
  if (entries.length === 0 && imported === null) {
    const faults = ['the case was closed, but the chain has no entry for it']
    return { reference: found.reference, faults }
  }
  const latest = await latestSnapshot(reads, account_id, entries)
  const visits = visited || lines.some(({ type }) => type === 'intervention')
  const interventions = visits ? await reads.cases.interventions(account_id, id) : []
  const reports = await reads.reports.ofCase(account_id, id)
  const named = entries.flatMap(({ files }) => files)
  const brought = entries.some(({ kind }) => kind === 'erasure') ? null : imported
  for (const sha256 of brought?.fichiers ?? []) named.push({ sha256, media_type: null })
  for (const sha256 of filesNamed({ photos: found.photos })) named.push({ sha256, media_type: null })
  for (const sha256 of addendaOf(lines).flatMap(filesOfAddendum)) named.push({ sha256, media_type: null })
  for (const { pdf } of reports) if (pdf !== null) named.push({ sha256: pdf, media_type: 'application/pdf' })
  const faults = [
    ...bytesIn({ 'the case': found, 'its history': lines, 'its interventions': interventions, 'its reports': reports }),
    ...faultsOfHistory(found, found.tete_historique, lines),
    ...closeFaults(entries, lines, imported),
    ...(brought === null ? [] : faultsOfImported(found, lines, brought)),
    ...(brought === null && imported !== null ? faultsOfPlace(found, lines, imported) : []),
    ...(latest === null ? [] : stateFaults(found, latest, lines)),
    ...(latest === null && brought !== null ? stateFaultsSinceImport(found, brought, lines) : []),
    ...faultsOfVisits(interventions, lines, latest?.interventions ?? []),
    ...reportFaults(reports, entries, lines),
    ...(await fileChecks.ofCase(id, named, { all: entries.every(({ kind }) => kind !== 'unreadable') })),
  ]
  return { reference: found.reference, faults }
}

const bytesIn = (told: Readonly<Record<string, unknown>>) =>
  Object.keys(told).flatMap((what) => (holdsBytes(told[what]) ? [`${what} has bytes instead of a text`] : []))

/** The snapshot of a close or of an erasure. The snapshot of an erasure has the state of the case in `dossier`. */
type Latest = Snapshot & { readonly dossier?: ErasedCase }

/** The snapshot of the newest entry; null if it has no state to compare. */
async function latestSnapshot(
  reads: Reads,
  account_id: string,
  entries: readonly RecordedEntry[],
): Promise<Latest | null> {
  const entry = entries.at(-1)
  if (entry?.historique == null) return null
  const text = await reads.evidence.snapshot(account_id, entry.hash_dossier)
  if (text === null || sha256Of(text) !== entry.hash_dossier) return null
  return JSON.parse(text)
}

/** Checks that every close and erasure in the history has its entry, and that each entry has its history line. */
function closeFaults(
  entries: readonly RecordedEntry[],
  lines: readonly HistoryLink[],
  imported: ImportedClose | null,
): string[] {
  const faults: string[] = []
  // An import's entry counts as that of the imported close.
  const brought = imported && closeOfImport(lines, imported)
  const closes = datesOf(
    lines.filter((line) => line !== brought),
    'cloture',
  )
  const recorded = entries.filter(({ kind }) => kind !== 'erasure').map(({ date }) => date)
  for (const date of missing(closes, recorded))
    faults.push(`the history has a close on ${date}, but the chain has no entry for it`)
  for (const date of missing(recorded, closes))
    faults.push(`the chain has a close on ${date} that is missing from the history`)
  // Erasures are selected by their order, not by their time, because the clock may have stopped or been set back.
  const firstClose = lines.findIndex(({ type }) => type === 'cloture')
  const erasures = firstClose < 0 ? [] : datesOf(lines.slice(firstClose), 'effacement')
  const proven = entries.filter(({ kind }) => kind === 'erasure').map(({ date }) => date)
  for (const date of missing(erasures, proven))
    faults.push(`the history has an erasure on ${date}, but the chain has no entry for it`)
  for (const date of missing(proven, erasures))
    faults.push(`the chain has an erasure on ${date} that is missing from the history`)
  for (const { sequence, historique } of entries) {
    if (historique === null) continue
    if (imported !== null && historique.numero <= imported.historique.numero)
      faults.push(`entry ${sequence} closed the case before the import, which recorded it as already closed`)
    const line = lines.find(({ numero }) => numero === historique.numero)
    if (line?.hash !== historique.hash)
      faults.push(`line ${historique.numero} of the history differs from the one in entry ${sequence}`)
  }
  return faults
}

const datesOf = (lines: readonly HistoryLink[], type: string) =>
  lines.filter((line) => line.type === type).map(({ date }) => date)

/** The dates that occur more often in `dates` than in `others`. */
function missing(dates: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return dates.filter((date) => {
    const at = left.indexOf(date)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/**
 * How a case differs from its latest snapshot, after the later changes in its history. Client and installer are
 * compared by id, because their names may change.
 */
function stateFaults(found: StoredCase, snapshot: Latest, lines: readonly HistoryLink[]): string[] {
  const { historique, notes_internes: notes = null, dossier } = snapshot
  const since = lines.slice(lines.findLastIndex(({ numero }) => numero === historique.numero) + 1)

  const changed = changedFields(found, comparable(dossier ?? snapshot), since)
  if (!notesStand(found, since, dossier === undefined ? { digest: notes } : dossier)) changed.push('notes_internes')
  return changed.length === 0 ? [] : [`the case differs from its snapshot: ${changed.join(', ')}`]
}

/**
 * How a case differs from its state at its import, after the later changes in its history. Only for a case that was
 * imported closed and not closed here since. Its digests have proven its state at the import.
 */
function stateFaultsSinceImport(found: StoredCase, imported: ImportedClose, lines: readonly HistoryLink[]): string[] {
  const original = originalOf(found, lines, imported)
  if (original === null) return []
  const { digested, since } = original
  const { poseur_id, type_probleme, priorite } = digested
  const addedBefore = lines.slice(0, lines.length - since.length).filter(({ type }) => type === 'photo')
  const then = {
    ...comparable(found),
    statut: 'clos',
    type_probleme,
    priorite,
    poseur_assigne: poseur_id,
    photos: [...digested.photos, ...addedBefore.map(toldPhoto)].map((photo) => canonicalJson({ ...photo })),
  }
  const changed = changedFields(found, then, since)
  if (!notesStand(found, since, { notes_internes: digested.notes_internes })) changed.push('notes_internes')
  return changed.length === 0
    ? []
    : [`the case differs from its import and the later lines of its history: ${changed.join(', ')}`]
}

/** The fields in which a case differs from `then` plus all later changes. Notes are compared separately. */
function changedFields(found: StoredCase, then: Record<string, unknown>, since: readonly HistoryLink[]): string[] {
  const [expected, actual] = [replayed(then, since), comparable(found)]
  return Object.keys(actual).filter(
    (field) => JSON.stringify(expected[field] ?? null) !== JSON.stringify(actual[field] ?? null),
  )
}

type Notes = { readonly digest: string | null } | { readonly notes_internes?: string | null }

function notesStand({ notes_internes, sel_notes }: StoredCase, since: readonly HistoryLink[], then: Notes): boolean {
  const noted = since.findLast(({ champ }) => champ === 'notes_internes')
  if (noted !== undefined) return noted.nouvelle_valeur === notes_internes && sel_notes === null
  if (!('digest' in then)) return notes_internes === (then.notes_internes ?? null) && sel_notes === null
  if (then.digest === null) return notes_internes === null && sel_notes === null
  return notes_internes !== null && sel_notes !== null && saltedDigest(sel_notes, notes_internes) === then.digest
}

/** The fields of a case, or of its snapshot, that are compared. A field without a value is null or undefined. */
type ComparableCase = {
  readonly [Field in keyof Omit<ErasedCase, 'client' | 'poseur_assigne' | 'notes_internes'>]?:
    | ErasedCase[Field]
    | null
    | undefined
} & { readonly client?: { readonly id: number }; readonly poseur_assigne?: { readonly id: number } | null }

function comparable(told: ComparableCase): Record<string, unknown> {
  const state: Record<string, unknown> = {
    client: told.client?.id,
    poseur_assigne: told.poseur_assigne?.id ?? null,
    photos: told.photos?.map((photo) => canonicalJson({ ...photo })),
  }
  for (const field of [...sealedFields, ...closingFields]) state[field] = told[field] ?? null
  return state
}

/** `state` after the changes in the lines. Notes are compared separately. */
function replayed(state: Record<string, unknown>, lines: readonly HistoryLink[]): Record<string, unknown> {
  const after = { ...state }
  for (const line of lines) {
    const { type, champ, nouvelle_valeur } = line
    if (type === 'photo') after['photos'] = [after['photos'], canonicalJson({ ...toldPhoto(line) })].flat()
    if (type === 'reouverture') for (const field of closingFields) after[field] = null
    if (champ === 'poseur_id') after['poseur_assigne'] = nouvelle_valeur
    else if (champ !== null && champ in after) after[champ] = nouvelle_valeur
  }
  return after
}

/** How the history names a photo: of the case, or of an appointment. */
export const addedPhoto = (rdv_id: number | undefined): string =>
  rdv_id === undefined ? 'photo' : `photo_rdv_${rdv_id}`

/** The photo in a history line: a file by its SHA-256, a link by its text, which an erasure removes. */
function toldPhoto({ date, champ, nouvelle_valeur, commentaire }: HistoryLink): Photo {
  const rdv_id = Number(/^photo_rdv_(\d+)$/.exec(champ ?? '')?.[1])
  const added = { date, ...(rdv_id > 0 && { rdv_id }) }
  return commentaire === null ? { sha256: String(nouvelle_valeur), ...added } : { url: commentaire, ...added }
}

/** How the history names the report of a close, in the line that records its PDF. */
export const drawnReport = (sequence: number): string => `pv_${sequence}`

/** Checks that every report belongs to its close, and that its PDF is the one that was drawn. */
function reportFaults(
  reports: readonly Report[],
  entries: readonly RecordedEntry[],
  lines: readonly HistoryLink[],
): string[] {
  const faults: string[] = []
  const bySequence = new Map(entries.map((entry) => [entry.sequence, entry]))
  const drawn = lines.filter(({ type }) => type === 'pv')
  const erasures = new Set<string | null>()
  for (const { kind, date } of entries) if (kind === 'erasure') erasures.add(date)
  for (const { sequence, reference, created_at, pdf, erased_at } of reports) {
    const fault = (problem: string) => faults.push(`the report of entry ${sequence} ${problem}`)
    const entry = bySequence.get(sequence)
    bySequence.delete(sequence)
    if (entry === undefined || entry.kind === 'erasure') {
      fault('belongs to no close of this case')
      continue
    }
    if (entry.reference !== reference || entry.date !== created_at) fault('differs from its close')
    if (entry.kind === 'erased' && (pdf !== null || !erasures.has(erased_at)))
      fault('still exists, but its close was erased')
    if (entry.kind === 'close' && erased_at !== null) fault('was erased, but not its close')
    if (entry.kind === 'erased' || erased_at !== null) continue
    const recorded = drawn.filter(({ champ }) => champ === drawnReport(sequence))
    const [digest] = recorded
    if (recorded.length > 1) fault('was drawn more than once')
    else if (digest !== undefined && digest.nouvelle_valeur !== pdf) fault('is not the PDF that was drawn')
    else if (digest === undefined && pdf !== null) fault('has a PDF that is missing from the history')
  }
  for (const { sequence, kind } of bySequence.values())
    if (kind !== 'erasure') faults.push(`the report of entry ${sequence} is missing`)
  return faults
}
