import { describe, expect, test } from 'vitest'
import { frenchDates, spacedSiret, unbreakable } from './french.js'

const spaced = (text: string) => text.replaceAll('\u00a0', '_')

describe('a date', () => {
  const { day, moment } = frenchDates('Europe/Paris')

  test.each([
    ['2026-01-14T23:00:00.000Z', '15_janvier_2026 à_0_h_00'],
    ['2026-01-14T22:59:59.999Z', '14_janvier_2026 à_23_h_59'],
    ['2026-01-15T12:05:00.000Z', '15_janvier_2026 à_13_h_05'],
    ['2026-08-01T10:00:00.000Z', '1er_août_2026 à_12_h_00'],
    // Clocks go forward at 02:00 on 29 March.
    ['2026-03-29T00:59:00.000Z', '29_mars_2026 à_1_h_59'],
    ['2026-03-29T01:00:00.000Z', '29_mars_2026 à_3_h_00'],
  ])('%s is the %s', (instant, written) => {
    expect(spaced(moment(instant))).toBe(written)
    expect(written).toContain(spaced(day(instant)))
  })

  test('has a time zone that exists', () => {
    expect(() => frenchDates('Europe/Nowhere')).toThrow(RangeError)
  })
})

test('a SIRET stands in its groups, anything else as it is', () => {
  expect(spaced(spacedSiret('12345678900012'))).toBe('123_456_789_00012')
  expect(spaced(spacedSiret('123 456 789 00012'))).toBe('123_456_789_00012')
  expect(spacedSiret('1234567890001')).toBe('1234567890001')
  expect(spacedSiret('BE 0123.456.789')).toBe('BE 0123.456.789')
})

test('spaces before high punctuation and inside guillemets do not break, and nothing else changes', () => {
  expect(spaced(unbreakable('Il dit : « Oui ! » à 20 % ; et toi ?'))).toBe('Il dit_: «_Oui_!_» à 20_%_; et toi_?')
  expect(unbreakable('a: b, https://x.example/?q=1')).toBe('a: b, https://x.example/?q=1')
})
