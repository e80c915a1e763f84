import * as z from 'zod'
import type { Actor } from '../access/actor.js'
import { found } from '../errors.js'
import type { Inputs } from '../input-types.gen.js'
import type { Reads, Storage } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { type BusinessCalendar, toInstant } from '../time/time.js'
import { type CursorPage, cursor, cursorPage, followsOrder, listOrder, textInPlace } from '../values/cursor.js'
import type { NewId } from '../values/ids.js'
import { lazily } from '../values/lazily.js'
import { dateOrInstant, nameOrId, parse } from '../values/validation.js'
import { deliveryStates } from '../values/vocabulary.js'
import { preparedWrite, type WritesOf } from '../write.js'
import type { Delivery } from './delivery.js'
import type { DeliveryFilter } from './delivery-store.js'
import { everyLetter, invitationEvent, type LetterAccess } from './letter-access.js'
import type { ReplayJob, ReplayView } from './replay.js'

/**
 * Which deliveries are attempted again: by default all that failed. `since` is a local day or an instant, inclusive.
 */
export const replayInput = lazily(() =>
  z.strictObject({
    state: z.enum(deliveryStates).default('failed'),
    endpoint_id: nameOrId().optional(),
    event: nameOrId().optional(),
    since: dateOrInstant().optional(),
  }),
)
/** What `webhooks.replays.preview` and `start` take. */
export type ReplayInput = Inputs['replay']

const newestFirst = listOrder('replays', textInPlace, textInPlace)

export const listReplaysInput = lazily(() =>
  z
    .strictObject({
      limite: z.int().min(1).max(200).default(100).describe('The maximum number of replays on a page.'),
      curseur: cursor(),
    })
    .check(followsOrder(() => newestFirst)),
)
/** What `webhooks.replays.list` takes. */
export type ListReplaysInput = Inputs['listReplays']

/**
 * Bulk replay: durable, unlimited, and in small steps, so that live traffic continues. It skips deliveries that are
 * being attempted, and those to removed endpoints.
 */
export interface Replays {
  /** How many deliveries `start` would attempt again, not counting invitations. */
  preview(account_id: string, input: ReplayInput, letters?: LetterAccess): Promise<{ matched: number }>
  /** Starts a replay. Letters that the caller may not send are left out. */
  start(actor: Actor, input: ReplayInput, letters?: LetterAccess): Promise<ReplayView>
  /**
   * The replay with its progress. @throws NotFoundError, also for one with letters that the caller may neither see nor
   * send
   */
  get(account_id: string, id: string, letters?: LetterAccess): Promise<ReplayView>
  /** Newest first. A page may be shorter, since letters that the caller may not see are left out. */
  list(account_id: string, input: ListReplaysInput, letters?: LetterAccess): Promise<CursorPage<ReplayView>>
  /**
   * Stops a replay; deliveries that it has reopened stay open. Cancelling an ended one changes nothing. @throws
   * NotFoundError
   */
  cancel(actor: Actor, id: string, letters?: LetterAccess): Promise<ReplayView>
}

export interface ReplaysDeps {
  readonly reads: Reads
  readonly clock: Clock
  readonly calendar: BusinessCalendar
  readonly newId: NewId
}

/** Deliveries per step: a transaction of a few milliseconds. */
const stepSize = 200

/** Sorts after the id of every delivery, so that a replay also finds deliveries created at its own instant. */
const afterEveryId = '~'

function filterOf(input: ReplayInput, calendar: BusinessCalendar, { send }: LetterAccess): ReplayJob['filter'] {
  const { state, endpoint_id = null, event = null, since } = parse(replayInput, input)
  return { state, endpoint_id, event, since: since === undefined ? null : calendar.instantOf(since), letters: send }
}

export function replayQueries({
  reads,
  calendar,
}: Pick<ReplaysDeps, 'reads' | 'calendar'>): Pick<Replays, 'preview' | 'get' | 'list'> {
  return {
    async preview(account_id, input, letters = everyLetter) {
      return { matched: await countReplayable(reads, account_id, filterOf(input, calendar, letters)) }
    },

    async get(account_id, id, letters = everyLetter) {
      return view(found(unlessLetters(await reads.replays.find(account_id, id), letters), 'retry', id))
    },

    async list(account_id, input, letters = everyLetter) {
      const asked = parse(listReplaysInput, input)
      const jobs = await reads.replays.list(account_id, { after: asked.curseur?.place, limit: asked.limite + 1 })
      const { items, curseur } = cursorPage(newestFirst, asked, jobs, ({ created_at, id }) => [created_at, id])
      return { items: items.filter((job) => unlessLetters(job, letters) !== null).map(view), curseur }
    },
  }
}

export function replayWrites({ reads, clock, calendar, newId }: ReplaysDeps): WritesOf<Replays, 'start' | 'cancel'> {
  const now = () => toInstant(clock.now())
  return {
    start({ account_id }, input, letters = everyLetter) {
      const filter = filterOf(input, calendar, letters)
      return preparedWrite({
        // Counted before the transaction, because this may read the whole history.
        prepare: () => countReplayable(reads, account_id, filter),
        async write(tx, matched) {
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
          await tx.replays.add(job)
          return view(job)
        },
      })
    },

    cancel({ account_id }, id, { send } = everyLetter) {
      return {
        async write(tx) {
          const job = found(unlessLetters(await tx.replays.find(account_id, id), { see: false, send }), 'retry', id)
          if (job.state !== 'running') return view(job)
          const cancelled: ReplayJob = { ...job, state: 'cancelled', ended_at: now() }
          await tx.replays.update(cancelled)
          return view(cancelled)
        },
      }
    },
  }
}

/** Each call advances one running replay, of any account, by a step. Resolves to false when none is running. */
export function createReplaySteps({
  storage,
  clock,
}: {
  readonly storage: Storage
  readonly clock: Clock
}): () => Promise<boolean> {
  const now = () => toInstant(clock.now())

  /** Replays take turns, so that a long one does not delay others. */
  let steps = 0

  return async () => {
    const running = await storage.reads.replays.running()
    const next = running[steps % running.length]
    if (next === undefined) return false
    steps += 1
    const { account_id, id } = next
    await storage.transaction(async (tx) => {
      const job = await tx.replays.find(account_id, id)
      if (job?.state !== 'running') return
      const query = { ...queryOf(job.filter), after: [job.position.created_at, job.position.id], limit: stepSize }
      const deliveries = await tx.deliveries.list(account_id, query)
      const endpoints = new Set((await tx.endpoints.list(account_id)).map((endpoint) => endpoint.id))
      const canBeSent = ({ event, channel, endpoint_id }: Delivery) =>
        event !== invitationEvent && (channel !== 'webhook' || endpoints.has(endpoint_id))
      let retried = job.retried
      for (const delivery of deliveries.filter(canBeSent))
        if (await tx.deliveries.reopen(account_id, delivery.id, now())) retried += 1
      const last = deliveries.at(-1)
      const ended = deliveries.length < stepSize
      await tx.replays.update({
        ...job,
        retried,
        position: last === undefined ? job.position : { created_at: last.created_at, id: last.id },
        ...(ended && { state: 'done', ended_at: now() }),
      })
    })
    return true
  }
}

function queryOf({ state, endpoint_id, event, since, letters }: ReplayJob['filter']): DeliveryFilter {
  return { state, letters, endpoint_id: endpoint_id ?? undefined, event: event ?? undefined, since: since ?? undefined }
}

/** How many matching deliveries can be attempted again. Invitations cannot; they are sent by e-mail. */
async function countReplayable(
  { deliveries }: Reads,
  account_id: string,
  filter: ReplayJob['filter'],
): Promise<number> {
  const query = queryOf(filter)
  const { letters, endpoint_id = 'email', event = invitationEvent } = query
  const all = await deliveries.count(account_id, query)
  if (!letters || endpoint_id !== 'email' || event !== invitationEvent) return all
  return all - (await deliveries.count(account_id, { ...query, endpoint_id, event }))
}

/**
 * Treats a replay with letters as missing for a caller who may neither see nor send letters, since its numbers would
 * reveal how many there are.
 */
const unlessLetters = (job: ReplayJob | null, { see, send }: LetterAccess) =>
  job?.filter.letters && !see && !send ? null : job

function view({ account_id: _, position: __, filter, ...shown }: ReplayJob): ReplayView {
  const { letters: ___, ...shownFilter } = filter
  return { ...shown, filter: shownFilter }
}
