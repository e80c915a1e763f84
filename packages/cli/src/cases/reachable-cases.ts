import { type Cases, NotFoundError } from '@sav/core'
import { type CaseOnTheWire, caseOnTheWire } from '@sav/http-node/links'
import type { Context, OpenedAccount } from '../invocation/context.js'
import { type Reachable, reach, type Service } from '../invocation/reachable.js'

/** Bytes and their media type. */
interface SavedFile {
  readonly media_type: string
  readonly content: Uint8Array
}

/** What can be done with cases, which show themselves as the API has them; an id may be a reference. */
export interface ReachableCases extends Reachable<Cases, 'list' | 'create'> {
  get(id: string): Promise<CaseOnTheWire>
  idOf(id: string): Promise<number>
  update(id: string, input: Parameters<Cases['update']>[2]): Promise<CaseOnTheWire>
  close(id: string, input: Parameters<Cases['close']>[2]): ReturnType<Cases['close']>
  reopen(id: string, input: Parameters<Cases['reopen']>[2]): Promise<CaseOnTheWire>
  sendReport(id: string, input: Parameters<Cases['sendReport']>[2]): ReturnType<Cases['sendReport']>
  /** Null: it is not drawn yet. */
  report(id: string): Promise<SavedFile | null>
  file(id: number, sha256: string): Promise<SavedFile>
}

export function reachableCases(context: Context): Promise<ReachableCases> {
  return reach(context, { here: casesHere, there: casesThere })
}

function casesHere({ sav: { cases, writes }, account_id, actor, perform }: OpenedAccount): ReachableCases {
  const idOf = (text: string) => caseIdOf(cases, account_id, text)
  return {
    list: (input) => cases.list(account_id, input),
    create: (input) => perform(writes.cases.create(actor, input)),
    get: async (id) => caseOnTheWire(await cases.get(account_id, idOrReference(id))),
    idOf,
    update: async (id, input) => caseOnTheWire(await perform(writes.cases.update(actor, await idOf(id), input))),
    close: async (id, input) => perform(writes.cases.close(actor, await idOf(id), input)),
    reopen: async (id, input) => caseOnTheWire(await perform(writes.cases.reopen(actor, await idOf(id), input))),
    sendReport: async (id, input) => perform(writes.cases.sendReport(actor, await idOf(id), input)),
    report: async (id) => cases.report(account_id, await idOf(id)),
    file: (id, sha256) => cases.file(account_id, id, sha256),
  }
}

function casesThere({ client, answer, data, listed }: Service): ReachableCases {
  const list: ReachableCases['list'] = (query) => listed(client.get('/api/v1/sav', { query }))

  async function paramsOf(text: string): Promise<{ id: number }> {
    const id = idOrReference(text)
    if (typeof id === 'number') return { id }
    const { items } = await list({ recherche: id })
    const found = items.find(({ reference }) => reference === id)
    if (found === undefined) throw new NotFoundError('case', id)
    return { id: found.id }
  }

  return {
    list,
    create: (body) => data(client.post('/api/v1/sav', { body })),
    get: async (id) => data(client.get('/api/v1/sav/{id}', { params: await paramsOf(id) })),
    idOf: async (id) => (await paramsOf(id)).id,
    update: async (id, body) => data(client.put('/api/v1/sav/{id}', { params: await paramsOf(id), body })),
    close: async (id, body) => data(client.post('/api/v1/sav/{id}/cloturer', { params: await paramsOf(id), body })),
    reopen: async (id, body) => data(client.post('/api/v1/sav/{id}/rouvrir', { params: await paramsOf(id), body })),
    sendReport: async (id, body) =>
      data(client.post('/api/v1/sav/{id}/pv/envoyer', { params: await paramsOf(id), body })),
    async report(id) {
      const { data: content } = await answer(client.get('/api/v1/sav/{id}/pv', { params: await paramsOf(id) }))
      return content instanceof Uint8Array ? { media_type: 'application/pdf', content } : null
    },
    async file(id, sha256) {
      const call = client.get('/api/v1/sav/{id}/fichiers/{sha256}', { params: { id, sha256 } })
      const { data: content, headers } = await answer(call)
      return { media_type: headers.get('content-type') ?? '', content }
    },
  }
}

/** @throws CaseNotFoundError for a reference that the account does not hold */
export async function caseIdOf(cases: Pick<Cases, 'get'>, account_id: string, text: string): Promise<number> {
  const id = idOrReference(text)
  return typeof id === 'number' ? id : (await cases.get(account_id, id)).id
}

/** A number that could be an id; anything else is looked for as a reference. */
function idOrReference(text: string): number | string {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : text
}
