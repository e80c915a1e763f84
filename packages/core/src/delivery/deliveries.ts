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
import { everyLetter, isLetter, type LetterAccess, withoutAddresses } from './letter-access.js'

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
  /** Newest first. Letters that may not be seen are left out. */
  list(account_id: string, input: HistoryInput, letters?: LetterAccess): Promise<DeliveryPage>
  /** @throws NotFoundError, also for a letter that may not be seen */
  get(account_id: string, id: string, letters?: LetterAccess): Promise<DeliveryView & { attempts: AttemptRecord[] }>
  /**
   * Opens a new run of attempts, the first one due at once.
   * @throws NotFoundError, also for a letter that may not be sent; ConflictError while an attempt is under way
   */
  retry(actor: Actor, id: string, letters?: LetterAccess): Promise<DeliveryView>
}

export function deliveryQueries({
  reads,
  calendar,
}: {
  readonly reads: Reads
  readonly calendar: BusinessCalendar
}): Pick<Deliveries, 'get' | 'list'> {
  return {
    async list(account_id, input, { see } = everyLetter) {
      const { limite, since, curseur, ...filter } = parse(historyInput, input)
      const listed = await reads.deliveries.list(account_id, {
        ...filter,
        letters: see,
        since: since && calendar.instantOf(since),
        after: curseur && { created_at: curseur.at, id: curseur.id },
        limit: limite + 1,
      })
      return cursorPage(listed, limite, ({ created_at }) => created_at, view)
    },

    async get(account_id, id, { see } = everyLetter) {
      const delivery = found(unlessLetter(await reads.deliveries.find(account_id, id), see), 'delivery', id)
      return { ...view(delivery), attempts: await reads.deliveries.attempts(account_id, id) }
    },
  }
}

export function deliveryWrites({ clock }: { readonly clock: Clock }): WritesOf<Deliveries, 'retry'> {
  return {
    retry({ account_id }, id, { see, send } = everyLetter) {
      return {
        async write(tx) {
          found(unlessLetter(await tx.deliveries.find(account_id, id), send), 'delivery', id)
          const opened = await tx.deliveries.reopen(account_id, id, toInstant(clock.now()))
          const delivery = found(await tx.deliveries.find(account_id, id), 'delivery', id)
          if (!opened) throw new ConflictError(`Delivery ${id} is being attempted right now: wait for its outcome.`)
          return see ? view(delivery) : withoutAddress(view(delivery))
        },
      }
    },
  }
}

/** A letter that the caller may have nothing to do with is as if it did not exist. */
const unlessLetter = (delivery: Delivery | null, mayBe: boolean) =>
  delivery !== null && isLetter(delivery) && !mayBe ? null : delivery

const withoutAddress = (delivery: DeliveryView): DeliveryView => ({
  ...delivery,
  last_error: delivery.last_error && isLetter(delivery) ? withoutAddresses(delivery.last_error) : delivery.last_error,
})

const view = ({ account_id: _, ...delivery }: Delivery): DeliveryView => delivery
