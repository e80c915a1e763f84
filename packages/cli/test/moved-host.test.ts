import { chmod, chown, cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isRoot, needsOrdinaryUser, ordinaryUser } from '../../../test/ordinary-user.js'
import { jpeg } from './images.js'
import { receiverOf } from './receiver.js'
import { call, local, readyWorkplace, type Workplace, workplace } from './workplace.js'

const newOwner = isRoot && needsOrdinaryUser('that a store works for another user') ? ordinaryUser : {}

/** Moves the directory of `from` to another path, which only another user may read. */
async function movedFrom(from: Workplace): Promise<Workplace> {
  const moved = await workplace(from.settings, newOwner)
  await cp(from.dir, moved.dir, { recursive: true, preserveTimestamps: true })
  const { uid, gid } = newOwner
  if (uid !== undefined && gid !== undefined) {
    for (const name of await readdir(moved.dir, { recursive: true })) await chown(join(moved.dir, name), uid, gid)
    await chown(moved.dir, uid, gid)
  }
  await chmod(moved.dir, 0o700)
  await rm(from.dir, { recursive: true })
  return moved
}

it('API keys, photos, evidence and waiting deliveries survive a move of the store to another path and user', async () => {
  const shop = await readyWorkplace({ SAV_FILES: 'photos' })
  const key = await shop.newKey()
  const atelier = await receiverOf(shop)
  const photo = await shop.write('porte.jpg', jpeg)
  const create = ['cases', 'create', '--client-id', '1', '--description', 'La porte ne ferme plus', '--photo', photo]
  await shop.json(create)
  await shop.json(['cases', 'close', '1', '--resolution', 'Charnière remplacée'])

  const moved = await movedFrom(shop)
  await moved.shows('doctor', 0, /^All is well\.$/m, local)
  expect(await moved.json('evidence verify')).toEqual({ checked: 1, broken: [] })
  const url = await moved.serve().url()
  await atelier.received(2)
  expect(
    atelier
      .events()
      .map(({ event }) => event)
      .toSorted(),
  ).toEqual(['sav.closed', 'sav.created'])
  const { body } = await call(url, key, 'GET', '/api/v1/sav/1')
  const authorization = `Bearer ${key}`
  const answer = await fetch(new URL(body.data.photos[0].url, url), { headers: { authorization } })
  expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([200, Buffer.from(jpeg)])
})
