import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { NotFoundError, ValidationError } from '../errors.js'
import { idMaker } from '../ids.js'
import type { Random, Storage } from '../ports.js'
import { fixedClock, memoryStorage } from '../testing/index.js'
import { type CreateKeyInput, createKeys } from './api-keys.js'
import { permissions } from './permissions.js'

const day = 86_400_000
const anywhere = '203.0.113.9'
const basic: CreateKeyInput = { nom: 'caisse', permissions: ['sav:read'] }

async function open(random: Random = randomBytes) {
  const storage = memoryStorage()
  const clock = fixedClock()
  /** Keys as another process of the same installation has them. */
  const process = (store: Storage = storage) =>
    createKeys({ storage: store, clock, random, newId: idMaker(clock, random) })
  for (const id of ['ours', 'theirs']) await storage.transaction((tx) => tx.accounts.add(account(id)))
  return { storage, clock, process, keys: process() }
}

const account = (id: string) => ({
  id,
  raison_sociale: null,
  adresse: null,
  siret: null,
  email: null,
  signature_requise_depuis: null,
  created_at: '2026-01-01T00:00:00.000Z',
})

describe('a new key', () => {
  it('is shown once, and only its SHA-256 is kept', async () => {
    const { storage, keys } = await open()
    const { key, id } = await keys.create('ours', basic)
    const stored = await storage.keys.find('ours', id)
    expect(stored?.hash).toBe(createHash('sha256').update(key).digest('hex'))
    expect(JSON.stringify(stored)).not.toContain(key.slice('sav_live_'.length))
    const listed = JSON.stringify(await keys.list('ours'))
    expect(listed).toContain(id)
    expect(listed).not.toContain(key)
    expect(listed).not.toContain(stored?.hash)
  })

  it.each([
    ['random bytes', randomBytes],
    ['bytes of zeros', (length: number) => new Uint8Array(length)],
    ['bytes of ones', (length: number) => new Uint8Array(length).fill(255)],
    ['a single one at the end', (length: number) => new Uint8Array(length).fill(1, length - 1)],
  ])('made of %s is sav_live_ and base62, always as long', async (_, random) => {
    const { keys } = await open(random)
    const { key } = await keys.create('ours', basic)
    expect(key).toMatch(/^sav_live_[0-9A-Za-z]{49}$/)
    expect(await keys.authenticate(key, anywhere)).toMatchObject({ account_id: 'ours' })
  })

  it('differs with every random byte of the 32', async () => {
    const made = new Set<string>()
    for (let position = 0; position < 32; position += 1) {
      const { keys } = await open((length) => new Uint8Array(length).fill(1, position, position + 1))
      made.add((await keys.create('ours', basic)).key)
    }
    expect(made.size).toBe(32)
  })

  it('lasts a year unless told otherwise', async () => {
    const { keys, clock } = await open()
    const inDays = (days: number) => new Date(clock.now() + days * day).toISOString()
    expect((await keys.create('ours', basic)).expires_at).toBe(inDays(365))
    expect((await keys.create('ours', { ...basic, expire_jours: 1 })).expires_at).toBe(inDays(1))
  })

  it('holds each permission once', async () => {
    const { keys } = await open()
    expect((await keys.create('ours', { nom: 'tout', permissions: [...permissions] })).permissions).toEqual([
      ...permissions,
    ])
    const twice = await keys.create('ours', { nom: 'deux', permissions: ['sav:read', 'sav:write', 'sav:read'] })
    expect(twice.permissions).toEqual(['sav:read', 'sav:write'])
  })

  it.each([
    [['nom'], { nom: '' }],
    [['nom'], { nom: 'x'.repeat(121) }],
    [['permissions'], { permissions: [] }],
    [['expire_jours'], { expire_jours: 0 }],
    [['expire_jours'], { expire_jours: 1.5 }],
    [['expire_jours'], { expire_jours: -1 }],
    [['ips[1]'], { ips: ['10.0.0.0/8', 'ici'] }],
    [['ips[0]', 'nom'], { nom: '', ips: ['10.0.0.0/33'] }],
  ] satisfies [string[], Partial<CreateKeyInput>][])('with a bad %s is refused', async (fields, bad) => {
    const { keys } = await open()
    const refusal = await keys.create('ours', { ...basic, ...bad }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ValidationError)
    expect(refusal instanceof ValidationError && refusal.details.map(({ field }) => field).toSorted()).toEqual(fields)
    expect(await keys.list('ours')).toEqual([])
  })

  it('of no account is refused', async () => {
    const { keys } = await open()
    await expect(keys.create('nobody', basic)).rejects.toThrow(NotFoundError)
  })

  it('is listed first, and by its own account only', async () => {
    const { keys, clock } = await open()
    const first = await keys.create('ours', basic)
    await clock.advance(1)
    const second = await keys.create('ours', basic)
    await keys.create('theirs', basic)
    expect((await keys.list('ours')).map(({ id }) => id)).toEqual([second.id, first.id])
  })
})

describe('a key that is presented', () => {
  it('tells its account and its permissions', async () => {
    const { keys } = await open()
    const { key, id } = await keys.create('theirs', { ...basic, permissions: ['sav:read', 'webhooks:write'] })
    expect(await keys.authenticate(key, anywhere)).toMatchObject({
      id,
      account_id: 'theirs',
      permissions: ['sav:read', 'webhooks:write'],
    })
  })

  it('with one character changed is refused by its checksum, without asking the store', async () => {
    const { storage, process } = await open()
    const { key } = await process().create('ours', basic)
    let lookUps = 0
    const findByHash: Storage['keys']['findByHash'] = async (hash) => {
      lookUps += 1
      return storage.keys.findByHash(hash)
    }
    const keys = process({ ...storage, keys: { ...storage.keys, findByHash } })
    for (let at = 0; at < key.length; at += 1) {
      const mistyped = `${key.slice(0, at)}${key[at] === 'a' ? 'b' : 'a'}${key.slice(at + 1)}`
      expect(await keys.authenticate(mistyped, anywhere)).toBeNull()
    }
    const strange = ['', 'sav_live_', key.slice(0, -1), `${key}a`, ` ${key}`, `${key}\n`, key.toLowerCase()]
    for (const text of [...strange, `sav_test_${key.slice(9)}`, 'x'.repeat(1_000_000), 'é'.repeat(58), '\0'.repeat(58)])
      expect(await keys.authenticate(text, anywhere)).toBeNull()
    expect(lookUps).toBe(0)
    expect(await keys.authenticate(key, anywhere)).not.toBeNull()
  })

  it('of another installation is refused', async () => {
    const [{ keys }, other] = [await open(), await open()]
    const { key } = await other.keys.create('ours', basic)
    expect(await keys.authenticate(key, anywhere)).toBeNull()
  })

  it('is known to another process the moment that it exists, even when it was refused there just before', async () => {
    const { process } = await open((length) => new Uint8Array(length).fill(9))
    const [here, there] = [process(), process()]
    const { key } = await (await open((length) => new Uint8Array(length).fill(9))).keys.create('ours', basic)
    expect(await there.authenticate(key, anywhere)).toBeNull()
    await here.create('ours', basic)
    expect(await there.authenticate(key, anywhere)).not.toBeNull()
  })

  it('is accepted until the millisecond before it expires', async () => {
    const { keys, clock } = await open()
    const { key } = await keys.create('ours', { ...basic, expire_jours: 1 })
    await clock.advance(day - 1)
    expect(await keys.authenticate(key, anywhere)).not.toBeNull()
    await clock.advance(1)
    expect(await keys.authenticate(key, anywhere)).toBeNull()
  })
})

describe('a revoked key', () => {
  it('is refused at once where it was revoked, and within a second elsewhere', async () => {
    const { process, clock } = await open()
    const [here, there] = [process(), process()]
    const { key, id } = await here.create('ours', basic)
    for (const keys of [here, there]) expect(await keys.authenticate(key, anywhere)).not.toBeNull()
    await here.revoke('ours', id)
    expect(await here.authenticate(key, anywhere)).toBeNull()
    await clock.advance(1_000)
    expect(await there.authenticate(key, anywhere)).toBeNull()
  })

  it('is refused within a second by a process that is using it all the time', async () => {
    const { process, clock } = await open()
    const [here, there] = [process(), process()]
    const { key, id } = await here.create('ours', basic)
    await there.authenticate(key, anywhere)
    await here.revoke('ours', id)
    for (let passed = 0; passed < 1_000; passed += 50) {
      await there.authenticate(key, anywhere)
      await clock.advance(50)
    }
    expect(await there.authenticate(key, anywhere)).toBeNull()
  })

  it('stays revoked since the first time', async () => {
    const { keys, clock } = await open()
    const { id } = await keys.create('ours', basic)
    const { revoked_at } = await keys.revoke('ours', id)
    await clock.advance(5_000)
    expect((await keys.revoke('ours', id)).revoked_at).toBe(revoked_at)
    expect((await keys.list('ours')).map((key) => key.revoked_at)).toEqual([revoked_at])
  })

  it('is not to be had by another account', async () => {
    const { keys } = await open()
    const { key, id } = await keys.create('theirs', basic)
    await expect(keys.revoke('ours', id)).rejects.toThrow(NotFoundError)
    await expect(keys.revoke('ours', 'key_none')).rejects.toThrow(NotFoundError)
    expect(await keys.authenticate(key, anywhere)).not.toBeNull()
  })
})

describe('a list of allowed addresses', () => {
  it.each([
    [[], '203.0.113.9', true],
    [['10.0.0.0/8'], '10.255.255.255', true],
    [['10.0.0.0/8'], '11.0.0.0', false],
    [['10.0.0.0/8'], '9.255.255.255', false],
    [['192.0.2.128/25'], '192.0.2.128', true],
    [['192.0.2.128/25'], '192.0.2.127', false],
    [['192.0.2.7'], '192.0.2.7', true],
    [['192.0.2.7'], '192.0.2.8', false],
    [['192.0.2.7/32'], '192.0.2.7', true],
    [['192.0.2.7/32'], '192.0.2.6', false],
    [['0.0.0.0/0'], '203.0.113.9', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['10.0.0.0/8', '192.0.2.7'], '192.0.2.7', true],
    [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
    [['10.0.0.0/8'], '::ffff:a01:203', true],
    [['10.0.0.0/8'], '::ffff:11.1.2.3', false],
    [['2001:db8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '2001:db9::', false],
    [['2001:db8::1'], '2001:0db8:0:0:0:0:0:1', true],
    [['2001:db8::1'], '2001:db8::2', false],
    [['::/0'], '2001:db8::1', true],
    [['10.0.0.0/8'], '', false],
    [['10.0.0.0/8'], 'unknown', false],
  ])('%j lets %s in: %s', async (ips, ip, allowed) => {
    const { keys } = await open()
    const { key } = await keys.create('ours', { ...basic, ips })
    expect((await keys.authenticate(key, ip)) !== null).toBe(allowed)
  })

  it.each([
    '',
    'localhost',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.256',
    '192.168.1',
    '10',
    '192.168.1/24',
    '010.0.0.1',
    '0x0a.0.0.1',
    '::ffff:10.0.0.5',
    '2001:db8::/129',
    '2001:db8',
    '10.0.0.1-10.0.0.9',
    '10.0.0.*',
    ' 10.0.0.1',
  ])('cannot hold %j, which is easily taken for something else or is nothing at all', async (entry) => {
    const { keys } = await open()
    await expect(keys.create('ours', { ...basic, ips: [entry] })).rejects.toThrow(ValidationError)
  })
})
