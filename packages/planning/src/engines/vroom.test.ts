import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { at, roadDay } from '../../test/days.js'
import { nobody, serving } from '../../test/servers.js'
import type { RoundSolver } from '../rounds/round-problem.js'
import { seededDraws } from './rounds/draws.js'
import { solveRounds } from './rounds/solve-rounds.js'
import { vroomProblem, vroomSolver } from './vroom.js'

const own: RoundSolver = { solve: async (problem) => solveRounds(problem, { iterations: 50, draw: seededDraws(1) }) }

/** A VROOM server that assigns these jobs to the first vehicle, and leaves the rest unassigned. */
const answering = (jobs: readonly number[], asked: unknown[] = []) =>
  serving(async (request, response) => {
    asked.push({ path: request.url, body: JSON.parse(await text(request)) })
    const steps = [
      { type: 'start' },
      ...jobs.map((id) => ({ type: 'job', id })),
      { type: 'break', id: 1 },
      { type: 'end' },
    ]
    response.end(JSON.stringify({ code: 0, routes: [{ vehicle: 1, steps }], unassigned: [] }))
  })

const visitsOf = (plan: Awaited<ReturnType<RoundSolver['solve']>>) =>
  plan.rounds.map(({ visits }) => visits.map(({ visit }) => visit))

describe('VROOM', () => {
  it('decides the order of the visits, but not their times, which this service computes', async () => {
    const asked: unknown[] = []
    const plan = await vroomSolver({ url: await answering([3, 1, 2], asked), fallback: own }).solve(roadDay(3))
    expect(asked).toEqual([{ path: '/', body: JSON.parse(JSON.stringify(vroomProblem(roadDay(3)))) }])
    expect(visitsOf(plan)).toEqual([[102, 100, 101], []])
    expect(plan.rounds[0]?.visits[0]).toEqual({ visit: 102, debut: at(8), fin: at(8, 30), travel: 1800 })
    expect(plan.avertissements).toEqual([])
  })

  it('cannot break a rule, because visits that do not fit in its order are inserted elsewhere', async () => {
    const day = roadDay(3)
    const [first, ...rest] = day.visits
    if (first === undefined) throw new Error('no visit')
    const early = { ...first, fenetre: { debut: at(8), fin: at(8, 10) } }
    const plan = await vroomSolver({ url: await answering([2, 3, 1]), fallback: own }).solve({
      ...day,
      visits: [early, ...rest],
    })
    expect(plan.unserved).toEqual([])
    expect(plan.rounds.flatMap(({ visits }) => visits).find(({ visit }) => visit === 100)?.debut).toBe(at(8))
  })

  it('is not called for a day without working installers', async () => {
    const asked: unknown[] = []
    const day = roadDay(3)
    const idle = { ...day, installers: day.installers.map((installer) => ({ ...installer, plages: [] })) }
    const plan = await vroomSolver({ url: await answering([], asked), fallback: own }).solve(idle)
    expect(asked).toEqual([])
    expect(plan).toEqual(await own.solve(idle))
    expect(plan.unserved).toHaveLength(3)
  })

  it('may leave out visits, which this service then inserts', async () => {
    const plan = await vroomSolver({ url: await answering([2]), fallback: own }).solve(roadDay(3))
    expect(plan.unserved).toEqual([])
  })

  it.each([
    ['cannot be reached', async () => nobody, /ECONNREFUSED/],
    ['refuses', () => serving((_, response) => response.writeHead(500).end('{"code":2}')), /answered 500/],
    ['fails', () => serving((_, response) => response.end('{"code":1,"error":"boom","routes":[]}')), /has no routes/],
    [
      'answers with unknown vehicles',
      () => serving((_, response) => response.end('{"code":0,"routes":[{"vehicle":9,"steps":[]}]}')),
      /unknown vehicle 9/,
    ],
  ])('that %s is replaced by the fallback, with a note', async (_, server, reason) => {
    const plan = await vroomSolver({ url: await server(), fallback: own }).solve(roadDay(3))
    expect(plan.unserved).toEqual([])
    expect(plan.avertissements).toHaveLength(1)
    expect(plan.avertissements[0]).toMatchObject({
      code: 'rounds_own',
      params: { problem: expect.stringMatching(reason) },
    })
  })
})

it('a problem is expressed in VROOM’s format', () => {
  const day = roadDay(1)
  const [karim] = day.installers
  const [visit] = day.visits
  if (karim === undefined || visit === undefined) throw new Error('an empty day')
  const told = vroomProblem({
    ...day,
    installers: [karim, { ...karim, id: 8, start: null, end: null, competences: ['plomberie'] }],
    visits: [
      visit,
      { ...visit, id: 101, node: null, competence: 'menuiserie' },
      { ...visit, id: 102, installer: 8, isPromised: true, fenetre: { debut: at(18), fin: at(18) } },
      { ...visit, id: 103, fenetre: { debut: at(20), fin: at(21) } },
    ],
  })
  const from8 = (instant: number) => instant - at(8) + at(12)
  expect(told.vehicles).toEqual([
    {
      id: 1,
      start_index: 0,
      end_index: 0,
      skills: [3, 1],
      time_window: [0, from8(at(29))],
      breaks: [{ id: 1, service: at(1), time_windows: [[from8(at(12)), from8(at(12))]] }],
    },
    expect.objectContaining({ id: 2, start_index: 2, end_index: 2, skills: [2] }),
  ])
  const hours = [
    [from8(at(8)), from8(at(11, 30))],
    [from8(at(13)), from8(at(16, 30))],
  ]
  expect(told.jobs).toEqual([
    { id: 1, location_index: 1, service: 1800, priority: 0, skills: [], time_windows: hours },
    { id: 2, location_index: 2, service: 1800, priority: 0, skills: [3], time_windows: hours },
    {
      id: 3,
      location_index: 1,
      service: 1800,
      priority: 100,
      skills: [2],
      time_windows: [[from8(at(18)), from8(at(18))]],
    },
  ])
  expect(told.matrices.car.durations).toEqual([
    [0, 600, 0],
    [600, 0, 0],
    [0, 0, 0],
  ])
})
