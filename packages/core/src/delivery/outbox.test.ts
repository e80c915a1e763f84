import { expectTypeOf, it } from 'vitest'
import type { Transaction } from '../storage.js'
import type { NewId } from '../values/ids.js'
import { type EventDataOf, emit } from './outbox.js'

const at = '2026-01-15T10:30:00.000Z'

it('an event can only be emitted with the data of its own kind', () => {
  expectTypeOf<EventDataOf<'sav.updated'>>().not.toExtend<EventDataOf<'sav.report_sent'>>()
  expectTypeOf<EventDataOf<'sav.report_failed'>>().toHaveProperty('sequence').toEqualTypeOf<number>()
  const written = (tx: Transaction, newId: NewId, data: EventDataOf<'sav.updated'>) => {
    emit(tx, newId, { account_id: 'default', event: 'sav.created', at, data })
    // @ts-expect-error: the sequence of the close, and the channel, are missing
    emit(tx, newId, { account_id: 'default', event: 'sav.report_sent', at, data })
  }
  expectTypeOf(written).returns.toBeVoid()
})
