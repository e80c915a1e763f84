import { describe, expect, it } from 'vitest'
import { nobody, serving } from '../../test/servers.js'
import { geocoder } from './geocoder.js'

const lieu = { ligne1: '12 rue de l’Établi', code_postal: '69003', ville: 'Lyon' }

/** A place in an answer, as the address API writes it. */
const feature = (properties: object, coordinates: unknown = [4.8567, 45.7578]) => ({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', geometry: { type: 'Point', coordinates }, properties }],
})

const answering = async (answer: unknown, asked: string[] = []) =>
  geocoder({
    url: await serving((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization ?? ''}`.trim())
      response.end(JSON.stringify(answer))
    }),
  })

describe('the geocoder', () => {
  it('sends the request that the address API specifies', async () => {
    const asked: string[] = []
    const found = await (await answering(feature({ score: 0.97, type: 'housenumber' }), asked)).pointOf(lieu)
    expect(found).toEqual({ point: { lat: 45.7578, lon: 4.8567 }, precision: 'exacte' })
    expect(asked).toEqual(['/search/?q=12+rue+de+l%E2%80%99%C3%89tabli+69003+Lyon&limit=1&postcode=69003'])
  })

  it('reports that it found only the commune', async () => {
    const found = await (await answering(feature({ score: 0.9, type: 'municipality' }))).pointOf(lieu)
    expect(found?.precision).toBe('commune')
  })

  it.each([
    [0.5, true],
    [0.49, false],
  ])('accepts a score of %d: %s', async (score, isAccepted) => {
    const found = await (await answering(feature({ score, type: 'street' }))).pointOf(lieu)
    expect(found !== null).toBe(isAccepted)
  })

  it('sends no request for a place without any field', async () => {
    const asked: string[] = []
    const server = await answering(feature({}), asked)
    expect(await server.pointOf({ ligne1: null, code_postal: ' ', ville: '' })).toBe(null)
    expect(asked).toEqual([])
  })

  it.each([
    ['empty', { type: 'FeatureCollection', features: [] }],
    ['no GeoJSON', { lat: 45, lon: 4 }],
    ['no point', feature({}, ['4', '45'])],
    ['a point beyond the earth', feature({}, [4.8, 90.1])],
    ['null', null],
  ])('finds nothing if the answer is %s', async (_, answer) => {
    expect(await (await answering(answer)).pointOf(lieu)).toBe(null)
  })

  it('finds nothing if the server is unreachable, slow, or fails', async () => {
    const slow = await serving(() => {})
    const wrong = await serving((_, response) => response.writeHead(500).end(JSON.stringify(feature({}))))
    for (const url of [nobody, slow, wrong]) expect(await geocoder({ url, timeoutMs: 50 }).pointOf(lieu)).toBe(null)
  })
})

it('a password in the geocoder’s address is sent as Basic authorization', async () => {
  const asked: string[] = []
  const url = URL.parse(
    await serving((request, response) => {
      asked.push(`${request.headers.authorization}`)
      response.end('{}')
    }),
  )
  await geocoder({ url: `http://shop:s%C3%A9same@${url?.host}/ban` }).pointOf(lieu)
  expect(asked).toEqual([`Basic ${Buffer.from('shop:sésame').toString('base64')}`])
})
