import { expect, it } from 'vitest'
import { sentences } from './sentences.js'

it('the sentences of the API are found where they stand, with places for what is filled in', () => {
  const found = sentences()
  expect(found).toContain('Case not found')
  expect(found).toContain('required')
  expect(found).toContain('must be {} to {} characters (found {})')
  expect(found).toContain('Case {} is {}: only a closed case can be reopened.')
  expect(found).toContain('A key does not sign out: revoke it.')
  expect(found).not.toContain('the service ran into a fault')
  expect(found).not.toContain('The page.')
  expect(found.length).toBeLessThan(260)
})
