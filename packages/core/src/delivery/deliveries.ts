import * as z from 'zod'
import type { Actor } from '../access/actor.js'
import type { Clock } from '../clock.js'
import { type CursorPage, cursor, cursorPage } from '../cursor.js'
import { ConflictError, found } from '../errors.js'
import type { Reads } from '../storage.js'
import { type BusinessCalendar, toInstant } from '../time.js'
import { dateOrInstant, nameOrId, parse } from '../validation.js'
import type { WritesOf } from '../write.js'
import { type AttemptRecord, type Delivery, deliveryStates } from './delivery.js'

export const historyInput = z.strictObject({
  state: z.enum(deliveryStates).optional(),
  endpoint_id: nameOrId.optional(),
  event: nameOrId.optional(),
  since: dateOrInstant.optional(),
  /** Where the previous page ended, as its `curseur` said. */
  curseur: cursor('dlv').optional(),
  limite: z.int().min(1).max(1000).default(50),
})
export type HistoryInput = z.input<typeof historyInput>

export type DeliveryView = Omit<Delivery, 'account_id'>

export type DeliveryPage = CursorPage<DeliveryView>

export interface Deliveries {
  /** Newest first. */
  list(account_id: string, input: HistoryInput): Promise<DeliveryPage>
  /** @throws NotFoundError */
  get(account_id: string, id: string): Promise<DeliveryView & { attempts: AttemptRecord[] }>
  /**
   * Opens a new run of attempts, the first one due at once.
   * @throws NotFoundError, ConflictError while an attempt is under way
   */
  retry(actor: Actor, id: string): Promise<DeliveryView>
}

export function deliveryQueries({
  reads,
  calendar,
}: {
  readonly reads: Reads
  readonly calendar: BusinessCalendar
}): Pick<Deliveries, 'get' | 'list'> {
  return {
    async list(account_id, input) {
      const { limite, since, curseur, ...filter } = parse(historyInput, input)
      const listed = await reads.deliveries.list(account_id, {
        ...filter,
        since: since && calendar.instantOf(since),
        after: curseur && { created_at: curseur.at, id: curseur.id },
        limit: limite + 1,
      })
      return cursorPage(listed, limite, ({ created_at }) => created_at, view)
    },

    async get(account_id, id) {
      const delivery = found(await reads.deliveries.find(account_id, id), 'delivery', id)
      return { ...view(delivery), attempts: await reads.deliveries.attempts(account_id, id) }
    },
  }
}

export function deliveryWrites({ clock }: { readonly clock: Clock }): WritesOf<Deliveries, 'retry'> {
  return {
    retry({ account_id }, id) {
      return {
        async write(tx) {
          const opened = await tx.deliveries.reopen(account_id, id, toInstant(clock.now()))
          const delivery = found(await tx.deliveries.find(account_id, id), 'delivery', id)
          if (!opened) throw new ConflictError(`Delivery ${id} is being attempted right now: wait for its outcome.`)
          return view(delivery)
        },
      }
    },
  }
}

const view = ({ account_id: _, ...delivery }: Delivery): DeliveryView => delivery
