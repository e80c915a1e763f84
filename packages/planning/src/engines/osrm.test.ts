import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { nobody, serving } from '../../test/servers.js'
import { note } from '../travel/notes.js'
import type { Point, TravelTimes } from '../travel/travel-times.js'
import { osrmTravel } from './osrm.js'

/** Estimates that differ from the router's: one second and one metre for each ten-thousandth of a degree. */
const estimates: TravelTimes = {
  table: async (points) => {
    const cells = points.map((a) =>
      points.map((b) => Math.round(1e4 * (Math.abs(a.lat - b.lat) + Math.abs(a.lon - b.lon)))),
    )
    return { seconds: cells, meters: cells, avertissements: [note('travel_partly_estimated')] }
  },
}

const lyon: Point = { lat: 45.758, lon: 4.835 }
const givors: Point = { lat: 45.591, lon: 4.769 }
const arbresle: Point = { lat: 45.834, lon: 4.616 }

/**
 * A server that answers like osrm-routed. The path contains at most 100 coordinates. The answer has a row for each of
 * `sources`, and a column for each of `destinations`.
 */
function router(
  answered: string[],
  { knowsDistances = true, noWay = () => false }: { knowsDistances?: boolean; noWay?: (lat: number) => boolean } = {},
): RequestListener {
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', nobody)
    answered.push(`${pathname}?${searchParams}`)
    const points = (/^\/table\/v1\/driving\/(.*)$/.exec(pathname)?.[1] ?? '')
      .split(';')
      .map((pair) => pair.split(',').map(Number))
    const annotations = searchParams.get('annotations')?.split(',') ?? []
    const refuse = (code: string) => response.writeHead(400).end(JSON.stringify({ code }))
    if (points.length > 100) return refuse('TooBig')
    if (!knowsDistances && annotations.includes('distance')) return refuse('InvalidOptions')
    const chosen = (name: string) =>
      (searchParams.get(name)?.split(';') ?? [...points.keys()]).map((at) => points[Number(at)] ?? [])
    const table = (factor: number) =>
      chosen('sources').map(([lon = 0, lat = 0]) =>
        chosen('destinations').map(([toLon = 0, toLat = 0]) =>
          noWay(toLat) && !noWay(lat) ? null : Math.abs(lon - toLon) * factor + Math.abs(lat - toLat) * 2 * factor,
        ),
      )
    return response.end(
      JSON.stringify({
        code: 'Ok',
        ...(annotations.includes('duration') && { durations: table(3600) }),
        ...(annotations.includes('distance') && { distances: table(80_000) }),
      }),
    )
  }
}

const toGivors = Math.round(0.066 * 3600 + 0.167 * 2 * 3600)

describe('a router that answers', () => {
  it('receives longitude before latitude, and its times and distances are rounded to whole numbers', async () => {
    const answered: string[] = []
    const travel = osrmTravel({ url: `${await serving(router(answered))}/`, fallback: estimates })
    const table = await travel.table([lyon, givors, lyon])
    expect(answered).toEqual(['/table/v1/driving/4.83500,45.75800;4.76900,45.59100?annotations=duration%2Cdistance'])
    expect(table.seconds).toEqual([
      [0, toGivors, 0],
      [toGivors, 0, toGivors],
      [0, toGivors, 0],
    ])
    expect(table.meters[0]?.[1]).toBe(Math.round(80_000 * (0.066 + 0.334)))
    expect(table.avertissements).toEqual([])
  })

  it('is asked only once about each pair of points', async () => {
    const answered: string[] = []
    const travel = osrmTravel({ url: await serving(router(answered)), fallback: estimates })
    const first = await travel.table([lyon, givors, arbresle])
    expect(await travel.table([lyon, givors, arbresle])).toEqual(first)
    expect((await travel.table([arbresle, lyon])).seconds[0]?.[1]).toBe(first.seconds[2]?.[0])
    expect(answered).toHaveLength(1)
  })

  it('is asked again about pairs that the cache has dropped', async () => {
    const answered: string[] = []
    const travel = osrmTravel({ url: await serving(router(answered)), fallback: estimates, rememberedPairs: 2 })
    for (const pair of [
      [lyon, givors],
      [lyon, arbresle],
      [lyon, givors],
    ])
      await travel.table(pair)
    expect(answered).toHaveLength(3)
  })

  it.each([
    [100, 1],
    [101, 9],
  ])('is asked for %i points in %i requests, none of more than 100', async (count, requests) => {
    const answered: string[] = []
    const travel = osrmTravel({ url: await serving(router(answered)), fallback: estimates, timeoutMs: 20_000 })
    const points = Array.from({ length: count }, (_, place) => ({ lat: 45 + place / 1000, lon: 4.8 }))
    const table = await travel.table(points)
    expect(answered).toHaveLength(requests)
    expect(table.avertissements).toEqual([])
    expect(table.seconds[3]?.[count - 1]).toBe(Math.round(((count - 4) / 1000) * 7200))
    expect(table.seconds[count - 1]?.[count - 1]).toBe(0)
  })

  it('without distances is completed by estimated distances', async () => {
    const answered: string[] = []
    const travel = osrmTravel({ url: await serving(router(answered, { knowsDistances: false })), fallback: estimates })
    const table = await travel.table([lyon, givors])
    expect(answered.map((path) => path.split('annotations=')[1])).toEqual(['duration%2Cdistance', 'duration'])
    expect([table.seconds[0]?.[1], table.meters[0]?.[1]]).toEqual([toGivors, 2330])
    expect(table.avertissements).toEqual([])
  })

  it('without a route between two points is completed by an estimate, with a note', async () => {
    const belle_ile: Point = { lat: 47.33, lon: -3.18 }
    const url = await serving(router([], { noWay: (lat) => lat > 47 }))
    const table = await osrmTravel({ url, fallback: estimates }).table([lyon, givors, belle_ile])
    expect([table.seconds[0]?.[1], table.seconds[0]?.[2]]).toEqual([toGivors, 95_870])
    expect(table.avertissements).toContainEqual(note('travel_partly_estimated'))
  })
})

describe('a router that fails', () => {
  const expectEstimates = async (url: string, reason: RegExp, timeoutMs = 2000) => {
    const table = await osrmTravel({ url, fallback: estimates, timeoutMs }).table([lyon, givors])
    expect(table.seconds[0]?.[1]).toBe(2330)
    expect(table.avertissements).toEqual([
      note('travel_partly_estimated'),
      expect.objectContaining({ code: 'travel_estimated', params: { problem: expect.stringMatching(reason) } }),
    ])
  }

  it('is replaced by estimates if it is unreachable', () => expectEstimates(nobody, /ECONNREFUSED/))

  it('is replaced by estimates if it is slow', async () => {
    await expectEstimates(await serving(() => {}), /it took too long/, 50)
  })

  it('is replaced by estimates if it stops halfway through its answer', async () => {
    const url = await serving((_, response) => {
      response.write('{"code":"Ok",')
    })
    await expectEstimates(url, /it took too long/, 50)
  })

  it.each([
    ['an error', 500, '{"code":"Fault"}', /answered 500/],
    ['no JSON', 200, '<html>', /not JSON/],
    ['no table', 200, '{"code":"Ok"}', /no durations/],
    ['another table', 200, '{"durations":[[0,1,2]]}', /no durations/],
    ['nothing', 200, 'null', /not a table/],
  ])('is replaced by estimates if it answers with %s', async (_, status, body, reason) => {
    await expectEstimates(await serving((_request, response) => response.writeHead(status).end(body)), reason)
  })

  it('is used again as soon as it answers', async () => {
    let isAway = true
    const answer = router([])
    const url = await serving((request, response) =>
      isAway ? response.writeHead(503).end() : answer(request, response),
    )
    const travel = osrmTravel({ url, fallback: estimates })
    expect((await travel.table([lyon, givors])).avertissements).not.toEqual([])
    isAway = false
    expect((await travel.table([lyon, givors])).avertissements).toEqual([])
  })
})

it('a malformed address is refused by a message that does not repeat it', () => {
  for (const url of ['', 'osrm:5000', 'ftp://shop:secret@osrm.example'])
    expect(() => osrmTravel({ url, fallback: estimates })).toThrow(
      /^the address of the router must be http or https, such as http:\/\/localhost:5000$/,
    )
})
