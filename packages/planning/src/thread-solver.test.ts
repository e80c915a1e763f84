import { readdirSync, readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { longestTurn } from '../../../test/longest-turn.js'
import { roadDay } from '../test/days.js'
import { solverInThread, type ThreadOptions } from './thread-solver.js'

function solver(options: ThreadOptions = {}) {
  const made = solverInThread(options)
  onTestFinished(() => made.close())
  return made
}

const few = () => 200

/** The names of the threads of this process, from Linux. This process also starts and ends other threads. */
function threadNames(): string[] {
  return readdirSync('/proc/self/task').map((thread) => {
    try {
      return readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
    } catch {
      return 'has ended'
    }
  })
}

it('a day is planned in a thread, with the same plan each time', async () => {
  const rounds = solver({ iterations: few })
  const [one, other] = await Promise.all([rounds.solve(roadDay(12)), rounds.solve(roadDay(12))])
  expect(one.unserved).toEqual([])
  expect(one.rounds.flatMap(({ visits }) => visits)).toHaveLength(12)
  expect(other).toEqual(one)
})

it('a search ends at its time limit with its best plan', async () => {
  const plan = await solver({ iterations: () => 1e12, limitMs: 100 }).solve(roadDay(20))
  expect(plan.rounds.flatMap(({ visits }) => visits)).toHaveLength(20)
})

it('a search delays only its own caller', async () => {
  const rounds = solver({ iterations: () => 1e12, limitMs: 700 })
  await rounds.solve(roadDay(2))
  expect(await longestTurn(() => rounds.solve(roadDay(40)))).toBeLessThan(200)
})

it('an idle thread ends, and the next task starts another', async () => {
  const rounds = solver({ iterations: few, idleMs: 0 })
  await rounds.solve(roadDay(3))
  while (threadNames().includes('rounds')) await new Promise(setImmediate)
  expect((await rounds.solve(roadDay(3))).unserved).toEqual([])
})

it('a small problem does not wait for a large one', async () => {
  const rounds = solver({ iterations: (visits) => (visits > 20 ? 1e12 : 200), limitMs: 60_000 })
  const leaving = new AbortController()
  const large = rounds.solve(roadDay(40), leaving.signal)
  expect((await rounds.solve(roadDay(3))).unserved).toEqual([])
  leaving.abort(new Error('enough'))
  await expect(large).rejects.toThrow('enough')
})

it('an abandoned search ends at once, with its thread', async () => {
  const rounds = solver({ iterations: () => 1e12, limitMs: 600_000 })
  const leaving = new AbortController()
  const asked = rounds.solve(roadDay(40), leaving.signal)
  while (!threadNames().includes('rounds')) await new Promise(setImmediate)
  leaving.abort(new Error('hung up'))
  await expect(asked).rejects.toThrow('hung up')
  expect(threadNames()).not.toContain('rounds')
  await expect(rounds.solve(roadDay(3), leaving.signal)).rejects.toThrow('hung up')
  expect(threadNames()).not.toContain('rounds')
})

it('closing the solver rejects current and later searches', async () => {
  const rounds = solver({ iterations: () => 1e12 })
  const asked = [rounds.solve(roadDay(20)), rounds.solve(roadDay(20))]
  const failures = Promise.all(asked.map((each) => expect(each).rejects.toThrow(/closed|ended/)))
  await rounds.close()
  await failures
  await expect(rounds.solve(roadDay(3))).rejects.toThrow('the solver is closed')
})

it('a problem that breaks the solver leaves later problems unharmed', async () => {
  const rounds = solver({ iterations: few })
  const day = roadDay(3)
  // A caller in JavaScript can pass an invalid visit.
  const broken = { ...day, visits: JSON.parse('[null]') }
  await expect(rounds.solve(broken)).rejects.toThrow('the rounds could not be planned')
  expect((await rounds.solve(day)).unserved).toEqual([])
})
