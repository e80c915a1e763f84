import type { FieldProblem } from '@sav/core'
import {
  type CaseClose,
  type CaseUpdate,
  type Comment,
  caseFields,
  chained,
  type DigestedCase,
  decideUpdate,
  digestOfClosing,
  digestOfImported,
  filesNamed,
  type HistoryHead,
  type HistoryPlace,
  historyEntry,
  type ImportedClose,
  importReference,
  importSnapshot,
  nextEntry,
  noLine,
  picked,
  recordChange,
  said,
  statutChange,
  toMs,
  usualCaseFields,
} from '@sav/core/feature'
import {
  formatReference,
  type NewHistoryEntry,
  type Photo,
  type Poseur,
  type SavCase,
  type StoredFile,
  type Transaction,
} from '@sav/core/ports'
import { type ImportedCase, importStore } from './import-store.js'
import { fieldProblem } from './refusals.js'
import {
  differing,
  type PoseursByName,
  poseursByName,
  type RowChange,
  type RowRecord,
  type RowResults,
  type WriteContext,
} from './row-changes.js'
import { filesOfRow, type Row } from './rows.js'

/** Writes cases of an import with their history, and records their closes in an entry of the evidence chain. */
export async function writeCases(rows: readonly RowChange<'cases'>[], context: WriteContext): Promise<RowResults> {
  const poseurs = await poseursByName(context)
  const refused = new Map<number, readonly FieldProblem[]>()
  const noted: RowRecord[] = []
  const added: CaseInsert[] = []
  const poseurOf = async ({ poseur }: Row<'cases'>) => (poseur === null ? null : poseurs.named(poseur))
  for (const each of await numbered(rows, context))
    added.push(adding(each, (await poseurOf(each.row))?.id ?? null, context))
  for (const { place, row, id } of rows) {
    if (id === null) continue
    const changed = await changing(context, { id, place, row }, { find: poseurs.find, poseurOf: () => poseurOf(row) })
    if (changed === null) refused.set(place, [fieldProblem('id_externe', 'import_erased')])
    else noted.push({ place, id, ...changed })
  }
  const ids = await context.tx.of(importStore).addCases(added.map(({ dossier }) => dossier))
  const closes: ImportedClose[] = []
  for (const [index, each] of added.entries()) {
    const id = ids[index] ?? null
    if (id === null) {
      refused.set(each.place, [fieldProblem('client_id', 'import_erased')])
      continue
    }
    for (const file of each.files) await context.tx.files.put(each.dossier.account_id, id, file)
    await context.tx.cases.appendHistory(each.dossier.account_id, id, each.links)
    noted.push({ place: each.place, id, changed: true })
    const close = closeOf(each, id)
    if (close !== null) closes.push(close)
  }
  await recordCloses(context, closes)
  return { noted, refused }
}

/** A case to be added. */
interface CaseInsert {
  readonly place: number
  readonly dossier: ImportedCase
  readonly files: readonly StoredFile[]
  readonly links: readonly (NewHistoryEntry & HistoryPlace)[]
  readonly head: HistoryHead
}

type NumberedCaseRow = RowChange<'cases'> & Pick<ImportedCase, 'annee' | 'numero'>

/** The rows of new cases with their references, in order. */
async function numbered(
  rows: readonly RowChange<'cases'>[],
  { tx, actor, calendar }: WriteContext,
): Promise<NumberedCaseRow[]> {
  const all: NumberedCaseRow[] = []
  const added = rows.filter(({ id }) => id === null)
  for (const [annee, ofYear] of Map.groupBy(added, ({ row }) => calendar.yearAt(toMs(row.date_creation)))) {
    const numbers = await tx.of(importStore).nextNumbers(actor.account_id, annee, ofYear.length)
    for (const [index, numero] of numbers.entries()) {
      const each = ofYear[index]
      if (each !== undefined) all.push({ ...each, annee, numero })
    }
  }
  return all.toSorted((a, b) => a.place - b.place)
}

function adding(
  { place, row, annee, numero }: NumberedCaseRow,
  poseur_id: number | null,
  { actor, at, random, references }: WriteContext,
): CaseInsert {
  const { account_id } = actor
  const files = filesOfRow(row)
  const photos: Photo[] = row.photos.map((photo) => ('url' in photo ? photo : { sha256: photo.sha256 }))
  const reference = formatReference({ annee, numero })
  const { links, head } = chained({ account_id, reference }, noLine, linesOf(row, actor), random)
  const { description, date_creation, reference_origine } = row
  const closed = closedAt(row)
  const closing = closed === null ? null : closingOf(row, closed)
  const dossier: ImportedCase = {
    ...{ account_id, annee, numero, client_id: references.client.get(place)?.id ?? 0, poseur_id },
    ...{ description, photos, statut: row.statut ?? 'ouvert', date_creation, reference_origine },
    ...{ ...usualCaseFields, ...said(picked(row, caseFields)) },
    ...{ tete_historique: head, closing, date_modification: at },
  }
  return { place, dossier, files, links, head }
}

/** The history of a case before the import, in order. */
function linesOf(row: Row<'cases'>, actor: WriteContext['actor']): NewHistoryEntry[] {
  const comments = row.commentaires.map(({ date, auteur, texte }) =>
    historyEntry({ ...actor, id: null, nom: auteur }, date, 'commentaire', { commentaire: texte }),
  )
  const date = closedAt(row)
  const change = statutChange('ouvert', 'clos')
  const closed = date === null ? [] : [historyEntry(actor, date, 'cloture', { change, commentaire: resolutionOf(row) })]
  const after = [...comments, ...closed].toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  return [historyEntry(actor, row.date_creation, 'creation'), ...after]
}

/** When a closed case was closed; if that is unknown, when it was created. */
const closedAt = ({ statut, date_cloture, date_creation }: Row<'cases'>): string | null =>
  statut === 'clos' ? (date_cloture ?? date_creation) : null

/** The texts to store if the other system has none. They are in French, like `ownTexts` of planning. */
export const ownTexts = {
  closed: 'Clos avant la reprise des données.',
  reopened: 'Rouvert dans l’ancien système.',
} as const

/** The resolution of a closed case; a default if the old system has none. */
const resolutionOf = ({ resolution }: Row<'cases'>): string => resolution ?? ownTexts.closed

const closingOf = (row: Row<'cases'>, date_cloture: string): CaseClose => ({
  ...{ date_cloture, resolution: resolutionOf(row), reserves: row.reserves },
  photo_avant: row.photo_avant?.sha256 ?? null,
  photo_apres: row.photo_apres?.sha256 ?? null,
  signature_client: row.signature_client?.sha256 ?? null,
  ...{ signataire_nom: row.signataire_nom, survenu_a: null, decalage_ms: null, vu: null },
})

function closeOf({ dossier, links, head }: CaseInsert, id: number): ImportedClose | null {
  const { closing } = dossier
  const sel = links.find(({ type }) => type === 'cloture')?.sel ?? null
  if (closing === null || sel === null) return null
  return recorded({ ...dossier, id, reference: formatReference(dossier) }, { closing, sel, historique: head })
}

interface RecordedCase extends Omit<DigestedCase, 'date_cloture' | 'resolution'> {
  readonly reference: string
}

/** The data of a case in the import's entry of the evidence chain. */
function recorded(
  { id, reference, ...dossier }: RecordedCase,
  { closing, sel, historique }: { readonly closing: CaseClose; readonly sel: string; readonly historique: HistoryHead },
): ImportedClose {
  const { date_cloture, resolution, photo_avant, photo_apres, signature_client } = closing
  return {
    ...{ id, reference, historique, cloture: digestOfClosing(closing, sel) },
    empreinte: digestOfImported({ ...dossier, id, date_cloture, resolution }, sel),
    fichiers: filesNamed({ photo_avant, photo_apres, signature_client }),
  }
}

/** Adds one entry for all imported closes. Only a case listed in it may be closed without its own entry. */
async function recordCloses(
  { tx, actor: { account_id: account }, at: date }: Pick<WriteContext, 'tx' | 'actor' | 'at'>,
  closes: readonly ImportedClose[],
) {
  const [first] = closes
  if (first === undefined) return
  const snapshot = importSnapshot(account, date, closes)
  const head = await tx.evidence.lockHead(account)
  const entry = nextEntry(head, { account, case_id: first.id, reference: importReference, date, snapshot })
  await tx.evidence.append(entry, snapshot)
}

/** Writes the current row of a case that was imported before. Resolves to null if the case is erased. */
async function changing(
  { tx, actor, at, random, references }: WriteContext,
  { id, place, row }: RowChange<'cases'> & { readonly id: number },
  { find, poseurOf }: Pick<PoseursByName, 'find'> & { poseurOf(): Promise<Pick<Poseur, 'id'> | null> },
): Promise<Pick<RowRecord, 'changed' | 'kept'> | null> {
  const { account_id } = actor
  const found = await tx.cases.lock(account_id, id)
  if (found === null) return null
  const closes = (await tx.cases.historyChain(account_id, id)).filter(({ type }) => type === 'cloture').length
  const opens = found.statut === 'clos' && row.statut !== null && row.statut !== 'clos'
  // A row reopens a case only if an import closed it. An import closes a case at most once, and every close made here
  // has an entry in the evidence chain.
  const reopens = opens && closes === 1 && (await tx.evidence.ofCase(account_id, id)).length === 0
  const isOpen = found.statut !== 'clos' || reopens
  const closed = isOpen && closes === 0 ? closedAt(row) : null
  const known = new Set((await commentsOf(tx, found)).map(({ date, texte }) => `${date} ${texte}`))
  const comments = linesOf(row, actor).filter(
    ({ type, date, commentaire }) => type === 'commentaire' && !known.has(`${date} ${commentaire}`),
  )
  const { statut } = row
  const poseur = isOpen ? await poseurOf() : null
  const input: CaseUpdate = {
    ...said(picked(row, isOpen ? caseFields : ['notes_internes'])),
    ...(isOpen && statut !== null && statut !== 'clos' && { statut }),
    ...(poseur !== null && { poseur_id: poseur.id }),
  }
  const changes = decideUpdate({ ...found, ...(reopens && { statut: 'en_cours' }) }, input)
  const lines = [
    ...(reopens ? [historyEntry(actor, at, 'reouverture', reopening)] : []),
    ...changes.map((change) => historyEntry(actor, at, 'modification', { change })),
    ...comments,
  ]
  const change = statutChange(found.statut, 'clos')
  const close =
    closed === null ? null : historyEntry(actor, closed, 'cloture', { change, commentaire: resolutionOf(row) })
  const kept = keptFields(found, row, {
    isOpen,
    wasClosed: closes > 0,
    client_id: references.client.get(place)?.id ?? found.client.id,
    poseur_id: row.poseur === null ? null : (find(row.poseur)?.id ?? 0),
  })
  if (lines.length === 0 && close === null) return { changed: false, kept }
  const closing = close && { statut: 'clos' as const, closing: closingOf(row, close.date) }
  await recordChange(tx, random, found, {
    ...(reopens && { statut: 'en_cours', closing: null }),
    ...input,
    ...(changes.some(({ champ }) => champ === 'notes_internes') && { sel_notes: null }),
    ...closing,
    date_modification: at,
    lines: close === null ? lines : [...lines, close],
  })
  if (close !== null) for (const file of filesOfRow(row)) await tx.files.put(account_id, id, file)
  if (close !== null) await recordLateClose({ tx, actor, at }, id)
  return { changed: true, kept }
}

/** A case that was imported closed, and has been reopened in its own system. */
const reopening = { change: statutChange('clos', 'en_cours'), commentaire: ownTexts.reopened }

/** Records the close of a case that was imported open, and is now closed in its own system. */
async function recordLateClose(
  { tx, actor, at }: Pick<WriteContext, 'tx' | 'actor' | 'at'>,
  id: number,
): Promise<void> {
  const { account_id } = actor
  const found = await tx.cases.find(account_id, id)
  const lines = await tx.cases.historyChain(account_id, id)
  const close = lines.findLast(({ type }) => type === 'cloture')
  if (found?.statut !== 'clos' || close?.sel == null) return
  const dossier = {
    ...{ ...found, client_id: found.client.id, poseur_id: found.poseur_assigne?.id ?? null },
    photos: found.photos.filter((photo) => !('date' in photo)),
  }
  const imported = recorded(dossier, { closing: found, sel: close.sel, historique: found.tete_historique })
  await recordCloses({ tx, actor, at }, [imported])
}

interface CaseRowState {
  /** Whether the case is open after the row. */
  readonly isOpen: boolean
  readonly wasClosed: boolean
  readonly client_id: number
  /** Null: the row names no poseur. */
  readonly poseur_id: number | null
}

/** The fields of a case that a row cannot change. */
function keptFields(
  found: SavCase,
  row: Row<'cases'>,
  { isOpen, wasClosed, client_id, poseur_id }: CaseRowState,
): FieldProblem[] {
  const photos = found.photos.filter((photo) => !('date' in photo))
  const { reference_origine, description, date_creation } = row
  const always = differing(
    { ...found, client_id: found.client.id, photos: photos.map(plainPhoto) },
    { client_id, reference_origine, description, date_creation, photos: row.photos.map(plainPhoto) },
  ).map((field) => fieldProblem(field, 'import_kept'))
  if (isOpen || found.statut !== 'clos')
    return row.statut === 'clos' && wasClosed ? [...always, fieldProblem('statut', 'import_kept_ouvert')] : always
  if (row.statut !== 'clos' && row.statut !== null) always.push(fieldProblem('statut', 'import_kept_clos'))
  const { resolution } = row
  const { notes_internes: _, ...fields } = picked(row, caseFields)
  const closing = row.statut === 'clos' ? { ...closingOf(row, row.date_cloture ?? found.date_cloture), resolution } : {}
  const closed = differing({ ...found, poseur: found.poseur_assigne?.id }, { ...fields, poseur: poseur_id, ...closing })
  return [...always, ...closed.map((field) => fieldProblem(field, 'import_kept_closed'))]
}

const plainPhoto = (photo: { readonly sha256: string } | { readonly url: string }) =>
  'url' in photo ? { url: photo.url } : { sha256: photo.sha256 }

async function commentsOf(tx: Transaction, { account_id, id }: SavCase): Promise<Comment[]> {
  const all: Comment[] = []
  for (let beforeId: number | null = null; ; ) {
    const page: Comment[] = await tx.cases.comments(account_id, id, { beforeId, limit: 1000 })
    all.push(...page)
    if (page.length < 1000) return all
    beforeId = page.at(-1)?.id ?? null
  }
}
