import { describe, expect, it } from 'vitest'
import { ConflictError, SignInRefusedError, ValidationError } from '../../../core/src/errors.js'
import type { Letter } from '../../../core/src/letters/letter.js'
import { fixedClock, httpAnswer } from '../../../core/src/testing/index.js'
import { toInstant } from '../../../core/src/time/time.js'
import { as, type OpenSavOptions, openSav } from '../../../core/test/open-sav.js'
import { accepting, byEmail, carrying, closing } from '../../../core/test/reporting.js'
import { device, tokenOf } from '../../test/people.js'

const actor = as('default')
const minute = 60_000

/** A service that sends e-mail, and a person who has not signed in yet. */
async function open({
  email = accepting(),
  ...options
}: OpenSavOptions & { email?: ReturnType<typeof carrying> } = {}) {
  const clock = fixedClock()
  const reports = { ...byEmail(), carriers: { email: email.carrier } }
  const opened = await openSav({ clock, reports, publicUrl: 'https://sav.petit.example', ...options })
  const { sav } = opened
  const person = { nom: 'Claire Petit', email: 'claire@petit.example', role: 'gestion' } as const
  const { id } = await sav.users.add(actor, person)
  return {
    ...opened,
    clock,
    id,
    letters: email.letters,
    enter: (token: string) => sav.signIns.byInvitation({ token }, device),
  }
}

const tokenIn = (letter: Letter | undefined) => (letter?.kind === 'invitation' ? letter.url.split('#')[1] : null) ?? ''

describe('an invitation by e-mail', () => {
  it('gets its link when it is sent, works for 15 minutes from then, and is stored only as a hash', async () => {
    const { sav, worker, clock, storage, id, letters, enter } = await open()
    const asked = await sav.users.invite(actor, id)
    expect(asked).toEqual({ canal: 'email', email: 'claire@petit.example', livraison: expect.stringMatching(/^dlv_/) })
    await clock.advance(60 * minute)
    worker.start()
    await clock.advance(2000)
    await worker.stop()
    expect(letters).toEqual([
      {
        kind: 'invitation',
        id: expect.stringMatching(/^dlv_\w+\.[0-9a-f]{16}$/),
        to: 'claire@petit.example',
        nom: 'Claire Petit',
        societe: expect.objectContaining({ account: 'default' }),
        url: expect.stringMatching(/^https:\/\/sav\.petit\.example\/app\/connexion#sav_inv_[\w-]{43}$/),
        expire_a: expect.any(String),
      },
    ])
    const [letter] = letters
    const expire_a = letter?.kind === 'invitation' ? letter.expire_a : ''
    expect(Date.parse(expire_a) - clock.now()).toBeGreaterThan(14 * minute)
    const [delivery] = (await sav.webhooks.deliveries.list('default', {})).items
    expect(delivery).toMatchObject({ state: 'delivered', channel: 'email', event: 'invitation' })
    const [kept] = (await storage.reads.deliveries.bodies('default', [delivery?.event_id ?? ''])).values()
    expect(kept).toContain('/app/connexion')
    expect(kept).not.toContain('sav_inv_')
    await clock.advance(Date.parse(expire_a) - clock.now() - 1)
    expect(await enter(tokenIn(letter))).toMatchObject({ user: { id } })
    await expect(enter(tokenIn(letter))).rejects.toThrow(SignInRefusedError)
  })

  it('has a new link in each attempt, of which only the last one works', async () => {
    const email = carrying(() => (email.letters.length === 1 ? { ...httpAnswer(451), ok: false } : httpAnswer(250)))
    const { sav, worker, clock, id, letters, enter } = await open({ email })
    await sav.users.invite(actor, id)
    worker.start()
    await clock.advance(40_000)
    await worker.stop()
    const [first = '', second = ''] = letters.map(tokenIn)
    expect(letters).toHaveLength(2)
    expect(new Set(letters.map((letter) => letter.id)).size).toBe(2)
    expect(await enter(second)).toMatchObject({ user: { id } })
    await expect(enter(first)).rejects.toThrow(SignInRefusedError)
  })

  it('does not store the mail server’s answer, which may repeat the link', async () => {
    const email = carrying((letter) => ({
      ...httpAnswer(554),
      ok: false,
      final: true,
      response: `554 ${tokenIn(letter)}`,
    }))
    const { sav, worker, clock, id } = await open({ email })
    await sav.users.invite(actor, id)
    worker.start()
    await clock.advance(2000)
    await worker.stop()
    const [{ id: livraison = '' } = {}] = (await sav.webhooks.deliveries.list('default', {})).items
    const kept = await sav.webhooks.deliveries.get('default', livraison)
    expect(kept).toMatchObject({ state: 'failed', attempts: [{ status: 554, response: null }] })
    expect(JSON.stringify(kept)).not.toContain('sav_inv_')
  })

  it('is not sent to a person who was disabled meanwhile', async () => {
    const { sav, worker, clock, id, letters } = await open()
    await sav.users.invite(actor, id)
    await sav.users.update(actor, id, { actif: false })
    worker.start()
    await clock.advance(2000)
    await worker.stop()
    expect(letters).toEqual([])
    const [delivery] = (await sav.webhooks.deliveries.list('default', {})).items
    expect(delivery).toMatchObject({ state: 'failed', last_error: `${id} is disabled` })
  })

  it('makes earlier links invalid, and a later link makes it invalid', async () => {
    const { sav, worker, clock, id, letters, enter } = await open()
    const before = tokenOf(await sav.users.invite(actor, id, { canal: 'lien' }))
    await sav.users.invite(actor, id)
    await expect(enter(before)).rejects.toThrow(SignInRefusedError)
    worker.start()
    await clock.advance(2000)
    await worker.stop()
    const link = await sav.users.invite(actor, id, { canal: 'lien' })
    expect(link).toMatchObject({ expire_a: toInstant(clock.now() + 15 * minute) })
    await expect(enter(tokenIn(letters[0]))).rejects.toThrow(SignInRefusedError)
    expect(await enter(tokenOf(link))).toMatchObject({ user: { id } })
  })

  it('is not sent again once the person has signed in', async () => {
    // The first letter arrived, but the mail server's answer did not.
    const email = carrying(() => ({ ...httpAnswer(451), ok: false }))
    const { sav, worker, clock, letters, id, enter } = await open({ email })
    await sav.users.invite(actor, id)
    worker.start()
    await clock.advance(2000)
    await enter(tokenIn(letters[0]))
    await clock.advance(40_000)
    await worker.stop()
    expect(letters).toHaveLength(1)
    const [delivery] = (await sav.webhooks.deliveries.list('default', {})).items
    expect(delivery).toMatchObject({ state: 'failed', last_error: `${id} has signed in since` })
  })

  it.each([
    ['was used', accepting(), 'delivered', true],
    ['has expired', accepting(), 'delivered', false],
    ['could not be sent', carrying(() => ({ ...httpAnswer(554), ok: false, final: true })), 'failed', false],
    ['is still to be sent', carrying(() => ({ ...httpAnswer(451), ok: false })), 'pending', false],
  ] as const)('that %s cannot be sent again, alone or in a replay', async (_, email, state, isUsed) => {
    const { sav, worker, clock, client, letters, id, enter } = await open({ email })
    await sav.directory.clients.update(actor, client.id, { email: 'alice@durand.example' })
    await sav.users.invite(actor, id)
    const { id: closed } = await sav.cases.create(actor, { client_id: client.id, description: 'La porte grince.' })
    await sav.cases.close(actor, closed, closing)
    worker.start()
    await clock.advance(2000)
    const [invitation] = (await sav.webhooks.deliveries.list('default', { event: 'invitation' })).items
    expect(invitation).toMatchObject({ state, attempt_count: 1 })
    if (isUsed) await enter(tokenIn(letters.find(({ kind }) => kind === 'invitation')))
    if (state === 'delivered') await clock.advance(15 * minute)
    const invitations = () => letters.filter(({ kind }) => kind === 'invitation').length

    await expect(sav.webhooks.deliveries.retry(actor, invitation?.id ?? '')).rejects.toThrow(ConflictError)
    const { preview, start } = sav.webhooks.replays
    for (const [filter, matched] of [
      [{ state }, 1],
      [{ state, endpoint_id: 'email' }, 1],
      [{ state, since: toInstant(clock.now() - 60 * minute) }, 1],
      [{ state, event: 'sav.report' }, 1],
      [{ state, event: 'invitation' }, 0],
      [{ state, endpoint_id: 'wh_other' }, 0],
    ] as const)
      expect([filter, await preview('default', filter)]).toEqual([filter, { matched }])
    const job = await start(actor, { state })
    await clock.advance(2000)
    await worker.stop()
    expect(await sav.webhooks.replays.get('default', job.id)).toMatchObject({ state: 'done', matched: 1, retried: 1 })
    expect([invitations(), letters.length]).toEqual([1, 3])
  })

  it.each([
    ['has no mail server', { reports: { ...byEmail(), carriers: {} } }],
    ['has no public address', { publicUrl: null }],
  ])('becomes a link in a service that %s, and is refused if an e-mail is requested', async (_, options) => {
    const { sav, id } = await open(options)
    expect(await sav.users.invite(actor, id)).toMatchObject({ canal: 'lien' })
    await expect(sav.users.invite(actor, id, { canal: 'email' })).rejects.toThrow(ValidationError)
    expect((await sav.webhooks.deliveries.list('default', {})).items).toEqual([])
  })
})
