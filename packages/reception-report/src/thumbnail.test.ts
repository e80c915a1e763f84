import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { createReportRenderer } from './pdf.js'

const renderer = createReportRenderer({ timeZone: 'Europe/Paris' })
afterAll(() => renderer.close())

const photo = await sharp({
  create: {
    ...{ width: 2000, height: 1500, channels: 3, background: '#888' },
    noise: { type: 'gaussian', mean: 128, sigma: 120 },
  },
})
  .jpeg({ quality: 90 })
  .toBuffer()

test('a photo has a thumbnail for lists, unless it is unreadable', async () => {
  const file = { sha256: 'b'.repeat(64), media_type: 'image/jpeg', content: photo }
  const small = await renderer.thumbnail?.(file)
  expect(small).toMatchObject({ sha256: file.sha256, media_type: 'image/jpeg' })
  expect(small?.content.length).toBeLessThanOrEqual(40_000)
  expect(await sharp(small?.content).metadata()).toMatchObject({ format: 'jpeg', width: 500, height: 375 })
  const heic = { sha256: 'a'.repeat(64), media_type: 'image/heic', content: Buffer.alloc(9) }
  expect(await renderer.thumbnail?.(heic)).toBeNull()
})
