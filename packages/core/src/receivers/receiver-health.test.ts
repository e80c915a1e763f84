import { describe, expect, it } from 'vitest'
import { attempt, claimedDelivery, outcome, update } from '../../../storage-contract/src/samples/queue-samples.js'
import type { AttemptOutcome } from '../delivery/delivery-queue.js'
import { toInstant } from '../time/time.js'
import { attemptsAt, healthOf, type ReceiverRecord, stateOf, withAttempts } from './receiver-health.js'

const minute = 60_000
/** The beginning of a minute. */
const now = Date.UTC(2026, 0, 15, 10, 30)

const empty: ReceiverRecord = {
  account_id: 'default',
  endpoint_id: 'wh_1',
  minutes: [],
  echecs_consecutifs: 0,
  echecs_depuis: null,
  dernier_echec: null,
  derniere_reponse: null,
}

function ended(what: 'ok' | 'failed', at: number): AttemptOutcome {
  const isOk = what === 'ok'
  return {
    ...outcome(claimedDelivery(), update({ state: isOk ? 'delivered' : 'pending' })),
    attempt: attempt({
      started_at: toInstant(at),
      ...(isOk
        ? { status: 204, error: null, error_code: null }
        : { status: null, error: 'connection refused', error_code: 'connection_refused' }),
    }),
  }
}

/** The record of attempts: `50 ok × 20, 40 failed` means 20 successes 50 minutes ago and a failure 40 minutes ago. */
const keptOf = (attempts: string, kept = empty): ReceiverRecord =>
  attempts.split(', ').reduce((known, each) => {
    const [, ago, what, times = 1] = /^(\d+) (ok|failed)(?: × (\d+))?$/.exec(each) ?? []
    const at = now - Number(ago) * minute
    const outcomes = Array.from({ length: Number(times) }, () => ended(what === 'ok' ? 'ok' : 'failed', at))
    const [first = ended('ok', at), ...others] = outcomes
    return withAttempts(known, attemptsAt([first, ...others], at))
  }, kept)

const enabled = { disabled_at: null }
const state = (attempts: string) => stateOf(enabled, keptOf(attempts), now).etat

describe('a receiver', () => {
  it('is ok before its first attempt', () => {
    expect(stateOf(enabled, null, now)).toEqual({ etat: 'ok', depuis: null })
  })

  it('that is disabled has the state desactive, whatever it answered', () => {
    const disabled_at = toInstant(now - 90 * minute)
    for (const kept of [null, keptOf('1 failed × 9'), keptOf('1 ok')])
      expect(stateOf({ disabled_at }, kept, now)).toEqual({ etat: 'desactive', depuis: disabled_at })
  })

  it.each([
    ['en_echec', '50 ok × 20, 40 failed × 5'],
    ['ok', '50 ok × 20, 40 failed × 4'],
    ['ok', '40 failed × 5, 39 ok × 20'],
    ['en_echec', '600 failed × 5'],
    ['ok', '600 failed × 4'],
  ])('is %s by its last five attempts: %j', (expected, attempts) => {
    expect(state(attempts)).toBe(expected)
  })

  it.each([
    ['en_echec', '30 ok × 99, 5 failed'],
    ['ok', '30 ok × 99, 6 failed'],
    ['en_echec', '6 ok × 99, 5 failed × 2'],
    ['ok', '5 ok × 99, 5 failed × 2'],
  ])('is %s by the last five minutes: %j', (expected, attempts) => {
    expect(state(attempts)).toBe(expected)
  })

  it.each([
    ['ralenti', '50 failed × 3, 40 ok × 3'],
    ['ok', '50 failed × 3, 40 ok × 4'],
    ['ralenti', '59 failed × 3, 10 ok × 2'],
    ['ok', '70 failed × 3, 10 ok × 2'],
  ])('is %s by the share of the last hour: %j', (expected, attempts) => {
    expect(state(attempts)).toBe(expected)
  })

  it('fails since the first failure after the last success, and is slow since the first minute with a failure', () => {
    const failing = keptOf('50 failed, 40 ok, 30 failed × 2, 20 failed × 3')
    expect(stateOf(enabled, failing, now)).toEqual({ etat: 'en_echec', depuis: toInstant(now - 30 * minute) })
    const slow = keptOf('50 failed × 5, 40 ok × 5')
    expect(stateOf(enabled, slow, now)).toEqual({ etat: 'ralenti', depuis: toInstant(now - 50 * minute) })
  })

  it('shows its last answer, its consecutive failures, its share of successes and the waiting deliveries', () => {
    const waiting = { en_attente: 7, plus_ancien: toInstant(now - minute) }
    expect(healthOf(enabled, keptOf('50 ok × 2, 10 failed'), { waiting, now })).toEqual({
      etat: 'ok',
      depuis: null,
      derniere_reponse: {
        date: toInstant(now - 10 * minute),
        statut: null,
        erreur: 'connection refused',
        code: 'connection_refused',
      },
      echecs_consecutifs: 1,
      en_attente: 7,
      plus_ancien: toInstant(now - minute),
      part_reussie: 0.6667,
    })
    const untried = healthOf(enabled, null, { waiting, now })
    expect(untried).toMatchObject({ derniere_reponse: null, echecs_consecutifs: 0, part_reussie: null })
  })
})

describe('the record of attempts', () => {
  it('is the same whether attempts are noted one by one or together', () => {
    const one = keptOf('3 ok, 3 failed, 3 failed')
    const outcomes = [
      ended('ok', now - 3 * minute),
      ended('failed', now - 3 * minute),
      ended('failed', now - 3 * minute),
    ] as const
    expect(withAttempts(empty, attemptsAt(outcomes, now - 3 * minute))).toEqual(one)
  })

  it('covers at most an hour', () => {
    const { minutes } = keptOf(Array.from({ length: 200 }, (_, n) => `${200 - n} ok`).join(', '))
    expect(minutes).toHaveLength(60)
    expect(minutes[0]?.reussies).toBe(1)
  })

  it('adds the attempts of two processes, and a success in either resets the count of failures', () => {
    const mine = attemptsAt([ended('failed', now - 1), ended('failed', now)], now)
    const theirs = attemptsAt([ended('ok', now - 2), ended('failed', now - 1)], now)
    const both = withAttempts(withAttempts(empty, mine), theirs)
    expect(both).toMatchObject({
      minutes: [{ minute: now / minute, reussies: 1, echecs: 3 }],
      echecs_consecutifs: 1,
      derniere_reponse: { date: toInstant(now) },
    })
  })
})
