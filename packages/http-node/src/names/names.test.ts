import { createHook } from 'node:async_hooks'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { namesOf } from '../../test/receivers.js'
import { NameNotFoundError, Names } from './names.js'

let folder = ''
let hostsFile = ''
let resolvConf = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'names-'))
  hostsFile = join(folder, 'hosts')
  resolvConf = join(folder, 'resolv.conf')
  await writeFile(hostsFile, '127.0.0.1 LocalHost\n10.0.0.9\terp.local erp # the old one\n::9 erp\nnonsense erp\n')
  await writeFile(
    resolvConf,
    'nameserver 192.0.2.1\nsearch shop.svc.cluster.local. svc.cluster.local\noptions ndots:2\n',
  )
})
afterAll(() => rm(folder, { recursive: true }))

type AnswerFor = Parameters<typeof namesOf>[0]

async function open(answerFor: AnswerFor, { hosts = hostsFile } = {}) {
  const { address, asked } = await namesOf(answerFor)
  const names = new Names({ servers: [address], hostsFile: hosts, resolvConf })
  const lookUp = (name: string, { account_id = 'a', signal = new AbortController().signal } = {}) =>
    names.lookUp(name, { account_id, signal })
  return { names, asked, lookUp }
}

const unknown = { addresses: [], rcode: 'NXDOMAIN' } as const
const failing = { addresses: [], rcode: 'SERVFAIL' } as const
const silence: AnswerFor = () => null

describe('a name', () => {
  it('resolves to IPv6 and IPv4 addresses alternately, IPv6 first', async () => {
    const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8::1', '2001:db8::2']
    const { lookUp } = await open(() => ({ addresses }))
    const found = ['2001:db8::1', '192.0.2.1', '2001:db8::2', '192.0.2.2', '192.0.2.3']
    expect(await lookUp('receiver.shop.example')).toEqual(found)
  })

  it.each(['A', 'AAAA'] as const)(
    'resolves to its %s addresses if the query for the other family is never answered',
    async (only) => {
      const { names, lookUp } = await open(() => ({ addresses: ['192.0.2.1', '2001:db8::1'], only }))
      expect(await lookUp('receiver.shop.example')).toEqual([only === 'A' ? '192.0.2.1' : '2001:db8::1'])
      expect(names.fresh('receiver.shop.example')).toBeDefined()
    },
  )

  it('is looked up first in the hosts file, whose later changes take effect', async () => {
    const { asked, lookUp } = await open(silence)
    expect(await lookUp('erp')).toEqual(['10.0.0.9', '::9'])
    expect(await lookUp('erp.local.')).toEqual(['10.0.0.9'])
    expect(asked).toEqual([])
    await appendFile(hostsFile, '10.0.0.10 crm\n')
    expect(await lookUp('crm')).toEqual(['10.0.0.10'])
  })

  it.each([
    ['erp-api', ['erp-api.shop.svc.cluster.local', 'erp-api.svc.cluster.local']],
    ['erp-api.other', ['erp-api.other.shop.svc.cluster.local', 'erp-api.other.svc.cluster.local']],
    ['a.b.svc.cluster.local', ['a.b.svc.cluster.local']],
    ['a.svc.cluster.local.', ['a.svc.cluster.local']],
  ])('%s is completed with the search domains: %j', async (name, expected) => {
    const { asked, lookUp } = await open((full) =>
      /^[^.]+(\.other|\.b)?\.svc\.cluster\.local$/.test(full) ? { addresses: ['10.0.0.1'] } : unknown,
    )
    expect(await lookUp(name)).toEqual(['10.0.0.1'])
    expect(asked.filter((question) => question.startsWith('A '))).toEqual(expected.map((each) => `A ${each}`))
  })

  it('is looked up in the next search domain if the look-up in one fails', async () => {
    const { lookUp } = await open((name) => (name.includes('shop') ? failing : { addresses: ['10.0.0.1'] }))
    expect(await lookUp('erp-api')).toEqual(['10.0.0.1'])
  })
})

describe('an answer', () => {
  it('is kept for its TTL, and shared by concurrent look-ups', async () => {
    const { names, asked, lookUp } = await open((name) => ({
      addresses: ['192.0.2.1'],
      ttlSeconds: name === 'fleeting.shop.example' ? 0 : 300,
    }))
    await Promise.all([lookUp('kept.shop.example'), lookUp('kept.shop.example')])
    expect(names.fresh('kept.shop.example')).toEqual(['192.0.2.1'])
    await lookUp('kept.shop.example')
    expect(asked).toHaveLength(2)
    await lookUp('fleeting.shop.example')
    expect(names.fresh('fleeting.shop.example')).toBeUndefined()
    expect(names.latest('fleeting.shop.example')).toEqual(['192.0.2.1'])
    await lookUp('fleeting.shop.example')
    expect(asked).toHaveLength(6)
  })

  it('that has expired is used while the servers fail, but not when the name is gone', async () => {
    let answer: { addresses: string[]; ttlSeconds?: number; rcode?: 'SERVFAIL' | 'NXDOMAIN' } = {
      addresses: ['192.0.2.1'],
      ttlSeconds: 0,
    }
    const { asked, lookUp } = await open(() => answer)
    await lookUp('receiver.invalid')
    await lookUp('moved.invalid')
    answer = { ...failing, addresses: [] }
    expect(await lookUp('receiver.invalid')).toEqual(['192.0.2.1'])
    const before = asked.length
    expect(await lookUp('receiver.invalid')).toEqual(['192.0.2.1'])
    expect(asked).toHaveLength(before)
    await expect(lookUp('another.invalid')).rejects.toThrow(NameNotFoundError)
    answer = { ...unknown, addresses: [] }
    await expect(lookUp('moved.invalid')).rejects.toThrow(NameNotFoundError)
  })

  it('has at most 8 addresses of each family', async () => {
    const { lookUp } = await open(() => ({ addresses: Array.from({ length: 20 }, (_, n) => `192.0.2.${n}`) }))
    expect(await lookUp('many.shop.example')).toHaveLength(8)
  })

  it('is dropped when 10,000 newer answers are kept', async () => {
    const listed = Array.from({ length: 10_001 }, (_, n) => `shop${n}`)
    const hosts = join(folder, 'many-hosts')
    await writeFile(hosts, listed.map((name) => `10.0.0.1 ${name}\n`).join(''))
    const { names, lookUp } = await open(silence, { hosts })
    for (const name of listed) await lookUp(name)
    expect([names.latest('shop0'), names.latest('shop1')]).toEqual([undefined, ['10.0.0.1']])
  })
})

describe('names without an answer', () => {
  it('delay names of their own account only briefly, and names of other accounts not at all', async () => {
    const { lookUp } = await open((name) => (name.startsWith('gone') ? null : { addresses: ['192.0.2.1'] }))
    const leaving = new AbortController()
    let ended = 0
    const gone = Array.from({ length: 40 }, (_, n) =>
      lookUp(`gone${n}.shop.example`, { signal: leaving.signal }).finally(() => {
        ended += 1
      }),
    )
    const settled = Promise.allSettled(gone)
    expect(await lookUp('good.shop.example', { account_id: 'b' })).toEqual(['192.0.2.1'])
    expect(await lookUp('good.shop.example')).toEqual(['192.0.2.1'])
    expect(await lookUp('other.shop.example')).toEqual(['192.0.2.1'])
    expect(ended).toBe(0)
    leaving.abort()
    for (const { status } of await settled) expect(status).toBe('rejected')
  })

  it('are no longer looked up when no caller waits for them', async () => {
    const { lookUp } = await open(silence)
    const [one, other] = [new AbortController(), new AbortController()]
    const looking = [one, other].map(({ signal }) => lookUp('gone.shop.example', { signal }))
    let isOver = false
    const over = Promise.allSettled(looking).then((ends) => {
      isOver = true
      return ends
    })
    one.abort()
    await new Promise(setImmediate)
    expect(isOver).toBe(false)
    other.abort()
    for (const end of await over) expect(end).toMatchObject({ reason: expect.any(NameNotFoundError) })
  })
})

describe('a thread for look-ups by the operating system', () => {
  /** The look-ups of the system, each in one thread: the most at once, and the total. */
  let [most, all] = [0, 0]
  const underWay = new Set<number>()
  const hook = createHook({
    init(id, type) {
      if (type !== 'GETADDRINFOREQWRAP') return
      underWay.add(id)
      all += 1
      most = Math.max(most, underWay.size)
    },
    before: (id) => void underWay.delete(id),
  })
  beforeAll(() => void hook.enable())
  afterAll(() => void hook.disable())

  it('is used, one at a time, for names that the name servers do not know', async () => {
    const { names, lookUp } = await open(() => unknown, { hosts: join(folder, 'none') })
    const accounts = Array.from({ length: 12 }, (_, n) => `account${n}`)
    // The system finds `localhost` in the hosts file of this machine.
    const found = await Promise.all(accounts.map((account_id) => lookUp('localhost', { account_id })))
    expect(found.flat()).toContain('127.0.0.1')
    expect(names.fresh('localhost')).toBeDefined()
    expect([most, all]).toEqual([1, 12])
  })

  it('is not used for names that the name servers find, or fail to find', async () => {
    all = 0
    const { lookUp } = await open((name) => (name.startsWith('good') ? { addresses: ['192.0.2.1'] } : failing))
    await lookUp('good.shop.example')
    await expect(lookUp('failing.shop.example')).rejects.toThrow(NameNotFoundError)
    expect(all).toBe(0)
  })
})
