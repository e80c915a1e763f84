import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { replacing } from '../../../planning/test/replacing.js'
import { badFields } from '../../test/case-samples.js'
import { anywhere, basic, day, openKeys } from '../../test/open-keys.js'
import { as } from '../../test/open-sav.js'
import { NotFoundError } from '../errors.js'
import type { Reads } from '../storage.js'
import { toInstant } from '../time/time.js'
import type { CreateKeyInput } from './api-keys.js'
import { corePermissions } from './permissions.js'

describe('a new key', () => {
  it('is shown once, and only its SHA-256 is kept', async () => {
    const { storage, keys } = await openKeys()
    const { key, id } = await keys.create(as('ours'), basic)
    const stored = await storage.reads.keys.find('ours', id)
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
  ])('made of %s is sav_live_ and 49 characters of base62', async (_, random) => {
    const { keys } = await openKeys(random)
    const { key } = await keys.create(as('ours'), basic)
    expect(key).toMatch(/^sav_live_[0-9A-Za-z]{49}$/)
    expect(await keys.authenticate(key, anywhere)).toMatchObject({ account_id: 'ours' })
  })

  it('depends on each of the 32 random bytes', async () => {
    const made = new Set<string>()
    for (let position = 0; position < 32; position += 1) {
      const { keys } = await openKeys((length) => new Uint8Array(length).fill(1, position, position + 1))
      made.add((await keys.create(as('ours'), basic)).key)
    }
    expect(made.size).toBe(32)
  })

  it('lasts a year by default, or until a given instant, or until a local day begins', async () => {
    const { keys, inDays } = await openKeys()
    expect((await keys.create(as('ours'), basic)).expires_at).toBe(inDays(365))
    expect((await keys.create(as('ours'), { ...basic, expire: inDays(1) })).expires_at).toBe(inDays(1))
    const withOffset = await keys.create(as('ours'), { ...basic, expire: '2026-03-01T00:00:00+02:00' })
    expect(withOffset.expires_at).toBe('2026-02-28T22:00:00.000Z')
    const onDay = await keys.create(as('ours'), { ...basic, expire: '2026-07-01' })
    expect(onDay.expires_at).toBe('2026-06-30T22:00:00.000Z')
  })

  it('must expire in the future, within ten years', async () => {
    const { keys, inDays } = await openKeys()
    const create = (expire: string) => keys.create(as('ours'), { ...basic, expire })
    await create(inDays(0.001))
    await create(inDays(3653))
    for (const expire of [inDays(0), inDays(-1), '2026-01-15', inDays(3653.001), '9999-12-31'])
      expect(await badFields(create(expire))).toEqual(['expire'])
  })

  it('has every given permission, and only once if it was given twice', async () => {
    const { keys } = await openKeys()
    const permissions = Object.keys(corePermissions)
    expect((await keys.create(as('ours'), { nom: 'tout', permissions })).permissions).toEqual(permissions)
    const twice = await keys.create(as('ours'), { nom: 'deux', permissions: ['sav:read', 'sav:write', 'sav:read'] })
    expect(twice.permissions).toEqual(['sav:read', 'sav:write'])
  })

  it.each([
    [['nom'], { nom: '' }],
    [['nom'], { nom: 'x'.repeat(121) }],
    [['permissions'], { permissions: [] }],
    [['expire'], { expire: 'demain' }],
    [['expire'], { expire: '2026-13-01' }],
    [['expire', 'nom'], { nom: '', expire: '2020-01-01' }],
    [['ips[1]'], { ips: ['10.0.0.0/8', 'ici'] }],
    [['ips[0]', 'nom'], { nom: '', ips: ['10.0.0.0/33'] }],
  ] satisfies [string[], Partial<CreateKeyInput>][])('with a bad %s is refused', async (fields, bad) => {
    const { keys } = await openKeys()
    expect(await badFields(keys.create(as('ours'), { ...basic, ...bad }))).toEqual(fields)
    expect(await keys.list('ours')).toEqual([])
  })

  it('for an account that does not exist is refused', async () => {
    const { keys } = await openKeys()
    await expect(keys.create(as('nobody'), basic)).rejects.toThrow(NotFoundError)
  })

  it('is listed before older keys, and only in its own account', async () => {
    const { keys, clock } = await openKeys()
    const first = await keys.create(as('ours'), basic)
    await clock.advance(1)
    const second = await keys.create(as('ours'), basic)
    await keys.create(as('theirs'), basic)
    expect((await keys.list('ours')).map(({ id }) => id)).toEqual([second.id, first.id])
  })
})

describe('a presented key', () => {
  it('with one character changed is refused by its checksum, without asking the store', async () => {
    const { storage, process } = await openKeys()
    const { key } = await process().create(as('ours'), basic)
    let lookUps = 0
    const findByHash: Reads['keys']['findByHash'] = async (hash) => {
      lookUps += 1
      return storage.reads.keys.findByHash(hash)
    }
    const keys = process({
      ...storage,
      reads: { ...storage.reads, keys: replacing(storage.reads.keys, { findByHash }) },
    })
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

  it('is accepted by another process as soon as it exists, even if that process has just refused it', async () => {
    const { process } = await openKeys((length) => new Uint8Array(length).fill(9))
    const [here, there] = [process(), process()]
    const { key } = await (await openKeys((length) => new Uint8Array(length).fill(9))).keys.create(as('ours'), basic)
    expect(await there.authenticate(key, anywhere)).toBeNull()
    await here.create(as('ours'), basic)
    expect(await there.authenticate(key, anywhere)).not.toBeNull()
  })

  it('is accepted until the millisecond before it expires', async () => {
    const { keys, clock, inDays } = await openKeys()
    const { key } = await keys.create(as('ours'), { ...basic, expire: inDays(1) })
    await clock.advance(day - 1)
    expect(await keys.authenticate(key, anywhere)).not.toBeNull()
    await clock.advance(1)
    expect(await keys.authenticate(key, anywhere)).toBeNull()
  })
})

describe('a key that is about to expire', () => {
  it.each([
    [30.001, false],
    [30, true],
    [0.001, true],
  ])('%f days before its expiry has expires_soon: %s', async (days, soon) => {
    const { keys, inDays } = await openKeys()
    const { key, expires_soon } = await keys.create(as('ours'), { ...basic, expire: inDays(days) })
    expect(expires_soon).toBe(soon)
    expect(await keys.authenticate(key, anywhere)).toMatchObject({ expires_soon: soon })
    expect(await keys.list('ours')).toMatchObject([{ expires_soon: soon }])
  })

  it('no longer has expires_soon once it has expired or is revoked', async () => {
    const { keys, clock, inDays } = await openKeys()
    const [expired, revoked] = [
      await keys.create(as('ours'), { ...basic, expire: inDays(1) }),
      await keys.create(as('ours'), { ...basic, expire: inDays(2) }),
    ]
    expect(await keys.revoke(as('ours'), revoked.id)).toMatchObject({ expires_soon: false })
    await clock.advance(day)
    expect((await keys.list('ours')).filter(({ id, expires_soon }) => id === expired.id && expires_soon)).toEqual([])
  })
})

describe('a rolled key', () => {
  it('has a successor with the same name, permissions, addresses and lifetime, and a new secret', async () => {
    const { keys, clock, inDays } = await openKeys()
    const ips = ['192.0.2.0/24', '203.0.113.9']
    const permissions = ['sav:read', 'webhooks:write'] as const
    const old = await keys.create(as('ours'), { nom: 'site', permissions: [...permissions], ips, expire: inDays(90) })
    await clock.advance(10 * day)
    const next = await keys.roll(as('ours'), old.id, {})
    expect(next).toMatchObject({ nom: 'site', permissions, ips, expires_at: inDays(90), revoked_at: null })
    expect(next.id).not.toBe(old.id)
    expect(next.key).not.toBe(old.key)
    expect(await keys.authenticate(next.key, anywhere)).toMatchObject({ id: next.id, account_id: 'ours' })
    expect((await keys.list('ours')).map(({ id }) => id)).toEqual([next.id, old.id])
  })

  it.each([
    ['a day', {}, 86_400],
    ['the requested time', { chevauchement_secondes: 60 }, 60],
  ])('works beside its successor for %s', async (_, input, seconds) => {
    const { keys, clock } = await openKeys()
    const old = await keys.create(as('ours'), basic)
    const next = await keys.roll(as('ours'), old.id, input)
    expect(next.previous_expires_at).toBe(toInstant(clock.now() + seconds * 1000))
    await clock.advance(seconds * 1000 - 1)
    expect(await keys.authenticate(old.key, anywhere)).not.toBeNull()
    await clock.advance(1)
    expect(await keys.authenticate(old.key, anywhere)).toBeNull()
    expect(await keys.authenticate(next.key, anywhere)).not.toBeNull()
  })

  it('without overlap ends at once in this process, and within a second in others', async () => {
    const { process, clock } = await openKeys()
    const [here, there] = [process(), process()]
    const { key, id } = await here.create(as('ours'), basic)
    for (const keys of [here, there]) expect(await keys.authenticate(key, anywhere)).not.toBeNull()
    await here.roll(as('ours'), id, { chevauchement_secondes: 0 })
    expect(await here.authenticate(key, anywhere)).toBeNull()
    await clock.advance(1_000)
    expect(await there.authenticate(key, anywhere)).toBeNull()
  })

  it('has one successor, even if ten callers roll it at once: the others get a conflict', async () => {
    const { keys } = await openKeys()
    const old = await keys.create(as('ours'), basic)
    const rolled = await Promise.allSettled(Array.from({ length: 10 }, () => keys.roll(as('ours'), old.id, {})))
    const [successor, ...others] = rolled.filter(({ status }) => status === 'fulfilled')
    expect([successor?.status, others]).toEqual(['fulfilled', []])
    const listed = await keys.list('ours')
    expect(listed).toHaveLength(2)
    const next = listed.find(({ id }) => id !== old.id)?.id ?? ''
    await expect(keys.roll(as('ours'), old.id, {})).rejects.toMatchObject({ code: 'key_rolled', kind: 'conflict' })
    await expect(keys.roll(as('ours'), old.id, {})).rejects.toThrow(`its successor is ${next}.`)
    const last = await keys.roll(as('ours'), next, { chevauchement_secondes: 0 })
    await expect(keys.roll(as('ours'), old.id, {})).rejects.toThrow(`its successor is ${last.id}.`)
  })

  it('can be rolled again once its successor is revoked, with its own original lifetime', async () => {
    const { keys, clock, inDays } = await openKeys()
    await keys.create(as('ours'), { ...basic, nom: 'other', expire: inDays(3000) })
    const old = await keys.create(as('ours'), { ...basic, expire: inDays(90) })
    for (const hour of [0, 1, 2]) {
      await clock.advance(hour * 3_600_000)
      const next = await keys.roll(as('ours'), old.id, {})
      expect(next, `roll ${hour}`).toMatchObject({ expires_at: inDays(90) })
      await keys.revoke(as('ours'), next.id)
    }
  })

  it('expires on its own date if that is before the end of the overlap', async () => {
    const { keys, inDays } = await openKeys()
    const old = await keys.create(as('ours'), { ...basic, expire: inDays(0.5) })
    expect(await keys.roll(as('ours'), old.id, {})).toMatchObject({ previous_expires_at: inDays(0.5) })
  })

  it('is refused if it was already revoked or expired', async () => {
    const { keys, clock, inDays } = await openKeys()
    const [revoked, expired] = [
      await keys.create(as('ours'), basic),
      await keys.create(as('ours'), { ...basic, expire: inDays(1) }),
    ]
    await keys.revoke(as('ours'), revoked.id)
    await clock.advance(day)
    await expect(keys.roll(as('ours'), revoked.id, {})).rejects.toThrow(/revoked: create a new one/)
    await expect(keys.roll(as('ours'), expired.id, {})).rejects.toThrow(/expired: create a new one/)
    expect(await keys.list('ours')).toHaveLength(2)
  })

  it('has an overlap of whole seconds, at most a week', async () => {
    const { keys } = await openKeys()
    const { id } = await keys.create(as('theirs'), basic)
    for (const chevauchement_secondes of [-1, 0.5, 7 * 86_400 + 1])
      expect(await badFields(keys.roll(as('theirs'), id, { chevauchement_secondes }))).toEqual([
        'chevauchement_secondes',
      ])
  })
})

describe('a use of a key', () => {
  it('is noted only if the key is valid and the address is allowed', async () => {
    const { keys, clock } = await openKeys()
    const { key, id } = await keys.create(as('ours'), { ...basic, ips: ['10.0.0.0/8', anywhere] })
    await keys.authenticate(key, anywhere)
    await keys.authenticate(key, '192.0.2.1')
    await keys.authenticate(`${key.slice(0, -1)}_`, anywhere)
    await clock.advance(400 * day)
    await keys.authenticate(key, anywhere)
    expect(keys.used).toEqual([id])
  })
})

describe('a revoked key', () => {
  it('is refused within a second by a process that uses it all the time', async () => {
    const { process, clock } = await openKeys()
    const [here, there] = [process(), process()]
    const { key, id } = await here.create(as('ours'), basic)
    await there.authenticate(key, anywhere)
    await here.revoke(as('ours'), id)
    for (let passed = 0; passed < 1_000; passed += 50) {
      await there.authenticate(key, anywhere)
      await clock.advance(50)
    }
    expect(await there.authenticate(key, anywhere)).toBeNull()
  })

  it('is refused at once in the whole process, whichever instance of the use cases revoked it', async () => {
    const { keys, storage } = await openKeys()
    const { key, id } = await keys.create(as('ours'), basic)
    expect(await keys.authenticate(key, anywhere)).not.toBeNull()
    const others = keys.scoped({ ...storage })
    await others.revoke(as('ours'), id)
    expect(await keys.authenticate(key, anywhere)).toBeNull()
  })

  it('is refused even if a look-up was in progress during the revocation', async () => {
    const { keys, storage, process } = await openKeys()
    const { key, id } = await keys.create(as('ours'), basic)
    const slow: PromiseWithResolvers<void> = Promise.withResolvers()
    const findByHash: Reads['keys']['findByHash'] = async (hash) => {
      const found = await storage.reads.keys.findByHash(hash)
      await slow.promise
      return found
    }
    const there = process()
    const lookingUp = there
      .scoped({ ...storage, reads: { ...storage.reads, keys: replacing(storage.reads.keys, { findByHash }) } })
      .authenticate(key, anywhere)
    await there.revoke(as('ours'), id)
    slow.resolve()
    await lookingUp
    expect(await there.authenticate(key, anywhere)).toBeNull()
  })

  it('keeps the time of its first revocation', async () => {
    const { keys, clock } = await openKeys()
    const { id } = await keys.create(as('ours'), basic)
    const { revoked_at } = await keys.revoke(as('ours'), id)
    await clock.advance(5_000)
    expect((await keys.revoke(as('ours'), id)).revoked_at).toBe(revoked_at)
    expect((await keys.list('ours')).map((key) => key.revoked_at)).toEqual([revoked_at])
  })
})
