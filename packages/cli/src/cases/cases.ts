import type { CloseCaseInput, CreateCaseInput, ListCasesInput, SendReportInput, UpdateCaseInput } from '@sav/core'
import type { SavClient } from '@sav/http-node/client'
import type { Context } from '../invocation/context.js'
import { usageError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { imageDataUri } from '../syntax/input-file.js'
import { largestPage } from '../syntax/options.js'
import { everything, type Listed, listing } from '../terminal/listing.js'
import { peopleTime } from '../terminal/people-time.js'
import { fields, stateCell, table } from '../terminal/table.js'
import { watch } from '../terminal/watch.js'
import { caseParams } from './case-id.js'
import { casePage } from './case-page.js'

export interface ListCasesOptions {
  readonly statut?: ListCasesInput['statut']
  readonly clientId?: number
  readonly poseurId?: number
  readonly depuis?: string
  readonly modifieDepuis?: string
  readonly priorite?: ListCasesInput['priorite']
  readonly typeProbleme?: ListCasesInput['type_probleme']
  readonly recherche?: string
  readonly limite?: number
  readonly page?: number
  /** Every page of it. */
  readonly all?: true
  /** Shown again and again, until it is stopped. */
  readonly watch?: boolean
}

const watchMs = 2000

export async function listCases(context: Context, options: ListCasesOptions): Promise<Output | undefined> {
  const api = await context.api()
  const look = () => casesListed(context, api, options)
  if (options.all)
    return everything<number>(context, (page) =>
      casesListed(context, api, { ...options, limite: largestPage, ...(page !== undefined && { page }) }),
    )
  return options.watch ? watch(context, look, { everyMs: watchMs }) : look()
}

async function casesListed(context: Context, api: SavClient, options: ListCasesOptions): Promise<Listed<number>> {
  const { clientId, poseurId, modifieDepuis, typeProbleme, statut, depuis, priorite, recherche, limite, page } = options
  const found = await api.get('/api/v1/sav', {
    query: {
      statut,
      client_id: clientId,
      poseur_id: poseurId,
      depuis,
      modifie_depuis: modifieDepuis,
      priorite,
      type_probleme: typeProbleme,
      recherche,
      limite,
      page,
    },
  })
  const local = peopleTime(context)
  const rows = found.data.map(({ id, reference, client, poseur_assigne, description, ...rest }) => [
    id,
    reference,
    stateCell(rest.statut),
    stateCell(rest.priorite),
    local.dayOf(rest.date_creation),
    `${client.prenom} ${client.nom}`,
    poseur_assigne?.nom ?? null,
    description,
  ])
  const listed = table(
    context.terminal,
    ['ID', 'REFERENCE', 'STATUT', 'PRIORITE', 'CREE', 'CLIENT', 'POSEUR', 'DESCRIPTION'],
    rows,
    'No case found.',
  )
  return listing(found, listed)
}

export async function showCase(context: Context, id: string): Promise<Output> {
  const api = await context.api()
  const { data: found } = await api.get('/api/v1/sav/{id}', { params: await caseParams(api, id) })
  return { json: found, text: casePage(context, found) }
}

export interface CreateCaseOptions {
  readonly clientId: number
  readonly description: string
  readonly priorite?: CreateCaseInput['priorite']
  readonly typeProbleme?: CreateCaseInput['type_probleme']
  readonly photo?: readonly string[]
}

export async function createCase(context: Context, options: CreateCaseOptions): Promise<Output> {
  const api = await context.api()
  const { clientId, description, priorite, typeProbleme, photo = [] } = options
  const photos: string[] = []
  for (const file of photo) photos.push(/^https?:/i.test(file) ? file : await imageDataUri(context, '--photo', file))
  const body = { client_id: clientId, description, priorite, type_probleme: typeProbleme, photos }
  const { data: created } = await api.post('/api/v1/sav', { body })
  return { json: created, text: `Opened ${created.reference} (id ${created.id}).` }
}

export interface UpdateCaseOptions {
  readonly statut?: UpdateCaseInput['statut']
  /** False: assigned to nobody. */
  readonly poseurId?: number | false
  /** False: without notes. */
  readonly notesInternes?: string | false
  readonly priorite?: UpdateCaseInput['priorite']
  readonly typeProbleme?: UpdateCaseInput['type_probleme']
}

export async function updateCase(context: Context, id: string, options: UpdateCaseOptions): Promise<Output> {
  const api = await context.api()
  const { statut, poseurId, notesInternes, priorite, typeProbleme } = options
  const body = {
    statut,
    poseur_id: poseurId === false ? null : poseurId,
    notes_internes: notesInternes === false ? null : notesInternes,
    priorite,
    type_probleme: typeProbleme,
  }
  const { data: updated } = await api.put('/api/v1/sav/{id}', { params: await caseParams(api, id), body })
  return { json: updated, text: casePage(context, updated) }
}

export interface CloseCaseOptions {
  /** Not given where the client was erased: nothing is written about that person. */
  readonly resolution?: string
  readonly photoAvant?: string
  readonly photoApres?: string
  readonly signature?: string
  readonly signataireNom?: string
  readonly reserve?: string[]
}

export async function closeCase(context: Context, id: string, options: CloseCaseOptions): Promise<Output> {
  const api = await context.api()
  const body = await closingOf(context, options)
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
  { resolution, ...options }: CloseCaseOptions,
): Promise<CloseCaseInput | Record<string, never>> {
  if (resolution === undefined) {
    if (Object.keys(options).length > 0) throw usageError('--resolution: say what was done.')
    return {}
  }
  const image = async (flag: string, file: string | undefined) => file && (await imageDataUri(context, flag, file))
  return {
    resolution,
    photo_avant: await image('--photo-avant', options.photoAvant),
    photo_apres: await image('--photo-apres', options.photoApres),
    signature_client: await image('--signature', options.signature),
    signataire_nom: options.signataireNom,
    reserves: options.reserve,
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
  const text = `The report of ${sent.reference} is on its way by ${onItsWay.join(' and ')}.`
  return { json: sent, text: [text, ...(await namelessSender(context))].join('\n') }
}

/** What to say where a report goes out that names no company; of a service only its own doctor knows. */
async function namelessSender({ remote, openAccount }: Context): Promise<string[]> {
  if (remote !== null) return []
  const { storage, account_id } = await openAccount()
  const account = await storage.reads.accounts.find(account_id)
  if (account?.raison_sociale !== null) return []
  return [`It names no company: say whose it is with sav accounts update ${account_id} --raison-sociale …`]
}
