import { describe, expect, test } from 'vitest'
import { frenchDates, spacedSiret, spacedTelephone, townOf, typeset, unbreakable } from './french.js'

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

  test('is refused for an unknown time zone', () => {
    expect(() => frenchDates('Europe/Nowhere')).toThrow(RangeError)
  })
})

test('a SIRET is printed in groups, other text unchanged', () => {
  expect(spaced(spacedSiret('12345678900012'))).toBe('123_456_789_00012')
  expect(spaced(spacedSiret('123 456 789 00012'))).toBe('123_456_789_00012')
  expect(spacedSiret('1234567890001')).toBe('1234567890001')
  expect(spacedSiret('BE 0123.456.789')).toBe('BE 0123.456.789')
})

test('a telephone number is printed in pairs, a foreign one as typed', () => {
  for (const typed of ['0611223344', '06 11 22 33 44', '06.11.22.33.44', '06-112-233-44'])
    expect(spaced(spacedTelephone(typed))).toBe('06_11_22_33_44')
  for (const typed of ['061122334', '+33 6 11 22 33 44', '+1 (212) 555-0100', '06 11 22 33 44 (bureau)'])
    expect(spacedTelephone(typed)).toBe(typed)
})

test('only spaces before high punctuation and inside guillemets become unbreakable', () => {
  expect(spaced(unbreakable('Il dit : « Oui ! » à 20 % ; et toi ?'))).toBe('Il dit_: «_Oui_!_» à 20_%_; et toi_?')
  expect(unbreakable('a: b, https://x.example/?q=1')).toBe('a: b, https://x.example/?q=1')
})

describe('typed text gets French typography', () => {
  test.each([
    [`L'évier "fuit": c'est l'eau!`, 'L’évier «_fuit_»_: c’est l’eau_!'],
    ['Vraiment?! (oui?) Non; si', 'Vraiment_?! (oui_?) Non_; si'],
    ['«posé», « réglé »', '«_posé_», «_réglé_»'],
    ['à reprendre... puis.... rien', 'à reprendre… puis.... rien'],
    ['jeu de 3 mm, 20 %, 1 500 €, n° 12', 'jeu de 3_mm, 20_%, 1 500_€, n°_12'],
    ['- un joint\n- une poignée', '– un joint\n– une poignée'],
    // Times, fractions, hyphens, emoticons and addresses stay unchanged.
    ['à 10:30, tuyau de 3/4" et 1/2", 3:4', 'à 10:30, tuyau de 3/4" et 1/2", 3:4'],
    ['rendez-vous, 2 mains, 5 lames', 'rendez-vous, 2 mains, 5 lames'],
    ['merci ;) :-)', 'merci ;) :-)'],
    [`https://x.example/?q="a"&b='c'! et l'ami@x.example`, `https://x.example/?q="a"&b='c'! et l'ami@x.example`],
  ])('%j', (typed, printed) => {
    expect(spaced(typeset(typed))).toBe(printed)
    expect(typeset(typeset(typed))).toBe(typeset(typed))
  })
})

test.each([
  ['3 impasse du Noyer, 69100 Villeurbanne', 'Villeurbanne'],
  ['12 rue de l’Établi\n69003 Lyon', 'Lyon'],
  ['10400 rue Haute, 97400 Saint-Denis de la Réunion, Réunion', 'Saint-Denis de la Réunion'],
  ['Ferme du Bas', null],
  ['75001', null],
])('the town of %j is %j', (adresse, town) => {
  expect(townOf(adresse)).toBe(town)
})
