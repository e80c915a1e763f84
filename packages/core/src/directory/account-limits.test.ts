import { expect, it } from 'vitest'
import { as, openSav } from '../../test/open-sav.js'
import { png } from '../../test/reporting.js'
import { ConflictError } from '../errors.js'

const description = 'La porte du four ne ferme plus.'

async function shop() {
  const opened = await openSav()
  const { id: client_id } = await opened.sav.directory.clients.add(as('default'), { nom: 'Roux', prenom: 'Anne' })
  const create = (photos: string[] = []) => opened.sav.cases.create(as('default'), { client_id, description, photos })
  return { ...opened, create }
}

it('an account may create so many cases in a month, and as many in the next', async () => {
  const { sav, clock, create } = await shop()
  await sav.accounts.limit(as('default'), { dossiers_max_mois: 2 })
  await create()
  await create()
  await expect(create()).rejects.toMatchObject({ code: 'cases_of_month_used_up', params: { max: 2 } })
  expect(await sav.accounts.use('default')).toMatchObject({ dossiers_mois: 2 })
  await clock.advance(31 * 86_400_000)
  await create()
  await sav.accounts.limit(as('default'), { dossiers_max_mois: null })
  await create()
  await create()
})

it('files of an account take so many bytes, whichever write brings them', async () => {
  const { sav, create } = await shop()
  const { id } = await create()
  const bytes = Buffer.from(png.split(',')[1] ?? '', 'base64').length
  await sav.accounts.limit(as('default'), { stockage_max_octets: bytes })
  await sav.cases.addPhotos(as('default'), id, { photos: [png] })
  expect(await sav.accounts.use('default')).toMatchObject({ stockage_octets: bytes })
  await expect(create([png])).rejects.toThrow(ConflictError)
  await expect(sav.cases.addPhotos(as('default'), id, { photos: [png] })).rejects.toThrow(ConflictError)
  const closing = { resolution: 'La charnière est remplacée.' }
  await expect(sav.cases.close(as('default'), id, { ...closing, photo_apres: png })).rejects.toThrow(ConflictError)
  await sav.cases.close(as('default'), id, closing)
})

it('a disabled account has no key any more within a second, until it is enabled', async () => {
  const { sav, clock } = await openSav()
  const { key } = await sav.keys.create(as('default'), { nom: 'caisse', permissions: ['sav:read'] })
  expect(await sav.keys.authenticate(key, '127.0.0.1')).not.toBeNull()
  await sav.accounts.disable(as('default'))
  await clock.advance(1000)
  expect(await sav.keys.authenticate(key, '127.0.0.1')).toBeNull()
  await sav.accounts.enable(as('default'))
  expect(await sav.keys.authenticate(key, '127.0.0.1')).not.toBeNull()
})
