import * as z from 'zod'
import { cursor, cursorOf } from '../cursor.js'
import { ConflictError, NotFoundError } from '../errors.js'
import type { Clock, Storage } from '../ports.js'
import { type BusinessCalendar, toInstant } from '../time.js'
import { dateOrInstant, parse } from '../validation.js'
import { type AttemptRecord, type Delivery, deliveryStates } from './delivery.js'

export const historyInput = z.strictObject({
  state: z.enum(deliveryStates).optional(),
  endpoint_id: z.string().optional(),
  event: z.string().optional(),
  since: dateOrInstant.optional(),
  /** Where the previous page ended, as its `curseur` said. */
  curseur: cursor('dlv').optional(),
  limite: z.int().min(1).max(1000).default(50),
})
export type HistoryInput = z.input<typeof historyInput>

export type DeliveryView = Omit<Delivery, 'account_id'>

export interface DeliveryPage {
  readonly items: DeliveryView[]
  /** Gives the next page; null on the last one. */
  readonly curseur: string | null
}

export interface Deliveries {
  /** Newest first. */
  history(account_id: string, input: HistoryInput): Promise<DeliveryPage>
  /** @throws NotFoundError */
  show(account_id: string, id: string): Promise<DeliveryView & { attempts: AttemptRecord[] }>
  /**
   * Opens a new run of attempts, the first one due at once.
   * @throws NotFoundError, ConflictError while an attempt is under way
   */
  retry(account_id: string, id: string): Promise<DeliveryView>
}

export function createDeliveries(deps: {
  readonly storage: Storage
  readonly clock: Clock
  readonly calendar: BusinessCalendar
  readonly committed: () => void
}): Deliveries {
  const { storage, clock, calendar, committed } = deps
  return {
    async history(account_id, input) {
      const { limite, since, curseur, ...filter } = parse(historyInput, input)
      const found = await storage.webhooks.listDeliveries(account_id, {
        ...filter,
        since: since && calendar.instantOf(since),
        after: curseur && { created_at: curseur.at, id: curseur.id },
        limit: limite + 1,
      })
      const items = found.slice(0, limite)
      const last = items.at(-1)
      return {
        items: items.map(view),
        curseur: found.length > limite && last ? cursorOf({ at: last.created_at, id: last.id }) : null,
      }
    },

    async show(account_id, id) {
      const delivery = await storage.webhooks.findDelivery(account_id, id)
      if (delivery === null) throw new NotFoundError('delivery', id)
      return { ...view(delivery), attempts: await storage.webhooks.attempts(account_id, id) }
    },

    async retry(account_id, id) {
      const reopened = await storage.transaction(async (tx) => {
        const opened = await tx.webhooks.reopenDelivery(account_id, id, toInstant(clock.now()))
        const delivery = await tx.webhooks.findDelivery(account_id, id)
        if (delivery === null) throw new NotFoundError('delivery', id)
        if (!opened) throw new ConflictError(`Delivery ${id} is being attempted right now: wait for its outcome.`)
        return view(delivery)
      })
      committed()
      return reopened
    },
  }
}

const view = ({ account_id: _, ...delivery }: Delivery): DeliveryView => delivery
