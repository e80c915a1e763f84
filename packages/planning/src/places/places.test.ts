import { describe, expect, it } from 'vitest'
import type { Lieu } from '../../../core/src/directory/lieu.js'
import { estimatedMeters } from '../travel/bands.js'
import { loadPlaces } from './places.js'

const pointOf = await loadPlaces()
const lieu = (code_postal: string | null, ville: string | null = null, more: Partial<Lieu> = {}): Lieu => ({
  ligne1: '12 rue des Écoles',
  code_postal,
  ville,
  lat: null,
  lon: null,
  acces: null,
  ...more,
})

/** Kilometres by air between the found point and the true one. */
function off(place: Lieu, lat: number, lon: number): number {
  const found = pointOf(place)
  return found === null ? Number.NaN : estimatedMeters(found.point, { lat, lon }) / 1300
}

describe('a place', () => {
  it('with coordinates is at these coordinates, whatever its postal code', () => {
    const place = lieu('75001', 'Paris', { lat: 44.837789, lon: -0.57918 })
    expect(pointOf(place)).toEqual({ point: { lat: 44.837789, lon: -0.57918 }, precision: 'exacte' })
  })

  // The coordinates are those of town halls, from the national address register.
  it.each([
    ['33700', 'Mérignac', 44.8424, -0.6455, 3, 'code_postal'],
    ['57000', 'Metz', 49.1193, 6.1757, 4, 'commune'],
    ['69003', 'Lyon', 45.7597, 4.8422, 3, 'code_postal'],
    ['13008', 'Marseille', 43.2707, 5.3817, 4, 'code_postal'],
    ['75015', 'Paris', 48.8417, 2.3003, 6, 'commune'],
    ['20137', 'Porto-Vecchio', 41.5912, 9.2795, 4, 'code_postal'],
    ['05100', 'Briançon', 44.8978, 6.6425, 8, 'code_postal'],
    ['01000', 'Bourg-en-Bresse', 46.2052, 5.2255, 4, 'code_postal'],
    ['97300', 'Cayenne', 4.9372, -52.326, 4, 'code_postal'],
    ['97133', 'Saint-Barthélemy', 17.8962, -62.8498, 4, 'code_postal'],
    ['98600', 'Mata-Utu', -13.2825, -176.1736, 8, 'code_postal'],
    ['98714', 'Papeete', -17.539, -149.5667, 4, 'code_postal'],
  ] as const)('with the postal code %s (%s) is found by that code', (code, ville, lat, lon, km, precision) => {
    expect(off(lieu(code), lat, lon)).toBeLessThan(km)
    expect(pointOf(lieu(code))?.precision).toBe(precision)
    expect(pointOf(lieu(code, ville))).toEqual(pointOf(lieu(code)))
  })

  it('is found by a postal code with a space in it', () => {
    expect(pointOf(lieu('33 700'))).toEqual(pointOf(lieu('33700')))
  })

  it.each([
    ['33045', 'BORDEAUX CEDEX', 44.8378, -0.5792],
    ['69221', 'Lyon Cedex 02', 45.764, 4.8357],
    ['42007', 'ST ETIENNE CEDEX 1', 45.4397, 4.3872],
    ['93205', 'Saint-Denis Cedex', 48.9362, 2.3574],
    ['97491', 'Saint-Denis Cedex', -20.8789, 55.4481],
    // These codes are missing or unknown, so the place is found by the name of its town.
    ['01280', 'Bourg-en-Bresse', 46.2052, 5.2255],
    ['2B200', 'Bastia', 42.7, 9.45],
    [null, 'Mérignac', 44.8424, -0.6455],
    [null, 'Boulogne Billancourt', 48.8352, 2.2411],
  ] as const)('with the unknown postal code %s is found by its town, %s', (code, ville, lat, lon) => {
    expect(off(lieu(code, ville), lat, lon)).toBeLessThan(5)
    expect(pointOf(lieu(code, ville))?.precision).toBe('commune')
  })

  it.each([
    ['33999', 'Trifouillis-les-Oies', 44.8378, -0.5792, 5],
    ['97299', null, 14.6037, -61.0731, 5],
    ['98899', null, -22.2735, 166.4481, 5],
    ['98799', null, -17.539, -149.5667, 5],
    // This code has no addresses, so its place is the middle of its neighbours.
    ['05470', 'Aiguilles', 44.7839, 6.8714, 30],
  ] as const)('with code %s, of which only the département is known, is placed there', (code, ville, lat, lon, km) => {
    expect(off(lieu(code, ville), lat, lon)).toBeLessThan(km)
    expect(pointOf(lieu(code, ville))?.precision).toBe('departement')
  })

  it.each([
    ['nothing', null, null],
    ['an ambiguous town', null, 'Saint-Denis'],
    ['an unknown town', null, 'Springfield'],
    ['a code of no département', '00123', null],
    ['a foreign code', 'SW1A 1AA', 'London'],
  ])('with %s has no point', (_, code, ville) => {
    expect(pointOf(lieu(code, ville))).toBeNull()
  })
})
