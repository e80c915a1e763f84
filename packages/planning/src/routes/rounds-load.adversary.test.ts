import { afterEach, describe, expect, it } from 'vitest'
import { Client, closeListeners, start } from '../../../http-node/test/listening.js'
import { requestHead, statusesIn } from '../../../http-node/test/raw-socket.js'
import { openService } from '../../../http-node/test/service.js'
import type { RoundProblem, RoundSolver } from '../rounds/round-problem.js'

afterEach(closeListeners)

const date = '2026-04-07'

/** A solver that answers when the test says so, or rejects when its caller hangs up. */
function patientSolver() {
  const asked: { readonly problem: RoundProblem; readonly answer: () => void; left: boolean }[] = []
  const solver: RoundSolver = {
    solve(problem, signal) {
      return new Promise((resolve, reject) => {
        const none = { seconds: 0, meters: 0 }
        const plan = { rounds: [], unserved: [], before: none, after: none, isExact: true, avertissements: [] }
        const one = { problem, answer: () => resolve(plan), left: false }
        asked.push(one)
        signal?.addEventListener('abort', () => {
          one.left = true
          reject(signal.reason)
        })
      })
    },
  }
  return { asked, solver }
}

async function open() {
  const { asked, solver } = patientSolver()
  const service = await openService(undefined, { roundSolver: solver })
  const { url } = await start(service.api)
  const body = JSON.stringify({ date, mode: 'apercu' })
  const keyOf = async (account_id = 'default') =>
    service.auth({
      'x-request-timestamp': String(Math.floor(service.clock.now() / 1000)),
      authorization: `Bearer ${await service.key(['planning:write'], account_id)}`,
    })

  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise(setImmediate)
  }
  const ask = (headers: Readonly<Record<string, string>>) => {
    const client = new Client(url)
    const sent = { ...headers, 'content-length': String(body.length) }
    client.socket.write(requestHead('POST', '/v1/planning/tournees/optimiser', sent) + body)
    return client
  }
  const answered = (clients: readonly Client[]) => clients.filter(({ received }) => statusesIn(received).length > 0)
  return { service, asked, keyOf, ask, until, answered }
}

describe('previews of rounds', () => {
  it('for one key run one at a time, with two waiting and others refused, and delay no other account', async () => {
    const { service, asked, keyOf, ask, until, answered } = await open()
    const key = await keyOf()
    const clients = Array.from({ length: 100 }, () => ask(key))
    await until(() => answered(clients).length === 97)
    for (const { received } of answered(clients)) {
      expect(statusesIn(received)).toEqual([429])
      expect(received).toMatch(/^retry-after: [1-9]\d*\r$/im)
    }
    expect(asked).toHaveLength(1)

    const other = ask(await keyOf('other'))
    await until(() => asked.length === 2)
    asked[1]?.answer()
    await until(() => answered([other]).length === 1)
    expect(statusesIn(other.received)).toEqual([200])

    for (const turn of [0, 2, 3]) {
      await until(() => asked.length > turn)
      asked[turn]?.answer()
    }
    await until(() => answered(clients).length === 100)
    expect(service.calls.filter(({ status }) => status === 200)).toHaveLength(4)
    expect(asked).toHaveLength(4)
  })

  it('end when the caller hangs up, whether they are waiting or running', async () => {
    const { service, asked, keyOf, ask, until, answered } = await open()
    const key = await keyOf()
    const [first, second, third] = [ask(key), ask(key), ask(key)]
    await until(() => asked.length === 1)
    // The four requests may arrive in another order, so any of them may be the refused one.
    const waiting = ask(key)
    await until(() => answered([waiting, first, second, third]).length === 1)
    const [refused] = answered([waiting, first, second, third])
    for (const client of [waiting, first, second, third]) if (client !== refused) client.socket.destroy()
    await until(() => service.calls.length === 4)
    expect(asked).toMatchObject([{ left: true }])
    expect(service.calls.map(({ status }) => status).toSorted()).toEqual([429, 499, 499, 499])
    expect(service.failures).toEqual([])

    const next = ask(key)
    await until(() => asked.length === 2)
    asked[1]?.answer()
    await until(() => answered([next]).length === 1)
    expect(statusesIn(next.received)).toEqual([200])
  })
})
