import { expect, it } from 'vitest'
import { maxTurnMs, Turns } from './event-loop.js'

/** Turns of an event loop that the test advances. */
function byHand() {
  let now = 0
  const soon: (() => void)[] = []
  const turns = new Turns(
    () => now,
    (then) => soon.push(then),
  )
  return {
    turns,
    pass(ms: number) {
      now += ms
    },
    async turn() {
      for (const then of soon.splice(0)) then()
      await Promise.resolve()
    },
  }
}

it('resumes one waiter in each iteration of the event loop, alternating between accounts', async () => {
  const { turns, turn } = byHand()
  const went: string[] = []
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])
    void turns.next(name.slice(0, 1)).then(() => {
      went.push(name)
    })
  const each: string[][] = []
  for (let n = 0; n < 7; n += 1) {
    await turn()
    each.push(went.splice(0))
  }
  expect(each).toEqual([['a1'], ['b1'], ['c1'], ['a2'], ['b2'], ['a3'], []])
})

it('yields once an iteration of the event loop is long, and not again at the start of the next one', async () => {
  const { turns, turn, pass } = byHand()
  expect(turns.nextWhenLong('a')).toBeUndefined()
  pass(maxTurnMs - 1)
  expect(turns.nextWhenLong('a')).toBeUndefined()
  pass(1)
  const yielded = turns.nextWhenLong('a')
  expect(yielded).toBeInstanceOf(Promise)
  await turn()
  await yielded
  expect(turns.nextWhenLong('a')).toBeUndefined()
  pass(maxTurnMs)
  expect(turns.nextWhenLong('a')).toBeInstanceOf(Promise)
})
