import * as z from 'zod'
import type { Actor } from '../access/actor.js'
import { conflict, found } from '../errors.js'
import type { Inputs } from '../input-types.gen.js'
import { withHealth } from '../receivers/receiver-records.js'
import type { Reads, Storage } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { type BusinessCalendar, hourMs, minuteMs, toInstant } from '../time/time.js'
import { type CursorPage, cursor, cursorPage, followsOrder, listOrder, textInPlace } from '../values/cursor.js'
import { lazily } from '../values/lazily.js'
import { dateOrInstant, nameOrId, parse } from '../values/validation.js'
import { type DeliveryState, deliveryStates } from '../values/vocabulary.js'
import type { WritesOf } from '../write.js'
import type { Delivery, DeliveryDetail, DeliveryHealth, DeliveryView, EndpointActivity } from './delivery.js'
import { everyLetter, invitationEvent, isLetter, type LetterAccess, withoutAddresses } from './letter-access.js'

const newestFirst = listOrder('deliveries', textInPlace, textInPlace)

/**
 * Filters of the history, all of which must match. `since` is a local day or an instant, inclusive. A page has at most
 * 1000 deliveries, 50 by default.
 */
export const historyInput = lazily(() =>
  z
    .strictObject({
      state: z.enum(deliveryStates).optional(),
      endpoint_id: nameOrId().optional(),
      event: nameOrId().optional(),
      since: dateOrInstant().optional(),
      curseur: cursor(),
      limite: z.int().min(1).max(1000).default(50).describe('The maximum number of deliveries on a page.'),
    })
    .check(followsOrder(() => newestFirst)),
)
/** What `webhooks.deliveries.list` takes. */
export type HistoryInput = Inputs['history']

/** A page of deliveries, newest first. A delivery added while pages are read does not shift them. */
export type DeliveryPage = CursorPage<DeliveryView>

export interface Deliveries {
  /** @throws NotFoundError */
  activity(account_id: string, endpoint_id: string): Promise<EndpointActivity>
  health(account_id: string): Promise<DeliveryHealth>
  /** A page of deliveries, newest first. Letters that the caller may not see are left out. */
  list(account_id: string, input: HistoryInput, letters?: LetterAccess): Promise<DeliveryPage>
  /** @throws NotFoundError, also for a letter that the caller may not see */
  get(account_id: string, id: string, letters?: LetterAccess): Promise<DeliveryDetail>
  /**
   * Opens a new run of attempts, the first one due at once.
   * @throws NotFoundError, also for a letter that the caller may not send; ConflictError for an invitation, for a
   *   removed endpoint, and during an attempt
   */
  retry(actor: Actor, id: string, letters?: LetterAccess): Promise<DeliveryView>
}

export interface DeliveryQueriesDeps {
  readonly reads: Reads
  readonly storage: Pick<Storage, 'describe'>
  /** The names of the channels for letters. */
  readonly letterChannels: readonly string[]
  readonly clock: Pick<Clock, 'now'>
  readonly calendar: BusinessCalendar
}

export function deliveryQueries({
  reads,
  storage,
  letterChannels,
  clock,
  calendar,
}: DeliveryQueriesDeps): Pick<Deliveries, 'get' | 'list' | 'activity' | 'health'> {
  return {
    async activity(account_id, endpoint_id) {
      const endpoint = found(await reads.endpoints.find(account_id, endpoint_id), 'endpoint', endpoint_id)
      const now = clock.now()
      const thisHour = Math.floor(now / hourMs) * hourMs
      const starts = Array.from({ length: 24 }, (_, hour) => toInstant(thisHour - (23 - hour) * hourMs))
      const counted = await reads.deliveries.activity(account_id, endpoint_id, starts[0] ?? '')
      const numberOf = (debut: string, state: DeliveryState) =>
        counted.find((each) => debut.startsWith(each.heure) && each.state === state)?.nombre ?? 0
      const newest = await reads.deliveries.list(account_id, { endpoint_id, limit: 100 })
      const [health] = await withHealth(reads, account_id, { endpoints: [endpoint], now })
      const failed = newest.find(({ last_error }) => last_error !== null)
      return {
        heures: starts.map((debut) => ({
          debut,
          livrees: numberOf(debut, 'delivered'),
          echecs: numberOf(debut, 'failed'),
          en_attente: numberOf(debut, 'pending'),
        })),
        derniere_erreur: failed
          ? {
              date: failed.created_at,
              statut: failed.last_status,
              erreur: failed.last_error ?? '',
              code: failed.last_error_code,
            }
          : null,
        sante: found(health ?? null, 'endpoint', endpoint_id).sante,
      }
    },

    async health(account_id) {
      const { deliveries } = reads
      const now = clock.now()
      const since = toInstant(now - 24 * hourMs)
      const [waiting, justDelivered, livrees_24h, echecs_24h, store] = await Promise.all([
        deliveries.waiting(account_id, toInstant(now)),
        deliveries.count(account_id, { state: 'delivered', since: toInstant(now - minuteMs) }),
        deliveries.count(account_id, { state: 'delivered', since }),
        deliveries.count(account_id, { state: 'failed', since }),
        storage.describe?.(),
      ])
      return {
        en_attente: waiting.total,
        dues: waiting.due,
        en_cours: waiting.in_flight,
        plus_ancienne: waiting.oldest,
        par_seconde: Math.round((justDelivered / 60) * 100) / 100,
        livrees_24h,
        echecs_24h,
        canaux: ['webhook', ...letterChannels],
        base: store ? { moteur: store.database, schema: store.schema } : null,
      }
    },

    async list(account_id, input, { see } = everyLetter) {
      const asked = parse(historyInput, input)
      const { limite, since, curseur, ...filter } = asked
      const listed = await reads.deliveries.list(account_id, {
        ...filter,
        letters: see,
        since: since && calendar.instantOf(since),
        after: curseur?.place,
        limit: limite + 1,
      })
      const page = cursorPage(newestFirst, asked, listed, ({ created_at, id }) => [created_at, id])
      const bodies = await reads.deliveries.bodies(account_id, eventsOf(page.items))
      return { ...page, items: page.items.map((delivery) => view(delivery, bodies.get(delivery.event_id))) }
    },

    async get(account_id, id, { see } = everyLetter) {
      const delivery = found(unlessLetter(await reads.deliveries.find(account_id, id), see), 'delivery', id)
      const attempts = await reads.deliveries.attempts(account_id, id)
      const body = await bodyOf(reads, delivery)
      return { ...view(delivery, body), attempts, body: isLetter(delivery) ? null : (body ?? null) }
    },
  }
}

export function deliveryWrites({ clock }: { readonly clock: Clock }): WritesOf<Deliveries, 'retry'> {
  return {
    retry({ account_id }, id, { see, send } = everyLetter) {
      return {
        async write(tx) {
          const { event, channel, endpoint_id } = found(
            unlessLetter(await tx.deliveries.find(account_id, id), send),
            'delivery',
            id,
          )
          if (event === invitationEvent) throw conflict('invitation_sent_once', { id })
          // Upkeep fails waiting deliveries to removed endpoints. A retry of a delivered one would end as failed, so it
          // is refused.
          if (channel === 'webhook' && (await tx.endpoints.find(account_id, endpoint_id)) === null)
            throw conflict('endpoint_removed', { id: endpoint_id })
          const opened = await tx.deliveries.reopen(account_id, id, toInstant(clock.now()))
          const delivery = found(await tx.deliveries.find(account_id, id), 'delivery', id)
          if (!opened) throw conflict('delivery_in_attempt', { id })
          const shown = view(delivery, await bodyOf(tx, delivery))
          return see ? shown : withoutAddress(shown)
        },
      }
    },
  }
}

/** Treats a letter that the caller may not see as missing. */
const unlessLetter = (delivery: Delivery | null, mayBe: boolean) =>
  delivery !== null && isLetter(delivery) && !mayBe ? null : delivery

const withoutAddress = (delivery: DeliveryView): DeliveryView => ({
  ...delivery,
  last_error: delivery.last_error && isLetter(delivery) ? withoutAddresses(delivery.last_error) : delivery.last_error,
})

const eventsOf = (deliveries: readonly Delivery[]) => [...new Set(deliveries.map(({ event_id }) => event_id))]

const bodyOf = async ({ deliveries }: Pick<Reads, 'deliveries'>, { account_id, event_id }: Delivery) =>
  (await deliveries.bodies(account_id, [event_id])).get(event_id)

const view = ({ account_id: _, ...delivery }: Delivery, body: string | undefined): DeliveryView => ({
  ...delivery,
  reference: body === undefined ? null : referenceIn(body),
})

/** The reference in an event's body: that of the case, or of the appointment's case. */
function referenceIn(body: string): string | null {
  const event: { data?: { reference?: string; sav?: { reference: string } | null } } = JSON.parse(body)
  return event.data?.reference ?? event.data?.sav?.reference ?? null
}
