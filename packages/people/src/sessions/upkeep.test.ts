import { expect, it } from 'vitest'
import { as, openSav } from '../../../core/test/open-sav.js'
import { page, signedUp } from '../../test/people.js'

const actor = as('default')
const minute = 60_000
const hour = 60 * minute

it('a session is swept away a day after its last use, with unanswered challenges', async () => {
  const { sav, clock } = await openSav()
  const { user } = await signedUp({ sav })
  await sav.signIns.askNewPasskey(actor, user.id, page)
  await clock.advance(24 * hour)
  expect(await sav.retention.purgeable()).toBe(0)
  await clock.advance(1)
  expect(await sav.retention.purgeable()).toBe(1)
  await clock.advance(5 * minute)
  expect(await sav.retention.purgeable()).toBe(2)
  const purged = sav.retention.purge()
  await clock.advance(1000)
  expect(await purged).toBe(2)
})
