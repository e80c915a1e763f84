import { deviceInput, deviceShape, slot } from '@sav/core/feature'
import {
  type Answers,
  bytes,
  cookieOf,
  either,
  fileHeaders,
  fileTypes,
  notYet,
  ok,
  phoneIs,
  photosOnTheWire,
  routesOf,
  sessionCookie,
  shown,
  shownReport,
  undrawn,
  withResult,
} from '@sav/http-node/feature'
import * as z from 'zod'
import { fieldDayShape } from '../day.js'
import type { FieldFeature } from '../field.js'
import { fieldDayInput, fieldFileInput, ownSlotsInput } from '../use-cases.js'
import { reached } from './reached.js'
import { uploadRoute } from './uploads.js'

const { readRoute, writeRoute } = routesOf<FieldFeature>()

const all = '/api/v1/terrain'
const dossier = `${all}/dossiers/{id}`

/** The same answer, with which the phone keeps its session from now on. */
const renewed = <Result, Body>(
  answers: Answers<Result, Body>,
): Answers<{ readonly device: Result; readonly secret: string | null }, Body> => ({
  ...answers,
  write({ device, secret }) {
    const answer = answers.write(device)
    return secret === null ? answer : { ...answer, headers: [...answer.headers, 'Set-Cookie', phoneIs(secret)] }
  },
})

/** What installers see and do on site: `terrain` reaches these alone, and of each their own visits alone. */
export const fieldRoutes = [
  readRoute({
    path: all,
    name: 'getField',
    summary: 'Read one’s own visits, from 7 days back to 14 ahead',
    description:
      'Those of the installer that the caller is, with their cases. Ask again with `If-None-Match` when the live stream says that ' +
      'something changed. Who holds `admin` and is no installer names one.',
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
      notYet(undrawn, 'It is being drawn: ask again after `Retry-After` seconds.'),
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
    summary: 'Find times at which one can come again',
    permission: 'terrain',
    query: ownSlotsInput,
    answers: ok(() => z.array(slot()), 'Free times of the installer’s own, those with the least added travel first.'),
    failures: ['not_found', 'conflict'],
    handle: ({ sav, params, query, ...caller }) =>
      sav.field.slots(caller.actor.account_id, reached(caller), params.id, query),
  }),
  writeRoute({
    method: 'PUT',
    path: `${all}/appareil`,
    name: 'nameDevice',
    summary: 'Say which phone this is, and how much it has not sent yet',
    description:
      'The session of an installer then lasts until the phone has been silent for 30 days; that of a person with rights of the ' +
      'office ends as before. A phone that the office has ended is answered by 401 with `X-Sav-Device: ended` wherever it ' +
      'calls, and erases what it holds. A key has no session: 409.',
    permission: 'terrain',
    body: deviceInput,
    example: { nom: 'Téléphone de Bruno', en_attente: 0 },
    answers: renewed(ok(deviceShape, 'The phone as the office sees it.')),
    failures: ['not_found', 'conflict'],
    write({ writes, actor, holder, body, request }) {
      const secret = cookieOf(request, sessionCookie)
      return withResult(writes.sessions.nameDevice(actor, holder.session?.id ?? null, body), (device) => ({
        device,
        secret,
      }))
    },
  }),
  uploadRoute,
]
