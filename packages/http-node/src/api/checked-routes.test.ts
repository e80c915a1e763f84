import { expect, it } from 'vitest'
import { checkedRoutes } from './checked-routes.js'

const route = (name: string, permission: string | readonly string[] | null, path = `/${name}`) => ({
  method: 'GET' as const,
  ...{ name, path, permission },
})

it('a route with an undeclared permission is refused, and so is a second route with the same method and path', () => {
  const fine = [route('a', null), route('b', 'sav:read'), route('c', ['sav:read', 'tags:write'])]
  expect(checkedRoutes(fine, ['sav:read', 'tags:write'])).toBe(fine)
  expect(() => checkedRoutes(fine, ['sav:read'])).toThrow(
    'c needs tags:write, which is not a declared permission. Declared: sav:read.',
  )
  const twice = [...fine, route('d', null, '/a')]
  expect(() => checkedRoutes(twice, ['sav:read', 'tags:write'])).toThrow('GET /a is declared twice, by a and d.')
})
