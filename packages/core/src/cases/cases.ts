import {
  CaseAlreadyClosedError,
  CaseNotFoundError,
  ConflictError,
  NotFoundError,
  UnavailableError,
  VersionMismatchError,
} from '../errors.js'
import { fold } from '../folding.js'
import type { NewId } from '../ids.js'
import type { Clock, Paged, Reads, Storage, StoredFile, Transaction } from '../ports.js'
import type { LetterChannel } from '../reports/letter-channel.js'
import { channelsTo, sendReport } from '../reports/sending.js'
import { type BusinessCalendar, toInstant } from '../time.js'
import { parse, parseWith } from '../validation.js'
import { emit, emitTo } from '../webhooks/outbox.js'
import type { Actor, CaseSummary, ClosedCase, Photo, SavCase } from './case.js'
import { caseEventData } from './case-events.js'
import { clientProblem, poseurProblem, signatureProblem } from './checks.js'
import { decideClose } from './closing.js'
import { type CaseDetail, detailOf, type PvState, pvStateOf } from './detail.js'
import { type Erasure, type EvidenceEntry, erasureOf, nextEntry, snapshotOf } from './evidence.js'
import { historyEntry, statutChange } from './history.js'
import {
  type CloseCaseInput,
  type CreateCaseInput,
  closeCaseInput,
  createCaseInput,
  type ListCasesInput,
  listCasesInput,
  type ReopenCaseInput,
  reopenCaseInput,
  type UpdateCaseInput,
  updateCaseInput,
} from './inputs.js'
import { formatReference, parseReference } from './reference.js'
import { decideUpdate, eventsOf } from './updating.js'

export interface CasesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly calendar: BusinessCalendar
  readonly newId: NewId
  /** Called after a commit that may have left something to deliver. */
  readonly committed: () => void
  /** By which channels reports can be sent. */
  readonly letterChannels: readonly LetterChannel[]
}

export interface ClosedResult {
  readonly id: number
  readonly reference: string
  readonly statut: 'clos'
  readonly date_cloture: string
  readonly hash_sha256: string
  readonly preuve: { readonly sequence: number; readonly hash_entree: string }
  readonly pv: Pick<PvState, 'statut'>
}

/** Everything that anyone needs to check one close by hand. */
export interface ProofBundle {
  /** The canonical JSON whose SHA-256 is `hash_sha256`; null when it was erased. */
  readonly snapshot: string | null
  readonly hash_sha256: string
  readonly entree: EvidenceEntry
  readonly precedente: EvidenceEntry | null
  readonly suivante: EvidenceEntry | null
  /** When the snapshot was erased, and by which entry. */
  readonly effacement: Erasure | null
  /** The oldest time stamp (RFC 3161) that covers the entry; `token` is the authority's answer, DER in base64. */
  readonly horodatage: {
    readonly sequence: number
    readonly hash_entree: string
    readonly date: string
    readonly token: string
  } | null
}

/**
 * The cases of an account. Inputs are checked here: each method that takes one throws ValidationError naming every bad
 * field, CaseNotFoundError for a case that the actor's account does not hold, and UnavailableError when the store is
 * busy or away; a method that throws has written nothing.
 */
export interface Cases {
  create(actor: Actor, input: CreateCaseInput): Promise<{ id: number; reference: string }>
  /** `id` may be a reference, `SAV-2026-00001`. */
  get(account_id: string, id: number | string): Promise<CaseDetail>
  list(account_id: string, input: ListCasesInput): Promise<Paged<CaseSummary> & { page: number; limite: number }>
  /**
   * @param ifVersion versions that the caller has read; VersionMismatchError when the case is at none of them
   * @throws ConflictError when the case's status forbids the change
   */
  update(actor: Actor, id: number, input: UpdateCaseInput, ifVersion?: readonly number[]): Promise<CaseDetail>
  /** @throws CaseAlreadyClosedError carrying the hash that stands */
  close(actor: Actor, id: number, input: CloseCaseInput): Promise<ClosedResult>
  /** @throws ConflictError when the case is not closed */
  reopen(actor: Actor, id: number, input: ReopenCaseInput): Promise<CaseDetail>
  /** @param sequence an earlier close; the latest without it. @throws NotFoundError when there is no such entry */
  proof(account_id: string, id: number, sequence?: number): Promise<ProofBundle>
  /**
   * The reception report of the latest close, as PDF.
   * @throws NotFoundError when there is none, UnavailableError for the moments until it is drawn
   */
  report(account_id: string, id: number): Promise<StoredFile>
  /** @throws NotFoundError unless this case holds the file */
  file(account_id: string, id: number, sha256: string): Promise<StoredFile>
}

export function createCases(deps: CasesDeps): Cases {
  const { storage, clock, calendar, newId, committed, letterChannels } = deps
  const now = () => toInstant(clock.now())

  const transaction = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const result = await storage.transaction(work)
    committed()
    return result
  }

  return {
    async create(actor, input) {
      const { account_id } = actor
      const valid = await parseWith(createCaseInput, input, clientProblem(storage, account_id))
      const files = valid.photos.filter((photo) => 'content' in photo)
      const photos: Photo[] = valid.photos.map((photo) => ('url' in photo ? photo : { sha256: photo.sha256 }))

      return transaction(async (tx) => {
        const ms = clock.now()
        const at = toInstant(ms)
        const annee = calendar.yearAt(ms)
        const numero = await tx.cases.nextNumber(account_id, annee)
        const reference = formatReference({ annee, numero })
        const { client_id, description, type_probleme, priorite } = valid
        // Side by side, and both before anything else: what is only written from here on goes to the store in few statements.
        const [id, targets] = await Promise.all([
          tx.cases.insert({
            account_id,
            annee,
            numero,
            client_id,
            description,
            type_probleme,
            priorite,
            photos,
            date_creation: at,
          }),
          tx.outbox.subscribers(account_id, 'sav.created'),
        ])
        for (const file of files) await tx.files.put(account_id, id, file)
        await tx.cases.appendHistory(account_id, id, [historyEntry(actor, at, 'creation')])
        const subject = { ...valid, id, reference, client: { id: client_id }, poseur_assigne: null, version: 1 }
        const data = caseEventData({ ...subject, statut: 'ouvert' }, [])
        await emitTo(tx, newId, { account_id, event: 'sav.created', at, data }, targets)
        return { id, reference }
      })
    },

    async get(account_id, id) {
      const reference = typeof id === 'string' ? parseReference(id) : undefined
      const found =
        typeof id === 'number'
          ? await storage.cases.find(account_id, id)
          : reference && (await storage.cases.findByReference(account_id, reference))
      if (!found) throw new CaseNotFoundError(id)
      return detail(storage, found)
    },

    async list(account_id, input) {
      const { page, limite, depuis, modifie_depuis, recherche, ...filter } = parse(listCasesInput, input)
      const found = await storage.cases.list(
        account_id,
        {
          ...filter,
          depuis: depuis && calendar.instantOf(depuis),
          modifie_depuis: modifie_depuis && calendar.instantOf(modifie_depuis),
          recherche: recherche && fold(recherche),
        },
        { page, limite },
      )
      return { ...found, page, limite }
    },

    async update(actor, id, input, ifVersion) {
      const { account_id } = actor
      const valid = await parseWith(updateCaseInput, input, poseurProblem(storage, account_id))
      return transaction(async (tx) => {
        const found = await lock(tx, actor, id)
        if (ifVersion && !ifVersion.includes(found.version))
          throw new VersionMismatchError(found.reference, found.version)
        const changes = decideUpdate(found, valid)
        if (changes.length === 0) return detail(tx, found)

        const at = now()
        await tx.cases.update(found, { ...valid, date_modification: at, version: found.version + 1 })
        const entries = changes.map((change) => historyEntry(actor, at, 'modification', { change }))
        await tx.cases.appendHistory(account_id, id, entries)
        const updated = await lock(tx, actor, id)
        for (const [event, itsChanges] of eventsOf(changes)) {
          await emit(tx, newId, { account_id, event, at, data: caseEventData(updated, itsChanges) })
        }
        return detail(tx, updated)
      })
    },

    async close(actor, id, input) {
      const { account_id } = actor
      const valid = await parseWith(closeCaseInput, input, signatureProblem(storage, account_id))
      return transaction(async (tx) => {
        const found = await lock(tx, actor, id)
        if (found.statut === 'clos') return refuseSecondClose(tx, found)
        const account = await tx.accounts.find(account_id)
        const client = await tx.directory.findClient(account_id, found.client.id)
        if (account === null || client === null) throw new NotFoundError('account', account_id)

        const at = now()
        const { closed, closing, files } = decideClose(found, valid, at)
        for (const file of files) await tx.files.put(account_id, id, file)
        await tx.cases.update(found, { statut: 'clos', closing, date_modification: at, version: closed.version })
        const snapshot = snapshotOf(closed, account, client)
        const { reference } = closed
        const recorded = { account: account_id, case_id: id, reference, date: at, snapshot }
        const entry = nextEntry(await tx.evidence.lockHead(account_id), recorded)
        await tx.evidence.append(entry, snapshot)

        const change = statutChange(found.statut, 'clos')
        await tx.cases.appendHistory(account_id, id, [
          historyEntry(actor, at, 'cloture', { change, commentaire: valid.resolution }),
        ])
        const data = caseEventData(closed, [change], entry)
        await emit(tx, newId, { account_id, event: 'sav.closed', at, data })
        const channels = channelsTo(client, letterChannels)
        const pv = await sendReport(tx, newId, { entry, channels })
        return {
          id,
          reference: closed.reference,
          statut: 'clos',
          date_cloture: at,
          hash_sha256: entry.hash_dossier,
          preuve: { sequence: entry.sequence, hash_entree: entry.hash_entree },
          pv,
        }
      })
    },

    async reopen(actor, id, input) {
      const { account_id } = actor
      const { motif } = parse(reopenCaseInput, input)
      return transaction(async (tx) => {
        const found = await lock(tx, actor, id)
        if (found.statut !== 'clos')
          throw new ConflictError(`Case ${found.reference} is ${found.statut}: only a closed case can be reopened.`)
        const at = now()
        const version = found.version + 1
        await tx.cases.update(found, { statut: 'en_cours', closing: null, date_modification: at, version })
        const change = statutChange('clos', 'en_cours')
        await tx.cases.appendHistory(account_id, id, [
          historyEntry(actor, at, 'reouverture', { change, commentaire: motif }),
        ])
        const data = caseEventData({ ...found, statut: 'en_cours', version }, [change])
        await emit(tx, newId, { account_id, event: 'sav.reopened', at, data })
        return detail(tx, await lock(tx, actor, id))
      })
    },

    async proof(account_id, id, sequence) {
      if ((await storage.cases.find(account_id, id)) === null) throw new CaseNotFoundError(id)
      const entries = await storage.evidence.ofCase(account_id, id)
      const entree = sequence === undefined ? entries.at(-1) : entries.find((entry) => entry.sequence === sequence)
      if (entree === undefined) throw new NotFoundError('evidence entry', sequence ?? `of case ${id}`)
      const kept = await storage.evidence.snapshot(account_id, entree.hash_dossier)
      const effacement = kept === null ? null : erasureOf(entree, kept)
      const stamp = await storage.evidence.stampOf(account_id, entree.sequence)
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
        precedente: await storage.evidence.find(account_id, entree.sequence - 1),
        suivante: await storage.evidence.find(account_id, entree.sequence + 1),
      }
    },

    async report(account_id, id) {
      const report = (await storage.reports.ofCase(account_id, id)).at(-1)
      const found = await storage.cases.find(account_id, id)
      if (found === null) throw new CaseNotFoundError(id)
      if (report === undefined || found.statut !== 'clos' || report.erased_at !== null)
        throw new NotFoundError('report', `of case ${id}`)
      const file = report.pdf && (await storage.files.find(account_id, id, report.pdf))
      if (!file) throw new UnavailableError('The report is being drawn.', { retryAfterSeconds: 1 })
      return file
    },

    async file(account_id, id, sha256) {
      const file = await storage.files.find(account_id, id, sha256)
      if (file === null) throw new NotFoundError('file', sha256)
      return file
    },
  }
}

async function detail(reads: Reads, found: SavCase): Promise<CaseDetail> {
  const { account_id, id } = found
  const historique = await reads.cases.history(account_id, id)
  const evidence = await reads.evidence.ofCase(account_id, id)
  return detailOf(found, { historique, evidence, pv: found.statut === 'clos' ? await pvOf(reads, found) : null })
}

async function pvOf(reads: Reads, { account_id, id }: SavCase): Promise<PvState | null> {
  const report = (await reads.reports.ofCase(account_id, id)).at(-1)
  if (report === undefined) return null
  const { event_id } = report
  return pvStateOf(report, event_id === null ? [] : await reads.webhooks.deliveriesOf(account_id, event_id))
}

async function lock(tx: Transaction, actor: Actor, id: number): Promise<SavCase> {
  const found = await tx.cases.lock(actor.account_id, id)
  if (found === null) throw new CaseNotFoundError(id)
  return found
}

async function refuseSecondClose(tx: Transaction, found: ClosedCase): Promise<never> {
  const entries = await tx.evidence.ofCase(found.account_id, found.id)
  throw new CaseAlreadyClosedError(found.reference, entries.at(-1)?.hash_dossier ?? '')
}
