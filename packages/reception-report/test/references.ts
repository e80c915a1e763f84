import { readFileSync, writeFileSync } from 'node:fs'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { expect } from 'vitest'
import type { PaintedPage } from './pdf-pages.js'

/** Reference pictures of pages; SAV_UPDATE_REFERENCE=1 rewrites them. */
const reference = (name: string) => new URL(`./reference/${name}.png`, import.meta.url)

/** Fails if the pages look different from their references. */
export async function compare(name: string, pages: readonly PaintedPage[]) {
  for (const [index, { width, height, pixels }] of pages.entries()) {
    const file = reference(`${name}-${index + 1}`)
    if (process.env['SAV_UPDATE_REFERENCE'] === '1') {
      const png = new PNG({ width, height })
      png.data = Buffer.from(pixels)
      writeFileSync(file, PNG.sync.write(png))
    }
    const expected = PNG.sync.read(readFileSync(file))
    expect({ width, height }).toEqual({ width: expected.width, height: expected.height })
    const different = pixelmatch(expected.data, pixels, undefined, width, height, { threshold: 0.15 })
    // A moved line of text changes thousands of pixels; a new version of a decoder changes some dozens.
    expect(different, `${name}, page ${index + 1}`).toBeLessThan(200)
  }
}
