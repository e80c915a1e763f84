import * as z from 'zod'
import type { Actor } from '../access/actor.js'
import { CaseNotFoundError, conflict, NotFoundError } from '../errors.js'
import { drawnReport } from '../evidence/case-check.js'
import { type EvidenceEntry, erasureOf, evidenceEntryExample, evidenceEntryShape } from '../evidence/evidence.js'
import { DamagedFileError, intact } from '../files/intact-file.js'
import type { StoredFile } from '../files/stored-file.js'
import { reason } from '../refusals/reason.js'
import { inSteps } from '../running/steps.js'
import type { Reads } from '../storage.js'
import { type BusinessCalendar, dayMs, toInstant, toMs } from '../time/time.js'
import type { CursorPage } from '../values/cursor.js'
import { type ListPage, listPage, pageOf } from '../values/paging.js'
import { examples, hash, instant, named, type Shape, sequence } from '../values/shape.js'
import { parse } from '../values/validation.js'
import type { CaseDetail, CaseSummary, ClosedResult, Comment, IdentifiedPhoto, PvState } from './case.js'
import type { CaseFilter, CaseRow } from './case-store.js'
import { detailIn } from './detail.js'
import {
  type AddPhotosInput,
  type CaseFilters,
  type CloseCaseInput,
  type CommentInput,
  type CreateCaseInput,
  caseListOrders,
  type ExportCasesInput,
  exportCasesInput,
  type ListCasesInput,
  type ListCommentsInput,
  listCasesInput,
  listCommentsInput,
  maxExported,
  notClosed,
  type ReopenCaseInput,
  type SendReportInput,
  type UpdateCaseInput,
  unassigned,
} from './inputs.js'
import { parseReference } from './reference.js'

export const proofShape = named(
  'Proof',
  () =>
    z.object({
      snapshot: z.string().nullable().describe('Canonical JSON; its SHA-256 is `hash_sha256`.'),
      hash_sha256: hash(),
      effacement: z
        .object({ date: instant(), sequence: sequence() })
        .nullable()
        .describe('When the snapshot was erased, and by which entry.'),
      entree: evidenceEntryShape(),
      precedente: evidenceEntryShape().nullable(),
      suivante: evidenceEntryShape().nullable(),
      horodatage: z
        .object({ sequence: sequence(), hash_entree: hash(), date: instant(), token: z.base64() })
        .nullable()
        .describe('The oldest time stamp (RFC 3161) that covers the entry; `token` is DER in base64.'),
    }),
  {
    snapshot: '{"account":"default"}',
    hash_sha256: examples.hash,
    effacement: null,
    horodatage: null,
    entree: evidenceEntryExample,
    precedente: null,
    suivante: null,
  },
)
/** Everything needed to check one close by hand. The snapshot is null after an erasure. */
export interface ProofBundle extends Omit<Shape<typeof proofShape>, 'entree' | 'precedente' | 'suivante'> {
  readonly entree: EvidenceEntry
  readonly precedente: EvidenceEntry | null
  readonly suivante: EvidenceEntry | null
}

/** What a caller may see besides cases. */
export interface CaseScope {
  /**
   * Clients' contact data. Without it, rows have no `telephone`, and a search reads only the client's name and town.
   */
  readonly clients: boolean
}

/**
 * The cases of an account. Each method that takes an input throws ValidationError naming every bad field. All throw
 * CaseNotFoundError for a case that is not in the actor's account, and UnavailableError when the store is busy or
 * unreachable. A method that throws has written nothing.
 */
export interface Cases {
  /** @throws ClientErasedError */
  create(actor: Actor, input: CreateCaseInput): Promise<{ id: number; reference: string }>
  /** `id` may be a reference, `SAV-2026-00001`. */
  get(account_id: string, id: number | string): Promise<CaseDetail>
  /**
   * A page of cases that match the filters.
   * @param seen what the caller may see, by default everything. A search ignores what the caller may not see.
   */
  list(account_id: string, input: ListCasesInput, seen?: CaseScope): Promise<ListPage<CaseSummary>>
  /**
   * The cases that match the filters now, as rows for a spreadsheet. Reads 25 at a time as the caller asks for them,
   * and lets other work run in between.
   * @throws ConflictError for more than 20,000 rows
   */
  export(account_id: string, input: ExportCasesInput): Promise<AsyncGenerator<readonly CaseRow[], void, void>>
  /**
   * @param ifVersion the versions that the caller has read; any other one gives VersionMismatchError
   * @throws ConflictError when the case's status forbids the change, ClientErasedError for notes about an erased client
   */
  update(actor: Actor, id: number, input: UpdateCaseInput, ifVersion?: readonly number[]): Promise<CaseDetail>
  /**
   * Closes a case.
   * @param input empty (`{}`) for an erased client: no text and no file may be written about that person
   * @throws CaseAlreadyClosedError with the existing hash, ClientErasedError
   */
  close(actor: Actor, id: number, input: CloseCaseInput | Record<string, never>): Promise<ClosedResult>
  /** @throws ConflictError when the case is not closed */
  reopen(actor: Actor, id: number, input: ReopenCaseInput): Promise<CaseDetail>
  /** Adds a comment, also to a closed case. @throws ClientErasedError */
  comment(actor: Actor, id: number, input: CommentInput): Promise<Comment>
  /** The comments of a case, newest first. */
  comments(account_id: string, id: number, input: ListCommentsInput): Promise<CommentPage>
  /**
   * Adds photos, also to a closed case: its next snapshot includes them. Resolves to the added ones with their ids.
   * @throws ClientErasedError
   */
  addPhotos(actor: Actor, id: number, input: AddPhotosInput): Promise<readonly IdentifiedPhoto[]>
  /**
   * The proof of the latest close, or of an earlier one.
   * @param sequence the entry of an earlier close in the evidence chain
   * @throws NotFoundError when there is no such entry
   */
  proof(account_id: string, id: number, sequence?: number): Promise<ProofBundle>
  /**
   * The reception report of the latest close, as PDF; null while it is being drawn.
   * @throws NotFoundError when there is no report, DamagedFileError when the stored PDF differs from the one that was
   *   drawn
   */
  report(account_id: string, id: number): Promise<StoredFile | null>
  /**
   * Sends the report of the latest close by `canal`, or by every channel that reaches the customer. It may have been
   * sent before, or not yet, if there was no channel at the close. Each sending is a separate delivery.
   * @throws ConflictError when the case is not closed, no channel reaches the customer, or one of them is already
   *   sending it
   */
  sendReport(actor: Actor, id: number, input: SendReportInput): Promise<{ id: number; reference: string; pv: PvState }>
  /**
   * A sample report with the account's own data, drawn now and not stored.
   * @throws NotFoundError, ConflictError without a renderer
   */
  sampleReport(account_id: string): Promise<StoredFile>
  /**
   * A file that this case holds.
   * @throws NotFoundError unless the case holds it, DamagedFileError when its bytes differ from those stored
   */
  file(account_id: string, id: number, sha256: string): Promise<StoredFile>
}

/** A page of comments. A comment added while pages are read does not shift them. */
export type CommentPage = CursorPage<Comment>

export function caseQueries({
  reads,
  clock,
  calendar,
}: {
  readonly reads: Reads
  readonly clock: { now(): number }
  readonly calendar: BusinessCalendar
}): Pick<Cases, 'get' | 'list' | 'export' | 'comments' | 'proof' | 'report' | 'file'> {
  /**
   * Converts days and ages to instants. If several bounds limit the creation, the strictest apply: the latest lower
   * bound and the earliest upper bound.
   */
  function filterOf(filters: Omit<CaseFilters, 'tri'>): CaseFilter {
    const { statut, poseur_id, depuis, modifie_depuis, jusque, age_min, age_max, du, au, ...filter } = filters
    const ago = (days: number) => toInstant(clock.now() - days * dayMs)
    const lower = [depuis && calendar.instantOf(depuis), age_max && toInstant(toMs(ago(age_max)) + 1)]
    const upper = [jusque && calendar.endOf(jusque), age_min !== undefined && toInstant(toMs(ago(age_min)) + 1)]
    const happened = filter.survenu !== undefined || filter.visite_par !== undefined
    return {
      ...filter,
      ...(statut === notClosed ? { non_clos: true } : { statut }),
      poseur_id: poseur_id === unassigned ? null : poseur_id,
      depuis: lower
        .filter((each) => typeof each === 'string')
        .toSorted()
        .at(-1),
      avant: upper.filter((each) => typeof each === 'string').toSorted()[0],
      modifie_depuis: modifie_depuis && calendar.instantOf(modifie_depuis),
      ...(happened && { periode: { from: du ? calendar.instantOf(du) : '0', until: au ? calendar.endOf(au) : '9' } }),
    }
  }

  return {
    async get(account_id, id) {
      const reference = typeof id === 'string' ? parseReference(id) : undefined
      const found =
        typeof id === 'number'
          ? await reads.cases.find(account_id, id)
          : reference && (await reads.cases.findByReference(account_id, reference))
      if (!found) throw new CaseNotFoundError(id)
      return detailIn(reads, found)
    },

    async list(account_id, input, { clients } = { clients: true }) {
      const asked = parse(listCasesInput, input)
      const { page: _, limite: __, curseur: ___, tri, ...filters } = asked
      const filter = { ...filterOf(filters), ...(!clients && { withoutContact: true as const }) }
      const found = await reads.cases.list(account_id, filter, { ...pageOf(asked), tri })
      return listPage(caseListOrders[tri], asked, found, (listed) => {
        if (clients) return listed
        const { telephone: _, ...row } = listed
        return row
      })
    },

    async comments(account_id, id, input) {
      const { limite, curseur = null } = parse(listCommentsInput, input)
      if ((await reads.cases.find(account_id, id)) === null) throw new CaseNotFoundError(id)
      const found = await reads.cases.comments(account_id, id, { beforeId: curseur, limit: limite + 1 })
      const items = found.slice(0, limite)
      return { items, curseur: found.length > limite ? String(items.at(-1)?.id) : null }
    },

    async export(account_id, input) {
      const { tri, ...filters } = parse(exportCasesInput, input)
      const ids = await reads.cases.ids(account_id, filterOf(filters), { tri, limit: maxExported + 1 })
      if (ids.length > maxExported) throw conflict('export_too_long', { max: maxExported })
      return inSteps(account_id, ids, (step) => reads.cases.rows(account_id, step))
    },

    async proof(account_id, id, sequence) {
      if ((await reads.cases.find(account_id, id)) === null) throw new CaseNotFoundError(id)
      const entries = await reads.evidence.ofCase(account_id, id)
      const entree = sequence === undefined ? entries.at(-1) : entries.find((entry) => entry.sequence === sequence)
      if (entree === undefined) throw new NotFoundError('evidence entry', sequence ?? `of case ${id}`)
      const kept = await reads.evidence.snapshot(account_id, entree.hash_dossier)
      const effacement = kept === null ? null : erasureOf(entree, kept)
      const stamp = await reads.evidence.stampOf(account_id, entree.sequence)
      return {
        snapshot: effacement === null ? kept : null,
        effacement,
        horodatage: stamp && {
          sequence: stamp.sequence,
          hash_entree: stamp.hash_entree,
          date: stamp.date,
          token: Buffer.from(stamp.token).toString('base64'),
        },
        hash_sha256: entree.hash_dossier,
        entree,
        precedente: await reads.evidence.find(account_id, entree.sequence - 1),
        suivante: await reads.evidence.find(account_id, entree.sequence + 1),
      }
    },

    async report(account_id, id) {
      const report = (await reads.reports.ofCase(account_id, id)).at(-1)
      const found = await reads.cases.find(account_id, id)
      if (found === null) throw new CaseNotFoundError(id)
      const { reference, statut } = found
      if (statut !== 'clos')
        throw new NotFoundError('report', `of case ${id}`, reason('case_not_closed_for_report', { reference, statut }))
      if (report === undefined || report.erased_at !== null) throw new NotFoundError('report', `of case ${id}`)
      if (report.pdf === null) return null
      const drawn = (await reads.cases.history(account_id, id)).find(
        ({ type, champ }) => type === 'pv' && champ === drawnReport(report.sequence),
      )
      const file = intact(await reads.files.find(account_id, id, report.pdf))
      // Early releases did not record the PDF in the history. Such a report is only checked against its own hash.
      if (file === null || (drawn !== undefined && drawn.nouvelle_valeur !== report.pdf))
        throw new DamagedFileError(`The report of ${found.reference}`)
      return file
    },

    async file(account_id, id, sha256) {
      const file = await reads.files.find(account_id, id, sha256)
      if (file === null) throw new NotFoundError('file', sha256)
      return intact(file)
    },
  }
}
