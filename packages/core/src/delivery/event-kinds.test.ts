import { expect, it } from 'vitest'
import { allFeatures } from '../../../all/src/index.js'
import { coreEventKinds, readingPermission } from './event-kinds.js'
import type { EventDeclarations } from './outbox.js'

it.each([
  ['sav.closed', 'sav:read', 'sav:read'],
  ['webhook.test', 'sav:read', 'sav:read'],
  ['invitation', 'sav:read', 'sav:read'],
  ['rdv.created', 'planning:read', 'admin'],
  // The kind of a letter.
  ['rdv.rappel', 'planning:read', 'admin'],
  ['tag.added', 'admin', 'admin'],
])('the event %s can be read with the permission that its feature declares', (kind, whole, alone) => {
  const declared = Object.assign({}, ...allFeatures().map(({ events }) => events))
  expect([readingPermission(declared, kind), readingPermission({}, kind)]).toEqual([whole, alone])
})

it('events of a feature that declares no permission can be read by readers of cases', () => {
  const events = allFeatures().find(({ name }) => name === 'planning')?.events ?? {}
  const declared: EventDeclarations = Object.fromEntries(
    Object.entries(events).map(([kind, { data, example }]) => [kind, { data, example }]),
  )
  expect(readingPermission(declared, 'rdv.created')).toBe('sav:read')
  expect(coreEventKinds).toHaveLength(8)
})
