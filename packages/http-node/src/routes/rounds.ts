import { optimiseInput, roundsInput, undoInput } from '@sav/core'
import * as z from 'zod'
import { instant, named, number } from '../contract/shapes.js'
import { ok } from './answers.js'
import { readRoute, writeRoute } from './route.js'

/** As announced; each path is there under `/api` as well: see `alsoUnder`. */
const all = '/v1/planning/tournees'

const date = z.iso.date()
const point = z
  .object({ lat: z.number(), lon: z.number() })
  .nullable()
  .meta({ description: 'As travel is reckoned: that of the postal code, where there are no coordinates.' })
const visite = z.object({
  rdv_id: number,
  debut: instant,
  fin: instant,
  trajet_avant_minutes: z.int().nonnegative(),
  point,
})
const tournees = z.array(z.object({ poseur_id: number, depart: point, visites: z.array(visite) }))
const tourneesExample = [
  {
    poseur_id: 3,
    depart: { lat: 45.76, lon: 4.85 },
    visites: [
      {
        rdv_id: 5,
        debut: '2026-03-16T07:14:00.000Z',
        fin: '2026-03-16T09:14:00.000Z',
        trajet_avant_minutes: 14,
        point: { lat: 45.75, lon: 4.83 },
      },
    ],
  },
]
const avertissements = z.array(z.string())
const total = z.number().nonnegative()
const travelNote = 'Travel alone: between visits, from where the day begins, and to where it ends.'
const dayRounds = named(
  'DayRounds',
  z.object({ date, minutes: total.meta({ description: travelNote }), kilometres: total, tournees, avertissements }),
  { date: '2026-03-16', minutes: 28, kilometres: 12.4, tournees: tourneesExample, avertissements: [] },
)
const optimisedRounds = named(
  'OptimisedRounds',
  z.object({
    date,
    minutes_avant: total.meta({ description: travelNote }),
    minutes_apres: total,
    kilometres_avant: total,
    kilometres_apres: total,
    tournees,
    deplacements: z.array(
      z.object({
        rdv_id: number,
        debut: instant,
        poseur_id: number,
        ancien_debut: instant,
        ancien_poseur_id: number,
      }),
    ),
    avertissements,
    lettres: z
      .int()
      .nonnegative()
      .meta({ description: 'How many letters go out when it is applied, if nothing changes until then.' }),
    version: z.string().meta({
      description:
        'Of a preview: applies just this plan, as long as nothing of the day has changed. Of what was applied: takes it back (`tournees/annuler`), for 24 hours.',
    }),
  }),
  {
    date: '2026-03-16',
    minutes_avant: 41,
    minutes_apres: 28,
    kilometres_avant: 21.7,
    kilometres_apres: 12.4,
    tournees: tourneesExample,
    deplacements: [
      {
        rdv_id: 5,
        debut: '2026-03-16T07:14:00.000Z',
        poseur_id: 3,
        ancien_debut: '2026-03-16T08:00:00.000Z',
        ancien_poseur_id: 3,
      },
    ],
    avertissements: [],
    lettres: 1,
    version: 't1.4bb06f8e4e3a7715.eyJkYXRlIjoi.kBx3y1t6',
  },
)

const undone = named(
  'UndoneRounds',
  z.object({
    rdv: z.array(
      z.object({
        id: number,
        debut: instant,
        fin: instant,
        poseur: z.object({ id: number }),
        version: number.meta({ description: 'Grows by one with every change.' }),
      }),
    ),
  }),
  {
    rdv: [{ id: 5, debut: '2026-03-16T08:00:00.000Z', fin: '2026-03-16T10:00:00.000Z', poseur: { id: 3 }, version: 3 }],
  },
)

export const roundRoutes = [
  readRoute({
    path: all,
    name: 'getRounds',
    summary: 'Read the rounds of a day',
    permission: 'planning:read',
    query: roundsInput,
    answers: ok(dayRounds, 'The day of each active installer, in order, with its travel.'),
    handle: ({ sav, actor, query }) => sav.planning.rounds(actor.account_id, query),
  }),
  writeRoute({
    method: 'POST',
    path: `${all}/optimiser`,
    name: 'optimiseRounds',
    summary: 'Plan the rounds of a day with the least travel',
    description:
      'A preview (`apercu`) changes nothing; `appliquer` with its `version` does just what it showed, in one write. Only what is `planifie` or `propose` moves.',
    permission: 'planning:write',
    body: optimiseInput,
    example: { date: '2026-03-16', mode: 'apercu' },
    answers: ok(optimisedRounds, 'The rounds, and what moves.'),
    failures: ['conflict', 'slot_taken'],
    write: ({ writes, actor, body, request }) => writes.planning.optimise(actor, body, request.signal),
  }),
  writeRoute({
    method: 'POST',
    path: `${all}/annuler`,
    name: 'undoRounds',
    summary: 'Take applied rounds back',
    description:
      'Puts every visit of the plan back where it was, or none, in one write: as long as none of them was touched since, for 24 hours.',
    permission: 'planning:write',
    body: undoInput,
    example: { version: 'u1.4bb06f8e4e3a7715.eyJhdCI6MTc.kBx3y1t6' },
    answers: ok(undone, 'The visits as they are now.'),
    failures: ['conflict', 'slot_taken', 'not_found'],
    write: ({ writes, actor, body }) => writes.planning.undo(actor, body),
  }),
]
