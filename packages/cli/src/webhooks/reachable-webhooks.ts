import { setTimeout } from 'node:timers/promises'
import { ConflictError, createReplaySteps, type DeliveryView, type Sav } from '@sav/core'
import { SavApiError } from '@sav/http-node/client'
import { systemClock } from '@sav/http-node/runtime'
import { CommandError } from '../invocation/command-error.js'
import type { Context, OpenedAccount } from '../invocation/context.js'
import { type Reachable, reach, type Service } from '../invocation/reachable.js'
import { reasonIn } from '../invocation/service-answer.js'

type Webhooks = Sav['webhooks']

/** Receivers and what was sent to them, of the store or over the network. */
export interface ReachableWebhooks {
  readonly endpoints: Reachable<Webhooks['endpoints'], Exclude<keyof Webhooks['endpoints'], 'reseal'>>
  /** The URLs of endpoints by their ids: all that can be told of them without the secret key. */
  urls(): Promise<ReadonlyMap<string, string>>
  readonly deliveries: Reachable<Webhooks['deliveries'], 'list' | 'get' | 'retry'>
  readonly replays: Reachable<Webhooks['replays'], 'preview' | 'start' | 'get' | 'cancel'> & {
    /** Carries one on, or waits for the service that does. */
    advance(): Promise<unknown>
  }
}

/** Between two looks at how far a service has come. */
const lookMs = 250

export function reachableWebhooks(context: Context): Promise<ReachableWebhooks> {
  return reach(context, { here: webhooksHere, there: webhooksThere })
}

function webhooksHere({ sav, storage, account_id, actor, perform }: OpenedAccount): ReachableWebhooks {
  const { writes } = sav
  const { endpoints, deliveries, replays } = sav.webhooks
  return {
    endpoints: {
      list: () => endpoints.list(account_id),
      get: (id) => endpoints.get(account_id, id),
      add: (input) => perform(writes.endpoints.add(actor, input)),
      update: (id, input) => perform(writes.endpoints.update(actor, id, input)),
      enable: (id) => perform(writes.endpoints.enable(actor, id)),
      disable: (id) => perform(writes.endpoints.disable(actor, id)),
      remove: (id) => perform(writes.endpoints.remove(actor, id)),
      rotateSecret: (id, input) => perform(writes.endpoints.rotateSecret(actor, id, input)),
      test: (id, example) => perform(writes.endpoints.test(actor, id, example)),
    },
    urls: async () => urlsOf(await storage.reads.endpoints.list(account_id)),
    deliveries: {
      list: (input) => deliveries.list(account_id, input),
      get: (id) => deliveries.get(account_id, id),
      retry: (id) => perform(writes.deliveries.retry(actor, id)),
    },
    replays: {
      preview: (input) => replays.preview(account_id, input),
      start: (input) => perform(writes.replays.start(actor, input)),
      get: (id) => replays.get(account_id, id),
      cancel: (id) => perform(writes.replays.cancel(actor, id)),
      advance: createReplaySteps({ storage, clock: systemClock }),
    },
  }
}

function webhooksThere({ client, answer, data, listed }: Service): ReachableWebhooks {
  const one = (endpoint: string) => ({ params: { endpoint } })
  const ofDelivery = (delivery: string) => ({ params: { delivery } })
  const ofReplay = (replay: string) => ({ params: { replay } })
  return {
    endpoints: {
      list: () => data(client.get('/api/v1/webhooks')),
      get: (id) => data(client.get('/api/v1/webhooks/{endpoint}', one(id))),
      add: (body) => data(client.post('/api/v1/webhooks', { body })),
      update: (id, body) => data(client.put('/api/v1/webhooks/{endpoint}', { ...one(id), body })),
      enable: (id) => data(client.post('/api/v1/webhooks/{endpoint}/activer', one(id))),
      disable: (id) => data(client.post('/api/v1/webhooks/{endpoint}/desactiver', one(id))),
      async remove(id) {
        await data(client.delete('/api/v1/webhooks/{endpoint}', one(id)))
      },
      rotateSecret: (id, body) =>
        data(client.post('/api/v1/webhooks/{endpoint}/renouveler-secret', { ...one(id), body })),
      test: (id, example) =>
        data(client.post('/api/v1/webhooks/{endpoint}/tester', { ...one(id), body: { event: example?.event } })),
    },
    urls: async () => urlsOf(await data(client.get('/api/v1/webhooks'))),
    deliveries: {
      list: (query) => listed(client.get('/api/v1/webhooks/livraisons', { query })),
      get: (id) => data(client.get('/api/v1/webhooks/livraisons/{delivery}', ofDelivery(id))),
      retry: (id) =>
        data(client.post('/api/v1/webhooks/livraisons/{delivery}/rejouer', ofDelivery(id))).catch((error: unknown) => {
          throw conflictIn(error) ?? error
        }),
    },
    replays: {
      async preview(input) {
        const body = { ...input, dry_run: true }
        const { matched } = await data(client.post('/api/v1/webhooks/livraisons/rejouer', { body }))
        return { matched }
      },
      async start(body) {
        const { data: started } = await answer(client.post('/api/v1/webhooks/livraisons/rejouer', { body }))
        if (!('id' in started)) throw new TypeError('The service counted, and began no replay.')
        return started
      },
      get: (id) => data(client.get('/api/v1/webhooks/livraisons/rejouer/{replay}', ofReplay(id))),
      cancel: (id) => data(client.post('/api/v1/webhooks/livraisons/rejouer/{replay}/annuler', ofReplay(id))),
      advance: () => setTimeout(lookMs),
    },
  }
}

const urlsOf = (endpoints: readonly { readonly id: string; readonly url: string }[]): ReadonlyMap<string, string> =>
  new Map(endpoints.map(({ id, url }) => [id, url]))

/** Whom it goes to, as a list names them. */
export function hostOf(urls: ReadonlyMap<string, string>, { endpoint_id }: Pick<DeliveryView, 'endpoint_id'>): string {
  const url = urls.get(endpoint_id)
  return url === undefined ? endpoint_id : new URL(url).host
}

/** Null for anything else. */
function conflictIn(error: unknown): ConflictError | null {
  if (!(error instanceof CommandError && error.cause instanceof SavApiError && error.cause.status === 409)) return null
  const { code, params } = error.cause
  return new ConflictError(reasonIn({ code, params, message: error.message }))
}
