import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { permissions } from '../../../../test/whole/permissions.js'
import { as } from '../../test/open-sav.js'
import type { Feature } from '../composition.js'
import { createUseCases } from '../sav.js'
import { fixedClock, seededRandom } from '../testing/index.js'
import { isAllowed, namedAs } from './permissions.js'

describe('a permission', () => {
  it('belongs to the core or a feature; admin is listed last', () => {
    expect(permissions).toEqual([
      ...['sav:read', 'sav:write', 'sav:close', 'directory:read', 'directory:write', 'webhooks:read', 'webhooks:write'],
      ...['terrain', 'planning:read', 'planning:write', 'admin'],
    ])
  })

  it('allows only itself, so write does not imply read; admin allows everything', () => {
    for (const held of permissions)
      for (const needed of permissions.filter((each) => each !== 'sav:close'))
        expect(isAllowed([held], needed), `${held} for ${needed}`).toBe(held === needed || held === 'admin')
  })

  it('to close cases is included in sav:write, and a refusal names sav:write as the missing one', () => {
    for (const held of permissions)
      expect(isAllowed([held], 'sav:close'), held).toBe(['sav:close', 'sav:write', 'admin'].includes(held))
    expect(namedAs('sav:close')).toBe('sav:write')
    expect(namedAs('sav:read')).toBe('sav:read')
  })

  it('is found among several; an empty list allows nothing', () => {
    expect(isAllowed(['sav:read', 'directory:read', 'sav:write'], 'sav:write')).toBe(true)
    expect(isAllowed(['sav:read', 'directory:read', 'sav:write'], 'directory:write')).toBe(false)
    for (const needed of permissions) expect(isAllowed([], needed)).toBe(false)
  })
})

describe('a permission of a feature', async () => {
  const bells: Feature = {
    name: 'bells',
    permissions: { 'bells:ring': { allows: 'ring the bell' } },
    compose: () => ({ on: () => ({ useCases: {}, writes: {} }) }),
  }
  const storage = await memoryStorage()
  const own = { storage, clock: fixedClock(), random: seededRandom(1), secretKey: new Uint8Array(32) }
  const [without, composed] = [createUseCases(own), createUseCases({ ...own, features: [bells] })]
  await without.accounts.add(as('default'), 'default')
  const wanted = { nom: 'cloche', permissions: ['sav:read', 'bells:ring'] }

  it('is accepted on a key if the feature is composed; otherwise the refusal names the allowed ones', async () => {
    expect(await composed.keys.create(as('default'), wanted)).toMatchObject({ permissions: wanted.permissions })
    await expect(without.keys.create(as('default'), wanted)).rejects.toThrow(
      'must be one of sav:read, sav:write, sav:close, directory:read, directory:write, webhooks:read, webhooks:write, admin ' +
        '(found bells:ring)',
    )
  })

  it('stays on a stored key, but allows nothing, in a service without the feature', async () => {
    const { key, id } = await composed.keys.create(as('default'), wanted)
    expect(await without.keys.authenticate(key, '192.0.2.1')).toMatchObject({ permissions: ['sav:read'] })
    expect(await composed.keys.authenticate(key, '192.0.2.1')).toMatchObject({ permissions: wanted.permissions })
    const shown = (await without.keys.list('default')).find((each) => each.id === id)
    expect(shown?.permissions).toEqual(wanted.permissions)
    expect((await without.keys.roll(as('default'), id, {})).permissions).toEqual(wanted.permissions)
  })
})
