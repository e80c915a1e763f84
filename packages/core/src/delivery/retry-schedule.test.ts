import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toInstant } from '../time/time.js'
import { type DeliveryUpdate, decideAfterAttempt, specifiedDelivery } from './retry-schedule.js'

const second = 1_000
const minute = 60_000
const hour = 3_600_000

const { schedule } = specifiedDelivery

const event = Date.UTC(2026, 0, 15, 10, 30)

interface Run {
  attempt_count: number
  run_attempt_count: number
  run_started_at: string
}

const fresh: Run = { attempt_count: 0, run_attempt_count: 0, run_started_at: toInstant(event) }

/** The attempt that begins at `startedAt` and takes `durationMs` ends like this. */
function attempt(run: Run, startedAt: number, { ok = false, durationMs = 0 } = {}): DeliveryUpdate {
  const [status, error, errorCode] = ok ? [200, null, null] : [500, 'HTTP 500', 'status_500']
  return decideAfterAttempt(schedule, run, { ok, status, error, errorCode, startedAt }, startedAt + durationMs)
}

/** When every attempt of a run begins, from the event on, if each begins `lateMs` after it is due and fails. */
function startsOf(run: Run, lateMs: readonly number[]): number[] {
  const starts: number[] = []
  let due: number | null = Date.parse(run.run_started_at)
  let current = run
  while (due !== null && starts.length < 20) {
    const startedAt = due + (lateMs[starts.length] ?? 0)
    starts.push(startedAt - Date.parse(run.run_started_at))
    const update = attempt(current, startedAt)
    current = { ...current, ...update }
    due = update.next_attempt_at === null ? null : Date.parse(update.next_attempt_at)
  }
  return starts
}

describe('on time', () => {
  it('six attempts begin at once and 30 s, 2 min, 10 min, 1 h and 6 h after the event', () => {
    expect(startsOf(fresh, [])).toEqual([0, 30 * second, 2 * minute, 10 * minute, 1 * hour, 6 * hour])
  })

  it('the sixth failure is final', () => {
    const sixth = { ...fresh, attempt_count: 5, run_attempt_count: 5 }
    const last = { last_status: 500, last_error: 'HTTP 500', last_error_code: 'status_500' }
    expect(attempt(sixth, event + 6 * hour)).toMatchObject({ state: 'failed', next_attempt_at: null, ...last })
  })

  it.each([0, 1, 2, 3, 4, 5])('a success after %i failures is final', (made) => {
    const run = { ...fresh, attempt_count: made, run_attempt_count: made }
    const last = { last_status: 200, last_error: null, last_error_code: null }
    const delivered = attempt(run, event + (schedule[made] ?? 0), { ok: true })
    expect(delivered).toMatchObject({ state: 'delivered', next_attempt_at: null, ...last })
  })
})

describe('late', () => {
  it.each([
    ['just in time for its successor', 30 * second - 1, 30 * second],
    ['as its successor is due', 30 * second, 60 * second],
    ['a day after the event', 24 * hour, 24 * hour + 30 * second],
  ])('after a first attempt that ends %s, the second has its offset or, if late, its gap', (_, late, due) => {
    expect(attempt(fresh, event + late).next_attempt_at).toBe(toInstant(event + due))
  })

  it('an outage in the middle of a run delays only the attempts whose offsets it covers', () => {
    // The second attempt, due at 30 s, begins at 20 min. By then the third and fourth offsets have passed, but not the
    // fifth.
    const lateMs = [0, 20 * minute - 30 * second]
    const third = 20 * minute + 90 * second
    expect(startsOf(fresh, lateMs)).toEqual([0, 20 * minute, third, third + 8 * minute, 1 * hour, 6 * hour])
  })

  it('whatever the delays and outages, offsets count from the event, and late attempts keep their gaps', () => {
    const lateness = fc.oneof(
      fc.constant(0),
      fc.integer({ min: 0, max: 250 }),
      fc.integer({ min: 0, max: 15 * minute }),
      fc.integer({ min: 0, max: 48 * hour }),
    )
    const histories = fc.record({
      attempts: fc.array(
        fc.record({ late: lateness, durationMs: fc.integer({ min: 0, max: 5_000 }), ok: fc.boolean() }),
        {
          minLength: 7,
          maxLength: 7,
        },
      ),
      earlier: fc.integer({ min: 0, max: 30 }),
      failing: fc.boolean(),
    })
    fc.assert(
      fc.property(histories, ({ attempts, earlier, failing }) => {
        let run: Run = { ...fresh, attempt_count: earlier }
        let due = event
        for (const [index, { late, durationMs, ok }] of attempts.entries()) {
          const startedAt = due + late
          const endedAt = startedAt + durationMs
          const update = attempt(run, startedAt, { ok: ok && !failing, durationMs })
          expect(update.run_attempt_count).toBe(index + 1)
          expect(update.attempt_count).toBe(earlier + index + 1)
          if (update.state !== 'pending') {
            expect(update.next_attempt_at).toBeNull()
            expect(update.state).toBe(ok && !failing ? 'delivered' : 'failed')
            if (update.state === 'failed') expect(index).toBe(5)
            return
          }
          const planned = event + (schedule[index + 1] ?? Number.NaN)
          const gap = (schedule[index + 1] ?? Number.NaN) - (schedule[index] ?? Number.NaN)
          const expected = planned > endedAt ? planned : startedAt + gap
          expect(update.next_attempt_at).toBe(toInstant(Math.max(expected, endedAt)))
          run = { ...run, ...update }
          due = Date.parse(update.next_attempt_at ?? '')
        }
        throw new Error('a seventh attempt was made in one run')
      }),
      { numRuns: process.env['SAV_TEST_CHAOS'] === '1' ? 10_000 : 1_000 },
    )
  })
})

describe('replayed', () => {
  it('a delivery has six more attempts; their offsets count from the replay, and their numbers continue', () => {
    const replay = event + 10 * 24 * hour
    const run = { attempt_count: 6, run_attempt_count: 0, run_started_at: toInstant(replay) }
    expect(startsOf(run, [])).toEqual(schedule)
    expect(attempt(run, replay)).toMatchObject({
      attempt_count: 7,
      run_attempt_count: 1,
      next_attempt_at: toInstant(replay + 30 * second),
    })
  })
})

describe('another schedule', () => {
  const once = (offsets: number[], made: number) =>
    decideAfterAttempt(
      offsets,
      { ...fresh, attempt_count: made, run_attempt_count: made },
      { ok: false, status: null, error: 'timeout', startedAt: event },
      event + 5 * second,
    )

  it('has as many attempts as entries', () => {
    expect(once([0], 0).state).toBe('failed')
    expect(once([0, minute], 0).state).toBe('pending')
    expect(once([0, minute], 1).state).toBe('failed')
  })

  it('never plans an attempt for the past, even if an attempt takes longer than the gap', () => {
    expect(once([0, 1 * second, 2 * second], 0).next_attempt_at).toBe(toInstant(event + 5 * second))
  })
})
