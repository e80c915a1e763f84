import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inkOn } from './contrast.js'

/** WCAG 2.2, "relative luminance" and "contrast ratio", of three channels from 0 to 255. */
const luminanceOf = (channels: readonly number[]) =>
  channels
    .map((channel) => channel / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
    .reduce((sum, share, at) => sum + share * ([0.2126, 0.7152, 0.0722][at] ?? 0), 0)

it('ink has a contrast of at least 4.5 on every colour, and is white on the default colour', () => {
  const channel = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(fc.tuple(channel, channel, channel), (channels) => {
      const colour = `#${channels.map((each) => each.toString(16).padStart(2, '0')).join('')}`
      const [dark = 0, light = 0] = [luminanceOf(channels), inkOn(colour) === '#fff' ? 1 : 0].toSorted((a, b) => a - b)
      expect((light + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(4.5)
    }),
    { numRuns: 2000 },
  )
  expect(inkOn('#17507a')).toBe('#fff')
})
