import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { asked, hasCitus, killed, newSchema, nodesOf, within } from '../../../../test/citus.js'
import { expectQuietEnd, installation, upTo } from '../chaos/installation.js'
import { expectNothingLost, traffic } from '../chaos/traffic.js'
import { readyWorkplace } from '../workplace.js'

/** A service on its own store, under load, and the longest time between two acknowledgements. */
async function loadedStore() {
  const made = newSchema()
  onTestFinished(() => made[Symbol.asyncDispose]())
  const settings = { SAV_SCHEMA: made.schema }
  const { told, create, shop, processes } = await installation(made.url, {
    apis: 1,
    workers: 1,
    receivers: 1,
    settings,
  })
  let [last, longestMs] = [performance.now(), 0]
  const timed = async (n: number) => {
    const response = await create(n)
    const now = performance.now()
    if (response.status === 201) [longestMs, last] = [Math.max(longestMs, now - last), now]
    return response
  }
  const load = traffic({ create: timed, clients: 4, processes })
  await load.servedAgain()
  return {
    schema: made.schema,
    ...load,
    /** The longest time between two acknowledgements since the last call of this function. */
    longestMs() {
      const longest = Math.round(longestMs)
      longestMs = 0
      return longest
    },
    /** Ends the load. Expects every acknowledged case to exist once and to be delivered, and the chain to be whole. */
    async found() {
      await load.stop()
      const database = within(made.schema)
      const { acknowledged, others } = load
      const found = await expectNothingLost({ database, acknowledged, others, receiver: told[0] })
      expect(await shop.json('evidence verify')).toEqual({ checked: 0, broken: [] })
      await expectQuietEnd(processes)
      return { acknowledged: acknowledged.length, found, others }
    },
  }
}

/** Two stores whose schemas are on different nodes. */
async function storesOnTwoNodes() {
  const [hit, other] = [await loadedStore(), await loadedStore()]
  const { own } = await nodesOf(hit.schema)
  const { own: theirs, other: free } = await nodesOf(other.schema)
  if (own.nodeport === theirs.nodeport)
    await asked(`select citus_schema_move('${other.schema}', '${free.nodename}', ${free.nodeport})`)
  await other.servedAgain()
  return { hit, other, node: own }
}

const timeout = 600_000

it.runIf(hasCitus('that a store is copied to Citus'))(
  'a store is copied to Citus, where its ids continue',
  { timeout },
  async () => {
    await using made = newSchema()
    const shop = await readyWorkplace()
    const create = (description: string, place: readonly string[] = [], env = {}) =>
      shop.json(['cases', 'create', '--client-id', '1', '--description', description, ...place], env)
    await create('La porte du four')
    const from = `sqlite:${join(shop.dir, 'sav-data/sav.db')}`
    await shop.json(['copy', '--from', from, '--to', made.url, '--to-schema', made.schema])
    const there = ['--database', made.url, '--schema', made.schema]
    const added = await create('Le tiroir du bas', there, { SAV_SECRET_KEY_FILE: 'sav-data/secret.key' })
    expect(added).toMatchObject({ id: 2, reference: expect.stringMatching(/-00002$/) })
  },
)

it.runIf(hasCitus('that stores outlive kills of a node'))(
  'when a node is killed under load, 5 times, its stores lose nothing, and those on other nodes keep working',
  { timeout },
  async () => {
    const { hit, other, node } = await storesOnTwoNodes()
    const pauses: { readonly [of in 'hit' | 'other' | 'afterReturn']: number }[] = []
    for (const _ of upTo(5)) {
      for (const store of [hit, other]) store.longestMs()
      const start = await killed(node)
      const refused = hit.others.get('503 Retry-After: true') ?? 0
      await expect.poll(() => hit.others.get('503 Retry-After: true') ?? 0).toBeGreaterThan(refused + 4)
      await other.servedAgain()
      await delay(1000)
      await start()
      const afterReturn = Math.round(await hit.servedAgain())
      pauses.push({ hit: hit.longestMs(), other: other.longestMs(), afterReturn })
    }
    console.info({ pauses, hit: await hit.found(), other: await other.found() })
  },
)

it.runIf(hasCitus('that a store moves between nodes under load'))(
  'a store that moves between nodes under load, 3 times, has no error and loses nothing',
  { timeout },
  async () => {
    const store = await loadedStore()
    const pauses: number[] = []
    for (const _ of upTo(3)) {
      store.longestMs()
      const { other } = await nodesOf(store.schema)
      await asked(`select citus_schema_move('${store.schema}', '${other.nodename}', ${other.nodeport})`)
      await store.servedAgain()
      pauses.push(store.longestMs())
    }
    const found = await store.found()
    console.info({ pauses, ...found })
    expect([...found.others]).toEqual([])
  },
)
