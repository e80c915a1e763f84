import { describe, expect, it } from 'vitest'
import { isAllowed, namedAs, permissions } from './permissions.js'

describe('a permission', () => {
  it('is one of eleven', () => {
    expect([...permissions].toSorted()).toEqual([
      'admin',
      'directory:read',
      'directory:write',
      'planning:read',
      'planning:write',
      'sav:close',
      'sav:read',
      'sav:write',
      'terrain',
      'webhooks:read',
      'webhooks:write',
    ])
  })

  it('allows itself alone, so that write does not imply read; admin allows everything', () => {
    for (const held of permissions)
      for (const needed of permissions.filter((each) => each !== 'sav:close'))
        expect(isAllowed([held], needed), `${held} for ${needed}`).toBe(held === needed || held === 'admin')
  })

  it('to close is a part of writing, which a refusal names', () => {
    for (const held of permissions)
      expect(isAllowed([held], 'sav:close'), held).toBe(['sav:close', 'sav:write', 'admin'].includes(held))
    expect(namedAs('sav:close')).toBe('sav:write')
    expect(namedAs('sav:read')).toBe('sav:read')
  })

  it('is found among several, and none allows nothing', () => {
    expect(isAllowed(['sav:read', 'directory:read', 'sav:write'], 'sav:write')).toBe(true)
    expect(isAllowed(['sav:read', 'directory:read', 'sav:write'], 'directory:write')).toBe(false)
    for (const needed of permissions) expect(isAllowed([], needed)).toBe(false)
  })
})
