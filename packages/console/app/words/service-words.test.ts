import { expect, it } from 'vitest'
import { foundNames, refusals } from './fr/refusals.js'
import { inOurWords, learn } from './service-words.js'

it.each([
  ['fermé', 'fermé'],
  ['nothing', 'rien'],
  ['a list', 'une liste'],
  ['constructor', 'constructor'],
])('says in French that the service found %s', (found, said) => {
  learn(refusals, foundNames)
  const params = { allowed: 'ouvert, clos', found }
  expect(inOurWords({ code: 'not_among', params, message: '' })).toBe(`l’un de ouvert, clos (reçu\u00a0: ${said})`)
})
