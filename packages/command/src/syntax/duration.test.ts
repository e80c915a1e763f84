import { describe, expect, it } from 'vitest'
import { parseDuration } from './duration.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describe('a duration', () => {
  it.each([
    ['500ms', 500],
    ['0s', 0],
    ['30s', 30_000],
    ['2m', 2 * minute],
    ['90 min', 90 * minute],
    ['6h', 6 * hour],
    ['1h30', 90 * minute],
    ['1h30m', 90 * minute],
    ['1 h 30 min', 90 * minute],
    ['1,5 h', 90 * minute],
    ['1.5 hours', 90 * minute],
    ['36h', 36 * hour],
    ['2 days', 2 * day],
    ['2 Jours', 2 * day],
    ['1 day, 6 hours', 30 * hour],
    ['1w', 7 * day],
    ['2 semaines', 14 * day],
    ['1y', 365 * day],
    ['1 an', 365 * day],
    ['365d', 365 * day],
  ])('%s is %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  it.each([
    '',
    '5',
    's',
    '1x',
    '-1s',
    '1h-30m',
    'h30',
    '1e3s',
    '1..5h',
    '0.0001s',
    '10000000000s',
    '1 month',
    '2026-01-15',
    'yesterday',
  ])('%j is not a duration', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })
})
