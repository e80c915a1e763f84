import { describe, expect, it } from 'vitest'
import { device, page, signedUp } from '../../../people/test/people.js'
import { dataUri, description, jpeg, otherJpeg, resolution } from '../../test/case-samples.js'
import { as, openProcess, openSav } from '../../test/open-sav.js'
import type { SavError } from '../errors.js'

const anywhere = '203.0.113.9'

describe('a disabled account', () => {
  it('has its keys, sessions and calendars refused within a second in every process until enabled', async () => {
    const { sav, storage, clock, actor, addAccount } = await openSav()
    await addAccount('lyon')
    const { sav: elsewhere } = openProcess({ storage, clock, seed: 2 })
    const { key } = await sav.keys.create(actor, { nom: 'site', permissions: ['sav:read'] })
    const other = await sav.keys.create(as('lyon'), { nom: 'site', permissions: ['sav:read'] })
    const { secret, answer } = await signedUp({ sav })
    const calendar = async () => {
      const { url } = await sav.calendars.renew(actor, {})
      return url.slice('/calendriers/'.length, -'.ics'.length)
    }
    const address = await calendar()
    const accepted = async () =>
      Promise.all(
        [sav, elsewhere].map(async ({ keys, sessions, calendars }) => [
          (await keys.authenticate(key, anywhere)) !== null,
          (await sessions.authenticate(secret)) !== null,
          (await sessions.check(secret)) !== null,
          (await calendars.find(address)) !== null,
        ]),
      )
    const all = [true, true, true, true]
    expect(await accepted()).toEqual([all, all])

    const disabled = await sav.accounts.disable(actor)
    expect(await sav.accounts.disable(actor)).toEqual(disabled)
    await clock.advance(999)
    expect(await accepted()).toEqual([all.map(() => false), all.map(() => false)])
    expect(await elsewhere.keys.authenticate(other.key, anywhere)).not.toBeNull()
    await expect(sav.signIns.byPasskey({ response: await answer() }, page, device)).rejects.toMatchObject({
      code: 'sign_in_refused',
    })

    expect(await sav.accounts.enable(actor)).toMatchObject({ desactive_le: null })
    await clock.advance(999)
    expect(await accepted()).toEqual([all, all])
  })

  it('sends nothing, and waiting deliveries are sent when it is enabled', async () => {
    const { sav, worker, posted, clock, actor, client } = await openSav({ receivers: { allowLocal: true } })
    await sav.webhooks.endpoints.add(actor, { url: 'http://127.0.0.1:9/', events: ['sav.created'] })
    await sav.accounts.disable(actor)
    await sav.cases.create(actor, { client_id: client.id, description })
    worker.start()
    await clock.advance(60_000)
    expect(posted).toHaveLength(0)
    await sav.accounts.enable(actor)
    await clock.advance(1_000)
    expect(posted).toHaveLength(1)
    await worker.stop()
  })

  it('is listed, and found by the beginnings of words of its name or company', async () => {
    const { sav, addAccount } = await openSav()
    const { actor } = await addAccount('atelier-lyon')
    await sav.accounts.update(actor, { raison_sociale: 'Menuiserie Lefèvre' })
    await sav.accounts.disable(actor)
    const found = async (recherche: string) => (await sav.accounts.list({ recherche })).map(({ id }) => id)
    expect(await found('')).toEqual(['atelier-lyon', 'default'])
    for (const text of ['atelier', 'LEFEVRE', 'lyon menuis', 'lef ate'])
      expect(await found(text)).toEqual(['atelier-lyon'])
    for (const text of ['telier', 'lefevre paris']) expect(await found(text)).toEqual([])
    expect(await sav.accounts.get('atelier-lyon')).toMatchObject({ desactive_le: expect.stringMatching(/^20/) })
  })
})

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    ({ code }: SavError) => code,
  )

describe('a limit on cases a month', () => {
  it('allows exactly that number of cases, even for concurrent calls, and starts again in the next month', async () => {
    const { sav, storage, clock, actor, client, addAccount } = await openSav()
    const other = await addAccount('lyon')
    const { sav: elsewhere } = openProcess({ storage, clock, seed: 2 })
    const input = { client_id: client.id, description }
    const create = (process = sav) => codeOf(process.cases.create(actor, input))
    await clock.advance(Date.parse('2026-11-30T22:59:00.000Z') - clock.now())
    for (let n = 0; n < 2; n += 1) expect(await create()).toBe('done')
    await clock.advance(60_000)
    // In Paris, December has begun.
    await sav.accounts.limit(actor, { dossiers_par_mois: 5 })
    await clock.advance(1000)
    const came = await Promise.all([sav, elsewhere, sav, elsewhere, sav, elsewhere, sav].map(create))
    expect(came.filter((code) => code === 'done')).toHaveLength(5)
    expect(new Set(came)).toEqual(new Set(['done', 'account_cases_full']))
    await clock.advance(1000)
    const refused = sav.cases.create(actor, input)
    await expect(refused).rejects.toMatchObject({ kind: 'conflict', params: { max: 5, mois: '2026-12' } })
    expect(await codeOf(sav.cases.create(other.actor, { ...input, client_id: other.client.id }))).toBe('done')

    await sav.accounts.limit(actor, { dossiers_par_mois: 6 })
    await clock.advance(1000)
    expect([await create(), await create()]).toEqual(['done', 'account_cases_full'])
    await clock.advance(31 * 86_400_000)
    expect(await create()).toBe('done')
    const numbers = (await sav.cases.list('default', {})).items.map(({ reference }) => reference)
    expect(numbers[0]).toBe('SAV-2027-00001')
    expect(numbers[1]).toBe('SAV-2026-00008')
  })

  it('is a whole number or null', async () => {
    const { sav, actor } = await openSav()
    const limit = async (input: object) => sav.accounts.limit(actor, input)
    await expect(limit({ dossiers_par_mois: -1, stockage_octets: 1.5 })).rejects.toMatchObject({
      details: [{ field: 'dossiers_par_mois' }, { field: 'stockage_octets' }],
    })
    expect(await limit({ dossiers_par_mois: 0 })).toMatchObject({ dossiers_par_mois: 0, stockage_octets: null })
    expect(await limit({ stockage_octets: 9, dossiers_par_mois: null })).toMatchObject({
      dossiers_par_mois: null,
      stockage_octets: 9,
    })
  })
})

describe('a limit on storage', () => {
  it('allows files up to the limit, and refuses a byte more in a new case, a photo or a close', async () => {
    const { sav, clock, actor, client } = await openSav()
    const create = (photos: string[]) => sav.cases.create(actor, { client_id: client.id, description, photos })
    const { id } = await create([dataUri(jpeg)])
    await sav.accounts.limit(actor, { stockage_octets: jpeg.length + otherJpeg.length - 1 })
    await clock.advance(1000)
    const more = dataUri(otherJpeg)
    await expect(create([more])).rejects.toMatchObject({
      kind: 'conflict',
      code: 'account_storage_full',
      params: { stored: jpeg.length, added: otherJpeg.length },
    })
    expect(await codeOf(sav.cases.addPhotos(actor, id, { photos: [more] }))).toBe('account_storage_full')
    expect(await codeOf(sav.cases.close(actor, id, { resolution, photo_apres: more }))).toBe('account_storage_full')
    expect(await codeOf(create(['https://example.test/photo.jpg']))).toBe('done')
    await sav.accounts.limit(actor, { stockage_octets: jpeg.length + otherJpeg.length })
    await clock.advance(1000)
    expect(await codeOf(sav.cases.close(actor, id, { resolution, photo_apres: more }))).toBe('done')
  })
})
