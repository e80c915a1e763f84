import * as z from 'zod'
import { minuteMs, toInstant } from '../time/time.js'
import { lazily } from '../values/lazily.js'
import { count, examples, instant, named, type Shape } from '../values/shape.js'
import type { DeliveryState } from '../values/vocabulary.js'

const hour = 60

/** A receiver is failing after this many failures in a row, or after this many minutes with only failures. */
const failingAttempts = 5
const failingMinutes = 5

/** The states of a receiver, from the best to the worst. */
export const healthStates = ['ok', 'ralenti', 'en_echec', 'desactive'] as const
/** The state of a receiver. */
export type HealthState = (typeof healthStates)[number]

const answer = lazily(() =>
  z.object({
    date: instant().describe('When the attempt began.'),
    statut: z.int().nullable().describe('HTTP status; null if there was no answer.'),
    erreur: z.string().nullable(),
    code: z.string().nullable().describe('The code of the error, as in `error_code` of an attempt.'),
  }),
)

export const receiverHealthExample = {
  etat: 'en_echec' as const,
  depuis: '2026-01-15T10:12:00.000Z',
  derniere_reponse: {
    date: examples.instant,
    statut: null,
    erreur: 'connection refused',
    code: 'connection_refused',
  },
  echecs_consecutifs: 214,
  en_attente: 87,
  plus_ancien: '2026-01-15T10:12:04.000Z',
  part_reussie: 0.3125,
}

export const receiverHealthShape = named(
  'ReceiverHealth',
  () =>
    z.object({
      etat: z
        .enum(healthStates)
        .describe(
          'The first of these that applies. `desactive`: it is disabled. `en_echec`: the last five attempts failed, or ' +
            'all of the last five minutes. `ralenti`: half or more of those of the last hour failed. `ok`: otherwise.',
        ),
      depuis: instant().nullable().describe('When this state began; null for `ok`.'),
      derniere_reponse: answer().nullable().describe('The result of the last attempt; null before the first.'),
      echecs_consecutifs: count('How many attempts have failed since the last success.'),
      en_attente: count('How many deliveries to this receiver wait: due, being attempted, or planned.'),
      plus_ancien: instant().nullable().describe('When the oldest delivery that is still due became due.'),
      part_reussie: z
        .number()
        .min(0)
        .max(1)
        .nullable()
        .describe('The share of successful attempts in the last hour, from 0 to 1; null without any attempt.'),
    }),
  receiverHealthExample,
)
/** How a receiver answers, and how many deliveries wait for it. */
export type ReceiverHealth = Shape<typeof receiverHealthShape>

/** What is stored about the attempts at a receiver. */
export interface ReceiverRecord {
  readonly account_id: string
  readonly endpoint_id: string
  /** The minutes of the last hour in which attempts ended, oldest first. */
  readonly minutes: readonly {
    /** The number of the minute, counted since the Unix epoch. */
    readonly minute: number
    readonly reussies: number
    readonly echecs: number
  }[]
  /** The number of failed attempts since the last success. */
  readonly echecs_consecutifs: number
  /** When the first of these attempts failed. */
  readonly echecs_depuis: string | null
  readonly dernier_echec: string | null
  readonly derniere_reponse: ReceiverHealth['derniere_reponse']
}

/** The attempts that ended in one minute. */
type MinuteOfAttempts = ReceiverRecord['minutes'][number]

/** Some attempts at one receiver, in the order in which they ended. */
export interface NewAttempts extends ReceiverRecord {
  /** Whether one of them succeeded, so that earlier failures no longer count. */
  readonly hasSucceeded: boolean
}

/** An ended attempt, as in its delivery's history. */
export interface EndedAttempt {
  readonly delivery: { readonly account_id: string; readonly channel: string; readonly target: string }
  readonly attempt: {
    readonly started_at: string
    readonly status: number | null
    readonly error: string | null
    readonly error_code: string | null
  }
  readonly update: { readonly state: DeliveryState }
}

/** Summarises attempts at one receiver that ended at `now` (ms), at least one, in order. */
export function attemptsAt(outcomes: readonly [EndedAttempt, ...EndedAttempt[]], now: number): NewAttempts {
  const [{ delivery }] = outcomes
  const lastSuccess = outcomes.findLastIndex(isSuccess)
  const failures = outcomes.filter((outcome) => !isSuccess(outcome))
  const since = outcomes.slice(lastSuccess + 1)
  const { started_at, status, error, error_code } = (outcomes.at(-1) ?? outcomes[0]).attempt
  return {
    account_id: delivery.account_id,
    endpoint_id: delivery.target,
    minutes: [{ minute: minuteOf(now), reussies: outcomes.length - failures.length, echecs: failures.length }],
    echecs_consecutifs: since.length,
    echecs_depuis: since[0]?.attempt.started_at ?? null,
    dernier_echec: failures.length > 0 ? toInstant(now) : null,
    derniere_reponse: { date: started_at, statut: status, erreur: error, code: error_code },
    hasSucceeded: lastSuccess >= 0,
  }
}

const isSuccess = ({ update }: EndedAttempt) => update.state === 'delivered'

const minuteOf = (ms: number) => Math.floor(ms / minuteMs)

const later = (a: string | null, b: string | null) => ((a ?? '') > (b ?? '') ? a : b)

/** The record after `more` attempts. */
export function withAttempts<R extends ReceiverRecord>(kept: R, more: NewAttempts): R {
  const { account_id: _, endpoint_id: __, hasSucceeded, derniere_reponse, ...found } = more
  const failing = hasSucceeded
    ? found
    : {
        echecs_consecutifs: kept.echecs_consecutifs + found.echecs_consecutifs,
        echecs_depuis: kept.echecs_depuis ?? found.echecs_depuis,
      }
  const isLatest = (derniere_reponse?.date ?? '') >= (kept.derniere_reponse?.date ?? '')
  return {
    ...kept,
    ...('hasSucceeded' in kept && { hasSucceeded: kept.hasSucceeded || hasSucceeded }),
    echecs_consecutifs: failing.echecs_consecutifs,
    echecs_depuis: failing.echecs_depuis,
    minutes: joined(kept.minutes, found.minutes),
    dernier_echec: later(kept.dernier_echec, found.dernier_echec),
    derniere_reponse: isLatest ? derniere_reponse : kept.derniere_reponse,
  }
}

/** Adds up the attempts of both lists minute by minute, and keeps the hour before the newest minute. */
function joined(kept: readonly MinuteOfAttempts[], more: readonly MinuteOfAttempts[]): MinuteOfAttempts[] {
  const all = new Map<number, MinuteOfAttempts>()
  for (const each of [...kept, ...more]) {
    const { reussies = 0, echecs = 0 } = all.get(each.minute) ?? {}
    all.set(each.minute, { ...each, reussies: reussies + each.reussies, echecs: echecs + each.echecs })
  }
  const newest = Math.max(...all.keys())
  return [...all.values()].filter(({ minute }) => minute > newest - hour).sort((a, b) => a.minute - b.minute)
}

/** What a receiver's state is computed from. */
interface Receiver {
  readonly disabled_at: string | null
}

/** The deliveries that wait for a receiver. */
export interface DeliveryBacklog {
  readonly endpoint_id: string
  readonly en_attente: number
  readonly plus_ancien: string | null
}

/** @param kept null before the first attempt @param now in milliseconds */
export function healthOf(
  receiver: Receiver,
  kept: ReceiverRecord | null,
  { waiting, now }: { readonly waiting: Omit<DeliveryBacklog, 'endpoint_id'>; readonly now: number },
): ReceiverHealth {
  const { reussies, echecs } = sumOf(kept, hour, now)
  return {
    ...stateOf(receiver, kept, now),
    derniere_reponse: kept?.derniere_reponse ?? null,
    echecs_consecutifs: kept?.echecs_consecutifs ?? 0,
    en_attente: waiting.en_attente,
    plus_ancien: waiting.plus_ancien,
    part_reussie: reussies + echecs === 0 ? null : Math.round((reussies / (reussies + echecs)) * 10_000) / 10_000,
  }
}

/** The state for `ReceiverHealth`. @param now in milliseconds since the Unix epoch */
export function stateOf(
  { disabled_at }: Receiver,
  kept: ReceiverRecord | null,
  now: number,
): Pick<ReceiverHealth, 'etat' | 'depuis'> {
  if (disabled_at !== null) return { etat: 'desactive', depuis: disabled_at }
  if (kept === null) return { etat: 'ok', depuis: null }
  const latest = sumOf(kept, failingMinutes, now)
  if (kept.echecs_consecutifs >= failingAttempts || (latest.echecs > 0 && latest.reussies === 0))
    return { etat: 'en_echec', depuis: kept.echecs_depuis }
  const { reussies, echecs, since } = sumOf(kept, hour, now)
  return echecs > 0 && echecs >= reussies ? { etat: 'ralenti', depuis: since } : { etat: 'ok', depuis: null }
}

/** The sum of the attempts in the last `minutes` and the current minute. `since`: when the failed attempts began. */
function sumOf(kept: ReceiverRecord | null, minutes: number, now: number) {
  const counted = kept?.minutes.filter(({ minute }) => minute >= minuteOf(now) - minutes) ?? []
  const first = counted.find(({ echecs }) => echecs > 0)
  return {
    reussies: counted.reduce((sum, { reussies }) => sum + reussies, 0),
    echecs: counted.reduce((sum, { echecs }) => sum + echecs, 0),
    since: first === undefined ? null : toInstant(first.minute * minuteMs),
  }
}

/** Receivers without an attempt since this instant are `ok` at `now`, unless their last attempt failed. */
export const troubledSince = (now: number): string => toInstant(now - (hour + 1) * minuteMs)
