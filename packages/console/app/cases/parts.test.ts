import { expect, it } from 'vitest'
import { partsOf } from './parts.js'

it('the parts of a repair are read as people type them, one on each line', () => {
  expect(partsOf('2 Charnière 110° [CH-110]\n\n3 × Vis 4x16\nJoint de four\n12x cheville')).toEqual([
    { designation: 'Charnière 110°', quantite: 2, reference: 'CH-110' },
    { designation: 'Vis 4x16', quantite: 3, reference: null },
    { designation: 'Joint de four', quantite: 1, reference: null },
    { designation: 'cheville', quantite: 12, reference: null },
  ])
})
