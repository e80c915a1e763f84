import { expect, it } from 'vitest'
import { vastPng } from '../../reception-report/test/hostile.js'
import { longestHealthCheck } from './health-watch.js'
import { jpeg } from './images.js'
import { call, readyWorkplace } from './workplace.js'

const isFullCount = process.env['SAV_TEST_CHAOS'] === '1'
const size = 5 * 1024 * 1024
const dataUri = (mediaType: string, content: Uint8Array) =>
  `data:${mediaType};base64,${Buffer.from(content).toString('base64')}`

/** A photo of the maximum size. */
function photo(mediaType: string, beginning: Uint8Array, repeated = Buffer.alloc(1)): string {
  const content = Buffer.alloc(size, repeated)
  content.set(beginning)
  return dataUri(mediaType, content)
}

const harmless = photo('image/jpeg', jpeg)
/** A JPEG that consists of empty comments. */
const comments = photo('image/jpeg', Buffer.from('ffd8ffd0', 'hex'), Buffer.from('fffe0002', 'hex'))
/** A HEIC that consists of empty boxes. */
const boxes = photo(
  'image/heic',
  Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
  Buffer.from('\0\0\0\x08free', 'latin1'),
)
const vast = dataUri('image/png', vastPng(9999, { interlaced: true }))
const photosAtOnce = isFullCount ? 10 : 3

it('photos made to be slow to inspect and draw delay other calls no longer than ordinary photos', async () => {
  const shop = await readyWorkplace()
  const key = await shop.newKey()
  const service = shop.serve()
  const url = await service.url()
  const longestBeside = (work: () => Promise<unknown>) => longestHealthCheck({ url, pid: service.process.pid }, work)

  async function createAndClose(photos: readonly string[], photo_avant: string): Promise<void> {
    const description = 'W'.repeat(2000)
    const created = await call(url, key, 'POST', '/api/v1/sav', { client_id: 1, description, photos })
    expect(created.status).toBe(201)
    const path = `/api/v1/sav/${created.body.data.id}`
    const closing = { resolution: 'W'.repeat(4000), photo_avant }
    expect((await call(url, key, 'POST', `${path}/cloturer`, closing)).status).toBe(200)
    const type = async () => {
      const pv = await fetch(`${url}${path}/pv`, { headers: { authorization: `Bearer ${key}` } })
      await pv.arrayBuffer()
      return pv.headers.get('content-type')
    }
    await expect.poll(type, { interval: 100 }).toBe('application/pdf')
  }
  const many = (photo: string) => Array<string>(photosAtOnce).fill(photo)
  const usual = await longestBeside(() => createAndClose(many(harmless), harmless))
  const attacked = await longestBeside(async () => {
    if (!isFullCount) return createAndClose([vast, boxes, comments], comments)
    await createAndClose(many(boxes), comments)
    await createAndClose([vast, ...many(comments).slice(1)], comments)
  })
  if (isFullCount) console.info({ usual, attacked })
  expect(attacked.heldUpMs).toBeLessThan(100 + usual.heldUpMs)
  await service.kill('SIGTERM')
})
