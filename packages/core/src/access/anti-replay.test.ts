import { describe, expect, it } from 'vitest'
import { timestampProblem } from './anti-replay.js'

const nowSeconds = 1_768_473_000

describe("a write's timestamp", () => {
  it.each([0, 1, 499, 500, 999])(
    'is accepted up to 300 whole seconds before and after the time of the server, %i ms into a second',
    (ms) => {
      const judged = [-301, -300, 300, 301].map((off) =>
        timestampProblem(String(nowSeconds + off), nowSeconds * 1000 + ms),
      )
      expect(judged.map((problem) => problem === null)).toEqual([false, true, true, false])
    },
  )

  it.each([
    [undefined, 'timestamp_missing'],
    [String(nowSeconds * 1000), 'timestamp_in_milliseconds'],
  ])('%s is refused as %s', (header, code) => {
    expect(timestampProblem(header, nowSeconds * 1000)).toMatchObject({ code })
  })

  it.each([
    ['nothing', ''],
    ['white space', ' '],
    ['a fraction', `${nowSeconds}.0`],
    ['a fraction', `${nowSeconds}.5`],
    ['an exponent', '1e9'],
    ['an exponent', '1.768473e9'],
    ['hexadecimal', `0x${nowSeconds.toString(16)}`],
    ['a sign', `+${nowSeconds}`],
    ['a sign', `-${nowSeconds}`],
    ['two values, as a platform joins them', `${nowSeconds}, ${nowSeconds}`],
    ['two values', `${nowSeconds},${nowSeconds}`],
    ['a space before', ` ${nowSeconds}`],
    ['a line break after', `${nowSeconds}\n`],
    ['a separator', '1_768_473_000'],
    ['an ISO date', '2026-01-15T10:30:00Z'],
    ['other digits', '١٧٦٨٤٧٣٠٠٠'],
    ['a word', 'now'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['a thousand digits', '1'.repeat(1000)],
  ])('%s (%j) is refused as no integer', (_, header) => {
    expect(timestampProblem(header, nowSeconds * 1000)).toMatchObject({ code: 'timestamp_not_integer' })
  })

  it('out of the window is refused with its distance and direction', () => {
    expect(timestampProblem(String(nowSeconds - 301), nowSeconds * 1000)).toMatchObject({
      code: 'timestamp_behind',
      params: { seconds: 301, max: 300 },
    })
    expect(timestampProblem(String(nowSeconds + 400), nowSeconds * 1000)).toMatchObject({
      code: 'timestamp_ahead',
      params: { seconds: 400, max: 300 },
    })
  })
})
