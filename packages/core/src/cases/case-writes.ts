import type { Actor } from '../access/actor.js'
import { emit, emitTo } from '../delivery/outbox.js'
import { type AccountLimits, refuseBeyond } from '../directory/account-limits.js'
import type { Account, Client } from '../directory/directory.js'
import { refuseErased, saysNothing } from '../directory/erased-client.js'
import {
  CaseAlreadyClosedError,
  CaseNotFoundError,
  ClientErasedError,
  conflict,
  NotFoundError,
  VersionMismatchError,
} from '../errors.js'
import { addendaOf } from '../evidence/addenda.js'
import { nextEntry } from '../evidence/evidence.js'
import { chained, erasedText, newSalt, noLine } from '../evidence/history-chain.js'
import type { Photo } from '../files/stored-file.js'
import type { LetterChannel } from '../letters/letter.js'
import { reason } from '../refusals/reason.js'
import { channelsTo, sendReport } from '../reports/sending.js'
import type { Reads, Storage, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { type BusinessCalendar, toInstant } from '../time/time.js'
import type { NewId } from '../values/ids.js'
import type { Random } from '../values/random.js'
import { parse, parseWith } from '../values/validation.js'
import type { RdvResultat } from '../values/vocabulary.js'
import { preparedWrite, type Write, type WritesOf } from '../write.js'
import type { CaseDetail, ClosedCase, ClosedResult, OpenCase, SavCase } from './case.js'
import { changeCase } from './case-changes.js'
import { caseEventData, closedEventData } from './case-events.js'
import type { Cases } from './cases.js'
import { clientProblem, poseurProblem, signatureProblem } from './checks.js'
import { decideClose, filesOf, type OnSiteClose } from './closing.js'
import { detailIn } from './detail.js'
import { historyEntry, recordChange, statutChange } from './history.js'
import {
  type CaseCloseRequest,
  type CloseCaseInput,
  type CreateCaseInput,
  closeCaseInput,
  closeErasedInput,
  closingOfErased,
  createCaseInput,
  type ReopenCaseInput,
  reopenCaseInput,
  type UpdateCaseInput,
  updateCaseInput,
} from './inputs.js'
import { formatReference } from './reference.js'
import { snapshotOf } from './snapshot.js'

export interface CaseWritesDeps extends CloseDeps {
  readonly storage: Pick<Storage, 'outsideFiles'>
  readonly reads: Reads
  readonly clock: Clock
  readonly calendar: BusinessCalendar
  readonly limits: AccountLimits
  /** Ends the visit that a close names. It runs before the snapshot, which includes the intervention. See Hooks. */
  readonly endsVisit: (tx: Transaction, end: VisitEnd) => Promise<void>
}

/** The dependencies of a close. */
export interface CloseDeps {
  readonly newId: NewId
  readonly random: Random
  /** The channels that can send reports. */
  readonly letterChannels: readonly LetterChannel[]
  /** Called in the transaction of each close: see Hooks. */
  readonly caseCloses: (tx: Transaction, closed: Pick<SavCase, 'account_id' | 'id'>, at: string) => Promise<void>
}

/** An appointment that ends with its case. */
export interface VisitEnd {
  readonly actor: Actor
  /** The case that `lock` returned. */
  readonly dossier: OpenCase
  readonly rdv_id: number
  readonly resultat: RdvResultat
  readonly compte_rendu: string
  readonly pieces: NonNullable<CaseCloseRequest['pieces']>
  readonly at: string
}

export const caseWrites = (deps: CaseWritesDeps): WritesOf<Cases, 'create' | 'update' | 'close' | 'reopen'> => ({
  create: (actor, input) => creating(deps, actor, input),
  update: (actor, id, input, ifVersion) => updating(deps, actor, id, input, ifVersion),
  close: (actor, id, input) => closing(deps, actor, id, input),
  reopen: (actor, id, input) => reopening(deps, actor, id, input),
})

function creating(
  { storage, reads, clock, calendar, limits, newId, random }: CaseWritesDeps,
  actor: Actor,
  input: CreateCaseInput,
): Write<{ id: number; reference: string }> {
  const { account_id } = actor
  return preparedWrite({
    async prepare() {
      const valid = await parseWith(
        createCaseInput,
        input,
        clientProblem(reads, account_id),
        poseurProblem(reads, account_id),
      )
      const files = valid.photos.filter((photo) => 'content' in photo)
      const allowed = await limits.cases(reads, account_id)
      await limits.files(reads, account_id, files)
      await storage.outsideFiles?.upload(account_id, files)
      return { ...valid, files, allowed }
    },
    async write(tx, { files, allowed, poseur_id = null, photos: sent, ...valid }) {
      const photos: Photo[] = sent.map((photo) => ('url' in photo ? photo : { sha256: photo.sha256 }))
      const ms = clock.now()
      const at = toInstant(ms)
      const annee = calendar.yearAt(ms)
      const numero = await tx.cases.nextNumber(account_id, annee, { isLong: files.length > 0 })
      refuseBeyond(allowed, { annee, numero })
      const reference = formatReference({ annee, numero })
      const { links, head } = chained({ account_id, reference }, noLine, [historyEntry(actor, at, 'creation')], random)
      // These two run first and in parallel, so that the later writes need few round trips to the store.
      const [id, targets] = await Promise.all([
        tx.cases.insert({ ...valid, account_id, annee, numero, photos, date_creation: at, tete_historique: head }),
        tx.outbox.subscribers(account_id, 'sav.created'),
      ])
      for (const file of files) await tx.files.put(account_id, id, file)
      await tx.cases.appendHistory(account_id, id, links)
      const subject = { ...valid, id, reference, client: { id: valid.client_id }, poseur_assigne: null, version: 1 }
      const data = caseEventData({ ...subject, statut: 'ouvert' }, [])
      await emitTo(tx, newId, { account_id, event: 'sav.created', at, data }, targets)
      if (poseur_id !== null) {
        const found = await lock(tx, actor, id)
        await changeCase(tx, { actor, found, changes: { poseur_id }, at }, { newId, random })
      }
      return { id, reference }
    },
  })
}

function updating(
  { reads, clock, newId, random }: CaseWritesDeps,
  actor: Actor,
  id: number,
  input: UpdateCaseInput,
  ifVersion?: readonly number[],
): Write<CaseDetail> {
  return preparedWrite({
    prepare: () => parseWith(updateCaseInput, input, poseurProblem(reads, actor.account_id)),
    async write(tx, valid) {
      const found = await lock(tx, actor, id)
      if (ifVersion && !ifVersion.includes(found.version))
        throw new VersionMismatchError(
          reason('case_version_mismatch', { reference: found.reference, version: found.version }),
        )
      if (!saysNothing(valid.notes_internes))
        await refuseErased(tx, ofClient(found), 'write no notes about that person.')
      const updated = await changeCase(
        tx,
        { actor, found, changes: valid, at: toInstant(clock.now()) },
        { newId, random },
      )
      return detailIn(tx, updated)
    },
  })
}

function closing(
  deps: CaseWritesDeps,
  actor: Actor,
  id: number,
  input: CloseCaseInput | Record<string, never>,
): Write<ClosedResult> {
  const { storage, reads, clock, limits } = deps
  const { account_id } = actor
  return preparedWrite({
    async prepare() {
      if (Object(input).resolution === undefined && (await isAboutErased(reads, account_id, id)))
        return { ...parse(closeErasedInput, input), ...closingOfErased }
      const valid = await parseWith(closeCaseInput, input, signatureProblem(reads, account_id))
      await limits.files(reads, account_id, filesOf(valid))
      await storage.outsideFiles?.upload(account_id, filesOf(valid))
      return valid
    },
    async write(tx, valid) {
      const dossier = await lockOpen(tx, actor, id)
      const account = await tx.accounts.find(account_id)
      const client = await tx.directory.findClient(account_id, dossier.client.id)
      if (account === null || client === null) throw new NotFoundError('account', account_id)
      if (client.efface_le !== null && valid.resolution !== erasedText)
        throw new ClientErasedError(client.id, 'close the case without any field.')

      const at = toInstant(clock.now())
      const { rdv_id, resultat = 'resolu', resolution: compte_rendu, pieces = [] } = valid
      if (rdv_id !== undefined) await deps.endsVisit(tx, { actor, dossier, rdv_id, resultat, compte_rendu, pieces, at })
      const found = rdv_id === undefined ? dossier : await lockOpen(tx, actor, id)
      return closeIn(tx, { actor, account, client, found, input: valid, at }, deps)
    },
  })
}

interface Close {
  readonly actor: Actor
  readonly account: Account
  readonly client: Client
  /** The case that `lock` returned. */
  readonly found: OpenCase
  readonly input: CaseCloseRequest
  readonly at: string
  readonly onSite?: OnSiteClose
}

/** Closes a case: writes its evidence, ends its appointments, and requests its report. */
export async function closeIn(
  tx: Transaction,
  { actor, account, client, found, input, at, onSite }: Close,
  { newId, random, letterChannels, caseCloses }: CloseDeps,
): Promise<ClosedResult> {
  const { account_id, id, reference } = found
  const { closed, closing, files } = decideClose(found, input, at, onSite)
  for (const file of files) await tx.files.put(account_id, id, file)
  const change = statutChange(found.statut, 'clos')
  const lines = [historyEntry(actor, at, 'cloture', { change, commentaire: input.resolution })]
  const sel_notes = found.notes_internes === null ? null : newSalt(random)
  const changes = { statut: 'clos', closing, sel_notes, date_modification: at, lines } as const
  const historique = await recordChange(tx, random, found, changes)
  const [held, interventions, told] = await Promise.all([
    tx.files.ofCase(account_id, id),
    tx.cases.interventions(account_id, id),
    tx.cases.history(account_id, id),
  ])
  const context = { account, client, historique, held, interventions, addenda: addendaOf(told) }
  const snapshot = snapshotOf({ ...closed, sel_notes }, context)
  const recorded = { account: account_id, case_id: id, reference, date: at, snapshot }
  const entry = nextEntry(await tx.evidence.lockHead(account_id), recorded)
  await tx.evidence.append(entry, snapshot)

  const data = closedEventData(closed, [change], entry)
  await emit(tx, newId, { account_id, event: 'sav.closed', at, data })
  await caseCloses(tx, closed, at)
  const pv = await sendReport(tx, newId, { entry, channels: channelsTo(client, letterChannels) })
  return {
    id,
    reference,
    statut: 'clos',
    date_cloture: at,
    hash_sha256: entry.hash_dossier,
    preuve: { sequence: entry.sequence, hash_entree: entry.hash_entree },
    pv,
  }
}

function reopening(
  { clock, newId, random }: CaseWritesDeps,
  actor: Actor,
  id: number,
  input: ReopenCaseInput,
): Write<CaseDetail> {
  const { account_id } = actor
  const { motif } = parse(reopenCaseInput, input)
  return {
    async write(tx) {
      const found = await lock(tx, actor, id)
      if (found.statut !== 'clos')
        throw conflict('case_not_closed', { reference: found.reference, statut: found.statut })
      await refuseErased(tx, ofClient(found), 'the case stays closed.')
      const at = toInstant(clock.now())
      const version = found.version + 1
      const change = statutChange('clos', 'en_cours')
      const lines = [historyEntry(actor, at, 'reouverture', { change, commentaire: motif })]
      await recordChange(tx, random, found, { statut: 'en_cours', closing: null, date_modification: at, lines })
      const data = caseEventData({ ...found, statut: 'en_cours', version }, [change])
      await emit(tx, newId, { account_id, event: 'sav.reopened', at, data })
      return detailIn(tx, await lock(tx, actor, id))
    },
  }
}

const ofClient = ({ account_id, client }: SavCase) => ({ account_id, client_id: client.id })

async function isAboutErased(reads: Reads, account_id: string, id: number): Promise<boolean> {
  const found = await reads.cases.find(account_id, id)
  const client = found && (await reads.directory.findClient(account_id, found.client.id))
  return client !== null && client.efface_le !== null
}

async function lock(tx: Transaction, actor: Actor, id: number): Promise<SavCase> {
  const found = await tx.cases.lock(actor.account_id, id)
  if (found === null) throw new CaseNotFoundError(id)
  return found
}

/** @throws CaseAlreadyClosedError */
async function lockOpen(tx: Transaction, actor: Actor, id: number): Promise<OpenCase> {
  const found = await lock(tx, actor, id)
  return found.statut === 'clos' ? refuseSecondClose(tx, found) : found
}

async function refuseSecondClose(tx: Transaction, found: ClosedCase): Promise<never> {
  const entries = await tx.evidence.ofCase(found.account_id, found.id)
  throw new CaseAlreadyClosedError(found.reference, entries.at(-1)?.hash_dossier ?? '')
}
