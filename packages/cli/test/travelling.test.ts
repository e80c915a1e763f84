import { createServer, type RequestListener } from 'node:http'
import { expect, it } from 'vitest'
import { onLoopback } from './on-loopback.js'
import { readyWorkplace, type Workplace } from './workplace.js'

/** A server that answers JSON, and the paths that were requested. */
async function serving(answer: (url: URL) => unknown) {
  const asked: string[] = []
  const listener: RequestListener = (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    asked.push(url.pathname)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(url)))
  }
  return { url: await onLoopback(createServer(listener)), asked }
}

/** An answer of the address API. */
const feature = (type: string) => ({
  type: 'FeatureCollection',
  features: [
    { type: 'Feature', geometry: { type: 'Point', coordinates: [4.8271, 45.7541] }, properties: { score: 0.9, type } },
  ],
})

const street = ['--ligne1', '12 quai Tilsitt', '--code-postal', '69002', '--ville', 'Lyon']
const add = (shop: Workplace, url: string, ...more: string[]) =>
  shop.json<{ lieu: unknown }>(['clients', 'add', '--nom', 'Petit', '--prenom', 'Aïcha', ...more], {
    SAV_GEOCODER_URL: url,
  })

it('a place that is saved without coordinates gets them from the geocoder, once', async () => {
  const shop = await readyWorkplace()
  const { url, asked } = await serving(() => feature('housenumber'))
  expect(await add(shop, url, ...street)).toMatchObject({ lieu: { lat: 45.7541, lon: 4.8271, ville: 'Lyon' } })
  expect(await add(shop, url, ...street, '--lat', '45.7', '--lon', '4.8')).toMatchObject({
    lieu: { lat: 45.7, lon: 4.8 },
  })
  expect(await add(shop, url, '--ville', 'Lyon')).toMatchObject({ lieu: { lat: null, lon: null } })
  await shop.json(['poseurs', 'add', '--nom', 'Karim Benali'])
  await shop.json('planning book --poseur-id 1 --debut 2030-03-18T09:00 --duree 90 --client-id 2', {
    SAV_GEOCODER_URL: url,
  })
  expect(asked).toEqual(['/search/'])
})

it('if the geocoder is unsure or unreachable, the place is stored as given', async () => {
  const shop = await readyWorkplace()
  const { url } = await serving(() => feature('municipality'))
  for (const unsure of [url, 'http://127.0.0.1:1'])
    expect(await add(shop, unsure, ...street)).toMatchObject({
      lieu: { ligne1: '12 quai Tilsitt', lat: null, lon: null },
    })
})

interface Rounds {
  readonly minutes_avant: number
  readonly avertissements: readonly string[]
}

it('travel times come from OSRM and rounds from VROOM, or are computed here if they are unreachable', async () => {
  const shop = await readyWorkplace()
  await shop.json(['poseurs', 'add', '--nom', 'Karim Benali', '--code-postal', '69003'])
  await shop.json('clients add --nom Petit --prenom Aïcha --code-postal 69700')
  await shop.json('planning book --poseur-id 1 --debut 2030-03-18T09:00 --duree 90 --client-id 2')
  const osrm = await serving(({ pathname }) => {
    const count = pathname.split(';').length
    const table = (value: number) =>
      Array.from({ length: count }, (_, from) => Array.from({ length: count }, (_, to) => (from === to ? 0 : value)))
    return { code: 'Ok', durations: table(600), distances: table(7000) }
  })
  const optimise = ['planning', 'optimise', '--date', '2030-03-18']
  const routed = await shop.json<Rounds>(optimise, { SAV_OSRM_URL: osrm.url })
  expect(routed).toMatchObject({ minutes_avant: 20, minutes_apres: 20, kilometres_avant: 14, avertissements: [] })
  expect(osrm.asked[0]).toMatch(/^\/table\/v1\/driving\//)
  const away = await shop.sav(optimise, { SAV_OSRM_URL: 'http://127.0.0.1:1', SAV_VROOM_URL: 'http://127.0.0.1:1' })
  expect(away.code).toBe(0)
  expect(away.stdout).toMatch(/\nNote: Travel times are estimates: the router did not answer \(/)
  expect(away.stdout).toMatch(/\nNote: The service planned the rounds itself: VROOM did not answer \(/)
})
