import { describe, expect, it } from 'vitest'
import { quantile, rate, readScrape, total } from './scraped.js'

const text = (calls: number, slow: number) => `# HELP x y
calls_count{route="/a"} ${calls}
calls_count{route="/b \\"}"} 5
calls_bucket{le="0.1",route="/a"} ${calls - slow}
calls_bucket{le="1",route="/a"} ${calls}
calls_bucket{le="+Inf",route="/a"} ${calls}
up 1
`

describe('a scrape', () => {
  const [before, now] = [readScrape(text(100, 0), 0), readScrape(text(300, 2), 4000)]

  it('adds up samples with the requested labels', () => {
    expect([total(now, 'calls_count'), total(now, 'calls_count', { route: '/a' }), total(now, 'up')]).toEqual([
      305, 300, 1,
    ])
    expect([total(now, 'calls_count', { route: '/c' }), total(now, 'nothing')]).toEqual([0, 0])
  })

  it('gives the rate of a counter, which is 0 after a reset', () => {
    expect(rate(before, now, { name: 'calls_count' })).toBe(50)
    expect(rate(now, { ...before, atMs: 8000 }, { name: 'calls_count' })).toBe(0)
    expect(rate(before, before, { name: 'calls_count' })).toBe(0)
  })

  it('gives a percentile of the values between two scrapes', () => {
    // 2 of 200 calls took longer than 0.1 s, so the 99th percentile is at most 0.1 s.
    expect(quantile(before, now, { name: 'calls', share: 0.99 })).toBe(0.1)
    expect(quantile(before, now, { name: 'calls', share: 0.991 })).toBe(1)
    expect(quantile(now, now, { name: 'calls', share: 0.99 })).toBeNull()
  })
})
