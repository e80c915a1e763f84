import type {
  CaseSummary,
  CloseCaseInput,
  CreateCaseInput,
  ListCasesInput,
  SendReportInput,
  UpdateCaseInput,
} from '@sav/core'
import type { Context } from '../invocation/context.js'
import { usageError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { imageDataUri } from '../syntax/input-file.js'
import type { Column } from '../terminal/columns.js'
import { firstPart, type List, largestPage, listed } from '../terminal/listing.js'
import { type PeopleTime, peopleTime } from '../terminal/people-time.js'
import { fields, stateCell } from '../terminal/table.js'
import { watch } from '../terminal/watch.js'
import { caseParams } from './case-id.js'
import { casePage } from './case-page.js'

const watchMs = 2000

interface ListCasesOptions extends ListCasesInput {
  readonly all?: true
  /** Shows the list repeatedly, until the command is stopped. */
  readonly watch?: boolean
}

export async function listCases(
  context: Context,
  { all, watch: watched, ...query }: ListCasesOptions,
): Promise<Output | undefined> {
  const api = await context.api()
  const list: List<CaseSummary> = {
    largest: largestPage,
    get: (part) => api.get('/api/v1/sav', { query: { ...query, ...part } }),
    columns: caseColumns(peopleTime(context)),
    empty: 'No case found.',
  }
  return watched ? watch(context, () => firstPart(context, list), { everyMs: watchMs }) : listed(context, list, all)
}

const caseColumns = (local: PeopleTime): Column<CaseSummary>[] => [
  { field: 'id', head: 'ID', cell: ({ id }) => id, whole: true },
  { field: 'reference', head: 'REFERENCE', cell: ({ reference }) => reference, whole: true },
  { field: 'statut', head: 'STATUS', cell: ({ statut }) => stateCell(statut), whole: true },
  { field: 'priorite', head: 'PRIORITY', cell: ({ priorite }) => stateCell(priorite), whole: true },
  { field: 'date_creation', head: 'CREATED', cell: (row) => local.dayOf(row.date_creation), whole: true, spare: true },
  { field: 'client', head: 'CLIENT', cell: ({ client }) => `${client.prenom} ${client.nom}`.trim() },
  { field: 'poseur_assigne', head: 'POSEUR', cell: (row) => row.poseur_assigne?.nom ?? null },
  { field: 'description', head: 'DESCRIPTION', cell: ({ description }) => description },
]

export async function showCase(context: Context, id: string): Promise<Output> {
  const api = await context.api()
  const { data: found } = await api.get('/api/v1/sav/{id}', { params: await caseParams(api, id) })
  return { json: found, text: casePage(context, found) }
}

interface CreateCaseOptions extends Omit<CreateCaseInput, 'photos'> {
  readonly photo?: readonly string[]
}

export async function createCase(context: Context, { photo = [], ...options }: CreateCaseOptions): Promise<Output> {
  const api = await context.api()
  const photos = await photosOf(context, photo)
  const { data: created } = await api.post('/api/v1/sav', { body: { ...options, photos } })
  return { json: created, text: `Opened ${created.reference} (id ${created.id}).` }
}

/** The photos as the API takes them: links unchanged, files as data URIs. */
export async function photosOf(context: Context, given: readonly string[]): Promise<string[]> {
  const photos: string[] = []
  for (const file of given) photos.push(/^https?:/i.test(file) ? file : await imageDataUri(context, '--photo', file))
  return photos
}

interface UpdateCaseOptions extends Omit<UpdateCaseInput, 'poseur_id' | 'notes_internes'> {
  /** False (`--no-poseur-id`) removes the installer. */
  readonly poseur_id?: number | false
  /** False (`--no-notes-internes`) removes the notes. */
  readonly notes_internes?: string | false
}

export async function updateCase(context: Context, id: string, options: UpdateCaseOptions): Promise<Output> {
  const api = await context.api()
  const orNull = <Value>(value: Value | false | undefined) => (value === false ? null : value)
  const { poseur_id, notes_internes, ...others } = options
  const body = { ...others, poseur_id: orNull(poseur_id), notes_internes: orNull(notes_internes) }
  const { data: updated } = await api.put('/api/v1/sav/{id}', { params: await caseParams(api, id), body })
  return { json: updated, text: casePage(context, updated) }
}

/** The options of a close. Photos and signature are file names. */
interface CloseCaseOptions extends Partial<Omit<CloseCaseInput, 'reserves' | 'signature_client'>> {
  readonly signature?: string
  readonly reserve?: string[]
}

export async function closeCase(context: Context, id: string, options: CloseCaseOptions): Promise<Output> {
  const api = await context.api()
  const { resolution, ...others } = options
  // A close without any option is allowed: the case of an erased client is closed without any text.
  if (resolution === undefined && Object.keys(others).length > 0) throw usageError('--resolution: say what was done.')
  const body = resolution === undefined ? {} : await closingOf(context, { ...others, resolution })
  const { data: closed } = await api.post('/api/v1/sav/{id}/cloturer', { params: await caseParams(api, id), body })
  const nameless = closed.pv.statut === 'non_configure' ? [] : await namelessSender(context)
  const text = fields(context.terminal, [
    ['Closed', closed.reference],
    ['SHA-256', closed.hash_sha256],
    ['Chain', `entry ${closed.preuve.sequence}, ${closed.preuve.hash_entree}`],
    ['PV', closed.pv.statut],
  ])
  return { json: closed, text: [text, ...nameless].join('\n\n') }
}

async function closingOf(
  context: Context,
  {
    resolution,
    photo_avant,
    photo_apres,
    signature,
    reserve,
    ...others
  }: CloseCaseOptions & Pick<CloseCaseInput, 'resolution'>,
): Promise<CloseCaseInput> {
  const image = async (flag: string, file: string | undefined) => file && (await imageDataUri(context, flag, file))
  return {
    ...others,
    resolution,
    photo_avant: await image('--photo-avant', photo_avant),
    photo_apres: await image('--photo-apres', photo_apres),
    signature_client: await image('--signature', signature),
    reserves: reserve,
  }
}

export async function reopenCase(context: Context, id: string, { motif }: { motif: string }): Promise<Output> {
  const api = await context.api()
  const params = await caseParams(api, id)
  const { data: reopened } = await api.post('/api/v1/sav/{id}/rouvrir', { params, body: { motif } })
  return { json: reopened, text: casePage(context, reopened) }
}

export interface SendReportOptions {
  readonly channel?: SendReportInput['canal']
}

export async function sendReport(context: Context, id: string, { channel }: SendReportOptions): Promise<Output> {
  const api = await context.api()
  const params = await caseParams(api, id)
  const { data: sent } = await api.post('/api/v1/sav/{id}/pv/envoyer', { params, body: { canal: channel } })
  const onItsWay = sent.pv.canaux.filter(({ statut }) => statut === 'en_file').map(({ canal }) => canal)
  const text = `The report of ${sent.reference} will be sent by ${onItsWay.join(' and ')}.`
  return { json: sent, text: [text, ...(await namelessSender(context))].join('\n') }
}

/** A hint if the report names no company. There is none for a remote service, whose account is not read. */
async function namelessSender({ remote, openAccount }: Context): Promise<string[]> {
  if (remote !== null) return []
  const { storage, account_id } = await openAccount()
  const account = await storage.reads.accounts.find(account_id)
  if (account?.raison_sociale !== null) return []
  return [`The report names no company: set one with sav accounts update ${account_id} --raison-sociale …`]
}
