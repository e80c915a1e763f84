import { readFileSync, writeFileSync } from 'node:fs'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { expect } from 'vitest'
import type { PaintedPage } from './pdf-pages.js'

/** Pictures of how the pages look; SAV_UPDATE_REFERENCE=1 rewrites them. */
const reference = (name: string) => new URL(`./reference/${name}.png`, import.meta.url)

/** @throws where they look different */
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
    // A line of text that moved is some thousand pixels; a new version of a decoder some dozen.
    expect(different, `${name}, page ${index + 1}`).toBeLessThan(200)
  }
}
