import * as z from 'zod'
import { ConflictError, NotFoundError } from '../errors.js'
import type { Clock, Storage } from '../ports.js'
import { type BusinessCalendar, toInstant } from '../time.js'
import { dateOrInstant, parse } from '../validation.js'
import { type AttemptRecord, type Delivery, deliveryStates } from './delivery.js'

interface Position {
  readonly created_at: string
  readonly id: string
}

const cursorOf = ({ created_at, id }: Position): string => Buffer.from(`${created_at} ${id}`).toString('base64url')

/** Parses to the place in the list that it stands for. */
const cursor = z.string().transform((text, context): Position => {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (dlv_\w{1,100})$/.exec(
    Buffer.from(text, 'base64url').toString(),
  )
  if (match !== null) return { created_at: match[1] ?? '', id: match[2] ?? '' }
  context.addIssue({ code: 'custom', message: 'must be a curseur that a page gave' })
  return z.NEVER
})

export const historyInput = z.strictObject({
  state: z.enum(deliveryStates).optional(),
  endpoint_id: z.string().optional(),
  event: z.string().optional(),
  since: dateOrInstant.optional(),
  /** Where the previous page ended, as its `curseur` said. */
  curseur: cursor.optional(),
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
        after: curseur,
        limit: limite + 1,
      })
      const items = found.slice(0, limite)
      const last = items.at(-1)
      return { items: items.map(view), curseur: found.length > limite && last ? cursorOf(last) : null }
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
