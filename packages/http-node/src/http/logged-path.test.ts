import { expect, it } from 'vitest'
import { loggedPath } from './logged-path.js'

const known = new Set(['', 'api', 'v1', 'sav', 'clients', '{id}'])

it.each([
  ['/api/v1/savv/12', '/api/v1/…/…'],
  ['/api/v1/clients/zoe@example.com/sav', '/api/v1/clients/…/sav'],
  ['/api/v1/sav%2Fwhsec_1', '/api/v1/…'],
  ['/Martin%20L%C3%A9a', '/…'],
])('%s is logged as %s', (path, logged) => {
  expect(loggedPath(path, known)).toBe(logged)
})

it('a path of many segments is cut to 100', () => {
  expect(loggedPath('/x'.repeat(8000), known)).toBe('/…'.repeat(100))
})
