import { reason } from '@sav/core/feature'
import { expect, it } from 'vitest'
import { Reasons, reasonOf } from './reasons.js'

it('a reason shared by several rows shows the allowed values, but not the value of each row', () => {
  const statut = (found: string) => [
    reasonOf({ field: 'statut', ...reason('not_among', { allowed: 'ouvert, clos', found }) }),
  ]
  const reasons = new Reasons()
  reasons.add(2, statut('perdu'))
  expect(reasons.table('')).toEqual(['', '  1 × statut must be one of ouvert, clos (found perdu) (line 2)'])
  reasons.add(5, statut('égaré'))
  expect(reasons.table('')).toEqual(['', '  2 × statut must be one of ouvert, clos (found …) (lines 2, 5)'])
})
