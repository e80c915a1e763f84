import * as z from 'zod'
import { NotFoundError } from '../errors.js'
import type { NewId } from '../ids.js'
import type { Clock, DeliveryFilter, Storage } from '../ports.js'
import { type BusinessCalendar, toInstant } from '../time.js'
import { dateOrInstant, parse } from '../validation.js'
import { deliveryStates } from './delivery.js'
import type { ReplayJob } from './replay.js'

export const replayInput = z.strictObject({
  state: z.enum(deliveryStates).default('failed'),
  endpoint_id: z.string().optional(),
  event: z.string().optional(),
  since: dateOrInstant.optional(),
})
export type ReplayInput = z.input<typeof replayInput>

export type ReplayView = Omit<ReplayJob, 'account_id' | 'position'>

/** Bulk replay: durable, without a cap, and in small steps, so that live traffic goes on beside it. */
export interface Replays {
  /** How many deliveries `start` would attempt again. */
  preview(account_id: string, input: ReplayInput): Promise<{ matched: number }>
  start(account_id: string, input: ReplayInput): Promise<ReplayView>
  /** @throws NotFoundError */
  progress(account_id: string, id: string): Promise<ReplayView>
  /** Newest first, at most 100. */
  replays(account_id: string): Promise<ReplayView[]>
  /** What it has opened again stays so; cancelling one that has ended is no error. @throws NotFoundError */
  cancel(account_id: string, id: string): Promise<ReplayView>
  /** Takes one running replay, of whichever account, a step further; false when none is running. */
  step(): Promise<boolean>
}

/** Deliveries a step: a transaction of a few milliseconds. */
const stepSize = 200

/** After every delivery of the same instant. */
const afterEveryId = '~'

export function createReplays(deps: {
  readonly storage: Storage
  readonly clock: Clock
  readonly calendar: BusinessCalendar
  readonly newId: NewId
  readonly committed: () => void
}): Replays {
  const { storage, clock, calendar, newId, committed } = deps
  const now = () => toInstant(clock.now())

  /** Replays take turns, so that a long one holds up nobody else's. */
  let steps = 0

  function filterOf(input: ReplayInput) {
    const { state, endpoint_id = null, event = null, since } = parse(replayInput, input)
    return { state, endpoint_id, event, since: since === undefined ? null : calendar.instantOf(since) }
  }

  return {
    async preview(account_id, input) {
      return { matched: await storage.webhooks.countDeliveries(account_id, queryOf(filterOf(input))) }
    },

    async start(account_id, input) {
      const filter = filterOf(input)
      const matched = await storage.webhooks.countDeliveries(account_id, queryOf(filter))
      const at = now()
      const job: ReplayJob = {
        id: newId('rpl'),
        account_id,
        state: 'running',
        filter,
        position: { created_at: at, id: afterEveryId },
        matched,
        retried: 0,
        created_at: at,
        ended_at: null,
      }
      return storage.transaction(async (tx) => {
        await tx.webhooks.addReplay(job)
        return view(job)
      })
    },

    async progress(account_id, id) {
      return view(found(await storage.webhooks.findReplay(account_id, id), id))
    },

    async replays(account_id) {
      return (await storage.webhooks.listReplays(account_id, 100)).map(view)
    },

    async cancel(account_id, id) {
      return storage.transaction(async (tx) => {
        const job = found(await tx.webhooks.findReplay(account_id, id), id)
        if (job.state !== 'running') return view(job)
        const cancelled: ReplayJob = { ...job, state: 'cancelled', ended_at: now() }
        await tx.webhooks.updateReplay(cancelled)
        return view(cancelled)
      })
    },

    async step() {
      const running = await storage.queue.runningReplays()
      const next = running[steps % running.length]
      if (next === undefined) return false
      steps += 1
      const { account_id, id } = next
      await storage.transaction(async (tx) => {
        const job = await tx.webhooks.findReplay(account_id, id)
        if (job?.state !== 'running') return
        const query = { ...queryOf(job.filter), after: job.position, limit: stepSize }
        const deliveries = await tx.webhooks.listDeliveries(account_id, query)
        let retried = job.retried
        for (const delivery of deliveries)
          if (await tx.webhooks.reopenDelivery(account_id, delivery.id, now())) retried += 1
        const last = deliveries.at(-1)
        const ended = deliveries.length < stepSize
        await tx.webhooks.updateReplay({
          ...job,
          retried,
          position: last === undefined ? job.position : { created_at: last.created_at, id: last.id },
          ...(ended && { state: 'done', ended_at: now() }),
        })
      })
      committed()
      return true
    },
  }
}

function queryOf({ state, endpoint_id, event, since }: ReplayJob['filter']): DeliveryFilter {
  return { state, endpoint_id: endpoint_id ?? undefined, event: event ?? undefined, since: since ?? undefined }
}

function found(job: ReplayJob | null, id: string): ReplayJob {
  if (job === null) throw new NotFoundError('replay', id)
  return job
}

const view = ({ account_id: _, position: __, ...shown }: ReplayJob): ReplayView => shown
