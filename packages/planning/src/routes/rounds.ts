import { ok, routesOf } from '@sav/http-node/feature'
import type { PlanningFeature } from '../planning.js'
import {
  dayRoundsShape,
  optimisedRoundsShape,
  optimiseInput,
  replacedShape,
  replaceInput,
  roundsInput,
  undoInput,
  undoneShape,
} from '../rounds/round-input.js'

const { readRoute, writeRoute } = routesOf<PlanningFeature>()

/** The announced path. It is also served under `/api`: see `alsoUnder`. */
const all = '/v1/planning/tournees'

export const roundRoutes = [
  readRoute({
    path: all,
    name: 'getRounds',
    summary: 'Read the rounds of a day',
    permission: 'planning:read',
    query: roundsInput,
    answers: ok(dayRoundsShape, 'The day of each active installer, in order, with its travel.'),
    handle: ({ sav, actor, query }) => sav.planning.rounds(actor.account_id, query),
  }),
  writeRoute({
    method: 'POST',
    path: `${all}/optimiser`,
    name: 'optimiseRounds',
    summary: 'Plan the rounds of a day with the least travel',
    description:
      'A preview (`apercu`) changes nothing; `appliquer` with its `version` applies exactly that plan in one write. Only visits that are `planifie` or `propose` move.',
    permission: 'planning:write',
    body: optimiseInput,
    example: { date: '2026-03-16', mode: 'apercu' },
    answers: ok(optimisedRoundsShape, 'The rounds, and the visits that move.'),
    failures: ['conflict', 'slot_taken'],
    write: ({ writes, actor, body, request }) => writes.planning.optimise(actor, body, request.signal),
  }),
  writeRoute({
    method: 'POST',
    path: '/v1/planning/replacer',
    name: 'replaceRdv',
    summary: 'Move appointments to other installers or times, in one write',
    description:
      'Moves all or none: a refusal names the conflict. A confirmed visit becomes `planifie` again if its time ' +
      'changes. `tournees/annuler` undoes the change by its `version`.',
    permission: 'planning:write',
    body: replaceInput,
    example: { deplacements: [{ rdv_id: 5, debut: '2026-03-17T08:00:00.000Z', poseur_id: 4 }] },
    answers: ok(replacedShape, 'The appointments as they are now.'),
    failures: ['conflict', 'slot_taken'],
    write: ({ writes, actor, body }) => writes.planning.replace(actor, body),
  }),
  writeRoute({
    method: 'POST',
    path: `${all}/annuler`,
    name: 'undoRounds',
    summary: 'Undo applied rounds',
    description:
      'Restores every visit of the plan in one write, within 24 hours. Restores none if one of them has changed since.',
    permission: 'planning:write',
    body: undoInput,
    example: { version: 'u1.4bb06f8e4e3a7715.eyJhdCI6MTc.kBx3y1t6' },
    answers: ok(undoneShape, 'The visits as they are now.'),
    failures: ['conflict', 'slot_taken', 'not_found'],
    write: ({ writes, actor, body }) => writes.planning.undo(actor, body),
  }),
]
