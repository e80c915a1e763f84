import { expect, it } from 'vitest'
import { as, openSav } from '../../../core/test/open-sav.js'
import { page, signedUp } from '../../test/people.js'

const actor = as('default')
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

it('a session is purged a day after its last use, an unanswered challenge a day after its expiry', async () => {
  const { sav, clock } = await openSav()
  const { user } = await signedUp({ sav })
  await sav.signIns.askNewPasskey(actor, user.id, page)
  await clock.advance(day)
  expect(await sav.retention.purgeable()).toBe(0)
  await clock.advance(1)
  expect(await sav.retention.purgeable()).toBe(1)
  await clock.advance(5 * minute)
  expect(await sav.retention.purgeable()).toBe(2)
  const purged = sav.retention.purge()
  await clock.advance(1000)
  expect(await purged).toBe(2)
})

it('a phone is purged 400 days after its last use, or 401 days after the office signed it out', async () => {
  const { sav, clock } = await openSav()
  const phone = async (email: string) => {
    const { user, session } = await signedUp({ sav }, { nom: email, email })
    const owner = { ...actor, type: 'utilisateur', id: user.id } as const
    await sav.sessions.nameDevice(owner, session.id, { nom: 'Téléphone', en_attente: 0 })
    return { user, session }
  }
  await phone('bruno@petit.example')
  const ended = await phone('lea@petit.example')
  await sav.sessions.end(actor, ended.user.id, ended.session.id)
  const purgeableAfter = async (ms: number) => {
    await clock.advance(ms)
    return sav.retention.purgeable()
  }
  expect([await purgeableAfter(400 * day), await purgeableAfter(1)]).toEqual([0, 1])
  expect([await purgeableAfter(day - 1), await purgeableAfter(1)]).toEqual([1, 2])
})
