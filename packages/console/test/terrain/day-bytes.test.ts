import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Listener, listen } from '../../../http-node/src/index.js'
import { inMemory } from '../../../http-node/test/service.js'
import { createReportRenderer } from '../../../reception-report/src/pdf.js'
import type { Terrain } from '../../terrain/api.js'
import { type Installer, type Office, openOffice } from './office.js'

const renderer = createReportRenderer({ timeZone: 'Europe/Paris' })
let storage: Awaited<ReturnType<typeof inMemory.store>>
let office: Office
let bruno: Installer
let listener: Listener
beforeAll(async () => {
  storage = await inMemory.store()
  office = await openOffice(storage, { reportRenderer: renderer })
  bruno = await office.installer('Bruno Petit')
  listener = await listen(office.api, { host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await listener.close()
  await storage.close()
  await renderer.close()
})

const [width, height] = [1024, 768]
const noise = await sharp({
  create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 8 } },
})
  .raw()
  .toBuffer()

/** A picture with edges, shades and a sensor's noise, like a photo of a kitchen. */
async function photo(seed: number): Promise<string> {
  const boards = Array.from({ length: 32 }, (_, at) => {
    const [x, y] = [(at * 197 + seed * 131) % width, (at * 111 + seed * 57) % height]
    const size = `width="${100 + ((at * 83) % 250)}" height="${75 + ((at * 61) % 200)}"`
    return `<rect x="${x}" y="${y}" ${size} fill="hsl(${at * 9},30%,${25 + at}%)" stroke="#333" stroke-width="2"/>`
  })
  const kitchen = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${boards.join('')}</svg>`
  const content = await sharp(Buffer.from(kitchen))
    .composite([{ input: noise, raw: { width, height, channels: 3 }, blend: 'soft-light' }])
    .jpeg({ quality: 85 })
    .toBuffer()
  return `data:image/jpeg;base64,${content.toString('base64')}`
}

/** Makes calls over one connection, and counts the bytes in both directions. */
async function overTheWire(
  ask: (get: (path: string, tag?: string) => Promise<Answer>) => Promise<void>,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let bytes = 0
  try {
    await ask(async (path, tag) => {
      const headers = {
        cookie: bruno.cookie,
        'sec-fetch-site': 'same-origin',
        'accept-encoding': 'gzip, deflate, br, zstd',
        ...(tag !== undefined && { 'if-none-match': tag }),
      }
      const sent = request(listener.url + path, { agent, headers }).end()
      const [response] = await once(sent, 'response')
      const { socket } = sent
      const body = await buffer(response)
      bytes = (socket?.bytesRead ?? Number.NaN) + (socket?.bytesWritten ?? 0)
      return {
        status: response.statusCode,
        tag: response.headers.etag,
        coding: response.headers['content-encoding'],
        body,
      }
    })
  } finally {
    agent.destroy()
  }
  return bytes
}

interface Answer {
  readonly status: number
  readonly tag: string
  readonly coding: string | undefined
  readonly body: Buffer
}

const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync, deflate: inflateSync }
const decoded = ({ coding, body }: Answer): Buffer =>
  coding === undefined ? body : decoders[coding as keyof typeof decoders](body)

it('eight visits with two photos each transfer at most 500 kB, and an unchanged day at most 1 kB', async () => {
  for (let at = 0; at < 8; at += 1) {
    const { sav_id } = await office.visit(bruno)
    await office.sav.cases.addPhotos(office.actor, sav_id, {
      photos: [await photo(2 * at), await photo(2 * at + 1)],
    })
  }
  let tag = ''
  const whole = await overTheWire(async (get) => {
    const day = await get('/api/v1/terrain')
    expect(day.status).toBe(200)
    tag = day.tag
    const { data } = JSON.parse(decoded(day).toString()) as { data: Terrain }
    const urls = data.dossiers.flatMap(({ photos }) => photos.map(({ url }) => url))
    expect(urls).toHaveLength(16)
    for (const url of urls) expect((await get(`${url}?vignette=1`)).body.length).toBeLessThanOrEqual(40_000)
  })
  const unchanged = await overTheWire(async (get) => {
    expect((await get('/api/v1/terrain', tag)).status).toBe(304)
  })
  expect(whole).toBeLessThanOrEqual(500_000)
  expect(unchanged).toBeLessThanOrEqual(1000)
})
