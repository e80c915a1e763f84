import { slot } from '@sav/core/feature'
import {
  bytes,
  either,
  fileHeaders,
  fileTypes,
  notYet,
  ok,
  photosOnTheWire,
  routesOf,
  shown,
  shownReport,
  undrawn,
} from '@sav/http-node/feature'
import * as z from 'zod'
import { fieldDayShape } from '../day.js'
import type { FieldFeature } from '../field.js'
import { fieldDayInput, fieldFileInput, ownSlotsInput } from '../use-cases.js'
import { reached } from './reached.js'
import { uploadRoute } from './uploads.js'

const { readRoute } = routesOf<FieldFeature>()

const all = '/api/v1/terrain'
const dossier = `${all}/dossiers/{id}`

/** The operations of installers on site. `terrain` allows only these, and only for one's own visits. */
export const fieldRoutes = [
  readRoute({
    path: all,
    name: 'getField',
    summary: 'Read one’s own visits, from 7 days ago to 14 days ahead',
    description:
      'The caller’s visits, with their cases. Ask again with `If-None-Match` after a live event. Callers with `admin` who ' +
      'are not installers must name one.',
    permission: 'terrain',
    query: fieldDayInput,
    answers: ok(fieldDayShape, 'The visits, their cases, and texts to choose from.'),
    failures: ['not_found', 'conflict'],
    async handle({ sav, query, ...caller }) {
      const { dossiers, ...day } = await sav.field.day(caller.actor.account_id, reached(caller), query)
      const urlOf = (id: number) => (sha256: string) => `${caller.base}${all}/dossiers/${id}/fichiers/${sha256}`
      const told = dossiers.map((each) => ({ ...each, photos: photosOnTheWire(each.photos, urlOf(each.id)) }))
      return { ...day, dossiers: told }
    },
  }),
  readRoute({
    path: `${dossier}/fichiers/{sha256}`,
    name: 'getFieldFile',
    summary: 'Read a file of the case of one’s own visit',
    permission: 'terrain',
    query: fieldFileInput,
    answers: bytes(fileTypes, 'The file.', fileHeaders),
    failures: ['not_found', 'conflict'],
    async handle({ sav, params, query, ...caller }) {
      const file = { sav_id: params.id, sha256: params.sha256 }
      return shown(await sav.field.file(caller.actor.account_id, reached(caller), file, query))
    },
  }),
  readRoute({
    path: `${dossier}/pv`,
    name: 'getFieldReport',
    summary: 'Read the reception report of the case of one’s own visit',
    permission: 'terrain',
    answers: either(
      bytes(['application/pdf'], 'The report.', fileHeaders),
      notYet(undrawn, 'The report is being made: ask again after `Retry-After` seconds.'),
      (result) => 'content' in result,
    ),
    failures: ['case_not_found', 'not_found', 'conflict'],
    async handle({ sav, params, ...caller }) {
      await sav.field.refuseOthers(caller.actor.account_id, reached(caller), params.id)
      return shownReport(sav, caller.actor.account_id, params.id)
    },
  }),
  readRoute({
    path: `${all}/rdv/{id}/creneaux`,
    name: 'listFieldSlots',
    summary: 'Find times for another visit',
    permission: 'terrain',
    query: ownSlotsInput,
    answers: ok(() => z.array(slot()), 'The installer’s own free times, the least added travel first.'),
    failures: ['not_found', 'conflict'],
    handle: ({ sav, params, query, ...caller }) =>
      sav.field.slots(caller.actor.account_id, reached(caller), params.id, query),
  }),
  uploadRoute,
]
