import { type Cases, NotFoundError } from '@sav/core'
import { createClient } from '@sav/http-node/client'
import { type CaseOnTheWire, caseOnTheWire } from '@sav/http-node/links'
import type { Context } from '../invocation/context.js'
import { answered } from '../invocation/service-answer.js'
import type { Settings } from '../settings/settings.js'

/** What can be done with cases here, and over the network. */
export interface ReachableCases {
  list(input: Parameters<Cases['list']>[1]): ReturnType<Cases['list']>
  /** By its id or its reference, as the API shows it. */
  get(id: number | string): Promise<CaseOnTheWire>
  create(input: Parameters<Cases['create']>[1]): ReturnType<Cases['create']>
  sendReport(id: number, input: Parameters<Cases['sendReport']>[2]): ReturnType<Cases['sendReport']>
}

/** Of the service that SAV_URL names, or of the store. */
export async function reachableCases(context: Context): Promise<ReachableCases> {
  const { remote } = context.settings
  if (remote !== null) return remoteCases(remote)
  const { sav, account_id, actor } = await context.openAccount()
  return {
    list: (input) => sav.cases.list(account_id, input),
    get: async (id) => caseOnTheWire(await sav.cases.get(account_id, id)),
    create: (input) => sav.cases.create(actor, input),
    sendReport: (id, input) => sav.cases.sendReport(actor, id, input),
  }
}

function remoteCases({ url, key }: NonNullable<Settings['remote']>): ReachableCases {
  const client = createClient({ baseUrl: url, key })
  const list: ReachableCases['list'] = async (query) => {
    const { data, pagination } = await answered(url, client.get('/api/v1/sav', { query }))
    return { items: data, ...pagination }
  }
  return {
    list,
    async get(id) {
      const params = { id: typeof id === 'number' ? id : await idOfReference(id) }
      return (await answered(url, client.get('/api/v1/sav/{id}', { params }))).data
    },
    create: async (body) => (await answered(url, client.post('/api/v1/sav', { body }))).data,
    sendReport: async (id, body) =>
      (await answered(url, client.post('/api/v1/sav/{id}/pv/envoyer', { params: { id }, body }))).data,
  }

  async function idOfReference(reference: string): Promise<number> {
    const { items } = await list({ recherche: reference })
    const found = items.find((each) => each.reference === reference)
    if (found === undefined) throw new NotFoundError('case', reference)
    return found.id
  }
}
