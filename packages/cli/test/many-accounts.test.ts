import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { onLoopback } from './on-loopback.js'
import { local, readyWorkplace, type Workplace } from './workplace.js'

/** A URL at which nothing listens. */
const dead = 'http://127.0.0.1:1/'

/** A receiver that answers 500. */
async function failing(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(500).end()
  })
  return onLoopback(server)
}

/** A store of two accounts, whose receivers fail, each with a delivery that failed for good. */
async function twoShops(lyon = 1): Promise<Workplace> {
  const shop = await readyWorkplace({ ...local, SAV_RETRY_SCHEDULE: '0s' })
  await shop.json('accounts add lyon')
  const receiver = await failing()
  const endpoints = Array.from({ length: lyon }, (_, n) => ({
    ...{ id: `ep_${n}`, url: `${receiver}/${n}`, filterTypes: ['sav.created'] },
    secret: `whsec_${Buffer.alloc(24, n).toString('base64')}`,
  }))
  await shop.write('svix.json', JSON.stringify(endpoints))
  await shop.json('webhooks import svix.json --account lyon')
  await shop.json(['webhooks', 'add', dead, '--events', 'sav.created'])
  const worker = await shop.workHere()
  for (const account of ['default', 'lyon'])
    await shop.json(['webhooks', 'trigger', 'sav.created', '--account', account, '--yes'])
  const troubled = async () => (await doctor(shop)).troubled_receivers
  await expect.poll(troubled).toHaveLength(lyon + 1)
  await worker.stop()
  return shop
}

interface Doctor {
  readonly troubled_receivers: readonly { readonly account_id: string; readonly id: string }[]
  readonly warnings: readonly string[]
}

async function doctor(shop: Workplace): Promise<Doctor> {
  return JSON.parse((await shop.sav('doctor --json')).stdout)
}

/** The commands in a text, as a person would copy them. */
const commandsIn = (text: string) =>
  [...text.matchAll(/\bsav (?:webhooks|users|keys|cases|planning) [^`\n.,]+/g)].map(([command]) => command)

describe('a command printed for copying', () => {
  it('names the account, so that it works in that account', async () => {
    const shop = await twoShops()
    const lyon = (...args: string[]) => shop.sav([...args, '--account', 'lyon'])
    await lyon('keys', 'create', '--name', 'k', '--permissions', 'sav:read', '--expires', '5d')
    const [endpoint] = await shop.json<{ id: string }[]>('webhooks list --account lyon')
    const { id = '' } = endpoint ?? {}
    const [failed] = await shop.json<{ id: string }[]>('webhooks history --account lyon')
    const runs = [
      ['doctor'],
      ['users', 'add', '--nom', 'Zoé', '--email', 'zoe@example.com', '--role', 'gestion', '--account', 'lyon'],
      ['webhooks', 'health', id, '--account', 'lyon'],
      ['webhooks', 'show', failed?.id ?? '', '--account', 'lyon'],
      ['webhooks', 'test', id, '--account', 'lyon'],
      ['webhooks', 'trigger', 'sav.created', '--yes', '--account', 'lyon'],
      ['webhooks', 'retry', '--dry-run', '--account', 'lyon'],
    ]
    const copied: string[] = []
    for (const args of runs) {
      if (args[1] === 'retry') await lyon('webhooks', 'disable', id)
      const { code, stdout } = await shop.sav(args)
      const commands = commandsIn(stdout)
      expect([args, code, commands.length > 0]).toEqual([args, 0, true])
      if (args.includes('lyon')) expect(commands.filter((command) => !command.endsWith('--account lyon'))).toEqual([])
      copied.push(...commands)
    }
    expect(copied.filter((command) => command.endsWith('--account lyon')).length).toBeGreaterThan(5)
    for (const command of new Set(copied)) {
      const yes = command.startsWith('sav webhooks retry') ? ['--yes'] : []
      const { code, stderr } = await shop.sav([...command.split(' ').slice(1), ...yes])
      expect([command, code, stderr]).toEqual([command, 0, ''])
    }
  })

  it('names the account also where it is printed instead of an empty list', async () => {
    const shop = await readyWorkplace()
    await shop.json('accounts add lyon')
    for (const list of ['webhooks list', 'webhooks health', 'users list', 'keys list'])
      await shop.shows(`${list} --account lyon`, 0, / --account lyon`?\.?\n$/)
  })
})

it('sav doctor names at most ten failing receivers in one line, but all of them in JSON', async () => {
  const shop = await twoShops(24)
  const { troubled_receivers, warnings } = await doctor(shop)
  expect(troubled_receivers).toHaveLength(25)
  const about = warnings.filter((warning) => warning.includes('wh_'))
  expect(about).toEqual([
    expect.stringMatching(/^25 receivers fail: `sav webhooks health --all-accounts` lists them\. /),
  ])
  const named = troubled_receivers.filter(({ id }) => about[0]?.includes(id))
  expect(named).toEqual(troubled_receivers.slice(0, 10))
  for (const { account_id, id } of named) expect(about[0]).toContain(`${id} (account ${account_id})`)
})

describe('--all-accounts', () => {
  it('shows the receivers and the deliveries of every account, each with its account', async () => {
    const shop = await twoShops(2)
    const health = await shop.json<object[]>('webhooks health --all-accounts')
    const ofLyon = await shop.json<object[]>('webhooks health --account lyon')
    const inLyon = (rows: readonly object[]) => rows.map((row) => ({ account: 'lyon', ...row }))
    expect(health).toHaveLength(3)
    expect(health).toEqual(expect.arrayContaining(inLyon(ofLyon)))

    const history = (...args: string[]) => shop.json<{ created_at: string }[]>(['webhooks', 'history', ...args])
    const all = await history('--all-accounts', '--state', 'failed')
    expect(all.map(({ created_at }) => created_at)).toEqual(
      all
        .map(({ created_at }) => created_at)
        .toSorted()
        .reverse(),
    )
    expect(all).toHaveLength(3)
    expect(all).toEqual(expect.arrayContaining(inLyon(await history('--account', 'lyon'))))
    expect(await history('--all-accounts', '--limit', '1')).toEqual(all.slice(0, 1))
    expect(await history('--all-accounts', '--state', 'pending')).toEqual([])
    for (const list of ['health', 'history']) {
      const { stdout } = await shop.sav(['webhooks', list, '--all-accounts'])
      expect(stdout).toMatch(/^ID +ACCOUNT +/)
      expect(stdout).toMatch(/^\w+ +lyon +.*\n(.*\n)?\w+ +default /m)
    }
  })

  it('resends failed deliveries in every account', async () => {
    const shop = await twoShops()
    const retry = (...how: string[]) => shop.sav(['webhooks', 'retry', '--all-accounts', ...how])
    expect((await retry('--dry-run')).stdout).toBe(
      'default: 1 delivery would be sent again.\nlyon: 1 delivery would be sent again.\n',
    )
    expect(await retry()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Send 2 deliveries of 2 accounts again\?/),
    })
    const done = { matched: 1, retried: 1, replay: expect.stringMatching(/^rpl_/), state: 'done' }
    expect(await shop.json('webhooks retry --all-accounts --yes')).toEqual([
      { account: 'default', ...done },
      { account: 'lyon', ...done },
    ])
    expect(await shop.json('webhooks history --all-accounts --state pending')).toHaveLength(2)
    expect((await retry('--yes')).stdout).toBe('No delivery matches in any account.\n')
  })

  it('is refused together with an account, an endpoint, or the key of a service', async () => {
    const shop = await readyWorkplace()
    for (const [args, words] of [
      [['health', '--account', 'default'], /--all-accounts and --account default/],
      [['history', '--account', 'default'], /--all-accounts and --account default/],
      [['retry', 'dlv_1'], /Give deliveries or --all-accounts/],
      [['health', 'wh_1'], /Give an endpoint or --all-accounts/],
      [['history', '--url', 'http://127.0.0.1:1'], /a key belongs to one account/],
      [['history', '--follow'], /--follow/],
    ] as const) {
      const { code, stderr } = await shop.sav(['webhooks', ...args, '--all-accounts'], { SAV_API_KEY: 'k' })
      expect([args, code, stderr]).toEqual([args, 2, expect.stringMatching(words)])
    }
  })
})
