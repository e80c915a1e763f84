import { expect, expectTypeOf, test } from 'vitest'
import {
  type EventDataByKind,
  type EventKind,
  eventKinds,
  type SavClosedData,
  type SavData,
  type SavReportData,
  type TestData,
  type WebhookEvent,
} from './events.js'

/** The published kinds, which receivers depend on: kinds may be added, but none may be removed or renamed. */
const shipped = [
  'sav.created',
  'sav.updated',
  'sav.status_changed',
  'sav.assigned',
  'sav.closed',
  'sav.reopened',
  'sav.report_sent',
  'sav.report_failed',
  'rdv.created',
  'rdv.rescheduled',
  'rdv.confirmed',
  'rdv.cancelled',
  'rdv.completed',
]

test('every kind is listed once, and no released kind is missing', () => {
  expect(new Set(eventKinds).size).toBe(eventKinds.length)
  expect(eventKinds).toEqual(expect.arrayContaining(shipped))
  expect(eventKinds).not.toContain('webhook.test')
  expectTypeOf<keyof EventDataByKind>().toEqualTypeOf<EventKind>()
})

/** A test by its types: after each comparison, `data` must have the type of that kind. */
function subject(event: WebhookEvent): string {
  switch (event.event) {
    case 'sav.closed':
      expectTypeOf(event.data).toEqualTypeOf<SavClosedData>()
      return event.data.hash_sha256
    case 'sav.created':
    case 'sav.updated':
      expectTypeOf(event.data).toEqualTypeOf<SavData>()
      return event.data.reference
    case 'sav.report_sent':
    case 'sav.report_failed':
      expectTypeOf(event.data).toEqualTypeOf<SavReportData>()
      return `${event.data.sequence} ${event.data.canal}`
    case 'rdv.created':
      return `rdv ${event.data.id}`
    case 'webhook.test':
      expectTypeOf(event.data).toEqualTypeOf<TestData>()
      return event.data.event_id
    default:
      expectTypeOf(event.event).toExtend<string>()
      return event.event
  }
}

test('comparing the kind narrows the type of data, and an unknown kind reaches the default branch', () => {
  const test: WebhookEvent = { event: 'webhook.test', timestamp: '', data: { event_id: 'evt_9', endpoint_id: 'wh_1' } }
  expect(subject(test)).toBe('evt_9')
  expectTypeOf<EventKind>().toExtend<WebhookEvent['event']>()
})
