import { expect, it } from 'vitest'
import { as, openSav } from '../../../core/test/open-sav.js'
import { page, sessionRows, signedUp } from '../../test/people.js'
import { purgeSessions } from './upkeep.js'

const actor = as('default')
const minute = 60_000
const hour = 60 * minute

it('a session is swept away a day after its last use, with unanswered challenges', async () => {
  const { sav, storage, clock } = await openSav()
  const { user } = await signedUp({ sav })
  await sav.signIns.askNewPasskey(actor, user.id, page)
  const kept = async () => {
    await purgeSessions({ storage, clock })
    return sessionRows(storage)
  }
  await clock.advance(24 * hour)
  expect(await kept()).toBe(2)
  await clock.advance(1)
  expect(await kept()).toBe(1)
  await clock.advance(5 * minute)
  expect(await kept()).toBe(0)
})
