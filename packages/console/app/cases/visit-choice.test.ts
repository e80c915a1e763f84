import { expect, it } from 'vitest'
import { endedOf, nextOf } from './visit-choice.js'

const visit = (id: number, statut: Parameters<typeof nextOf>[0][number]['statut'], day: string) => ({
  ...{ id, statut },
  debut: `${day}T08:00:00.000Z`,
  fin: `${day}T09:00:00.000Z`,
})
const isToday = (debut: string) => debut.startsWith('2026-03-16')

it('the next visit is the one in progress, or else the first that is not over', () => {
  const visits = [
    visit(1, 'confirme', '2026-03-18'),
    visit(2, 'propose', '2026-03-17'),
    visit(3, 'planifie', '2026-03-15'),
  ]
  expect(nextOf(visits, '2026-03-17T08:59:59.999Z')?.id).toBe(2)
  expect(nextOf(visits, '2026-03-17T09:00:00.000Z')?.id).toBe(1)
  expect(nextOf([...visits, visit(4, 'en_cours', '2026-03-19')], '2026-03-16T00:00:00.000Z')?.id).toBe(4)
  expect(nextOf([visit(5, 'annule', '2026-03-18'), visit(6, 'absent', '2026-03-18')], '2026-03-16T00:00:00.000Z')).toBe(
    null,
  )
})

it('a close ends the visit that has begun, or else one of today, but never a proposal', () => {
  const today = [visit(1, 'planifie', '2026-03-16'), visit(2, 'confirme', '2026-03-17')]
  expect(endedOf(today, isToday)?.id).toBe(1)
  expect(endedOf([...today, visit(3, 'en_cours', '2026-03-15')], isToday)?.id).toBe(3)
  expect(endedOf([visit(2, 'confirme', '2026-03-17'), visit(4, 'propose', '2026-03-16')], isToday)).toBe(null)
})
