import {
  type Answers,
  cookieOf,
  done,
  ok,
  orSignedOut,
  phoneIs,
  routesOf,
  sessionCookie,
  withResult,
} from '@sav/http-node/feature'
import * as z from 'zod'
import type { PeopleFeature } from '../people.js'
import { deviceInput, deviceShape } from '../sessions/session.js'

const { readRoute, writeRoute } = routesOf<PeopleFeature>()

const all = '/api/v1/utilisateurs/{user}/appareils'

/** The same answer; the phone also gets a cookie that lasts longer. */
const renewed = <Result, Body>(
  answers: Answers<Result, Body>,
): Answers<{ readonly device: Result; readonly secret: string | null }, Body> => ({
  ...answers,
  write({ device, secret }) {
    const answer = answers.write(device)
    return secret === null ? answer : { ...answer, headers: [...answer.headers, 'Set-Cookie', phoneIs(secret)] }
  },
})

/** Installers' phones. */
export const deviceRoutes = [
  readRoute({
    path: all,
    name: 'listDevices',
    summary: 'List a person’s phones in the field',
    permission: 'admin',
    answers: ok(() => z.array(deviceShape()), 'The phones, newest first, with the number of unsent writes of each.'),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.sessions.devices(actor.account_id, params.user),
  }),
  writeRoute({
    method: 'DELETE',
    path: `${all}/{appareil}`,
    name: 'endDevice',
    summary: 'Sign a phone out, and erase its data',
    description: 'It is signed out within a second, and erases its data at its next contact. Unsent work is lost.',
    permission: 'admin',
    answers: orSignedOut(done('It has ended.')),
    failures: ['not_found'],
    write: ({ writes, actor, holder, params }) =>
      withResult(writes.sessions.end(actor, params.user, params.appareil), (result) => ({
        result,
        isOwn: params.appareil === holder.session?.id,
      })),
  }),
  writeRoute({
    method: 'PUT',
    path: '/api/v1/terrain/appareil',
    name: 'nameDevice',
    summary: 'Report the name of this phone, and how much it has not sent yet',
    description:
      'An installer’s session then lasts until the phone has been silent for 30 days. A session with permissions ' +
      'of the office ends as before. A phone that the office has signed out gets 401 with `X-Sav-Device: ended` from ' +
      'every call, and erases its data. A key has no session, and gets 409.',
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
]
