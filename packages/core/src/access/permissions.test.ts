import { describe, expect, it } from 'vitest'
import { isAllowed, permissions } from './permissions.js'

describe('a permission', () => {
  it('is one of nine', () => {
    expect([...permissions].toSorted()).toEqual([
      'admin',
      'directory:read',
      'directory:write',
      'planning:read',
      'planning:write',
      'sav:read',
      'sav:write',
      'webhooks:read',
      'webhooks:write',
    ])
  })

  it('allows itself alone, so that write does not imply read; admin allows everything', () => {
    for (const held of permissions)
      for (const needed of permissions)
        expect(isAllowed([held], needed), `${held} for ${needed}`).toBe(held === needed || held === 'admin')
  })

  it('is found among several, and none allows nothing', () => {
    expect(isAllowed(['sav:read', 'directory:read', 'sav:write'], 'sav:write')).toBe(true)
    expect(isAllowed(['sav:read', 'directory:read', 'sav:write'], 'directory:write')).toBe(false)
    for (const needed of permissions) expect(isAllowed([], needed)).toBe(false)
  })
})
