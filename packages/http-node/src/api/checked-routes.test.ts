import { expect, it } from 'vitest'
import { checkedRoutes } from './checked-routes.js'

const route = (name: string, permission: string | readonly string[] | null, path = `/${name}`) => ({
  method: 'GET' as const,
  ...{ name, path, permission },
})

it('operations ask for permissions that are declared, and each has its own place', () => {
  const fine = [route('a', null), route('b', 'sav:read'), route('c', ['sav:read', 'tags:write'])]
  expect(checkedRoutes(fine, ['sav:read', 'tags:write'])).toBe(fine)
  expect(() => checkedRoutes(fine, ['sav:read'])).toThrow(
    'c asks for tags:write, which neither the core nor a composed feature declares: one of sav:read.',
  )
  const twice = [...fine, route('d', null, '/a')]
  expect(() => checkedRoutes(twice, ['sav:read', 'tags:write'])).toThrow('GET /a is declared twice, by a and d.')
})
