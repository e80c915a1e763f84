import { inputs, shapes } from '@sav/core/internal'
import * as z from 'zod'
import { created, done, made, ok, orSignedOut } from '../declaration/answers.js'
import { readRoute, withResult, writeRoute } from '../declaration/declare.js'

const all = '/api/v1/utilisateurs'
const one = `${all}/{user}`
const itsSessions = `${one}/sessions`

/** People who work with the console. */
export const userRoutes = [
  readRoute({
    path: all,
    name: 'listUsers',
    summary: 'List people, by name',
    permission: 'admin',
    answers: ok(() => z.array(shapes.user()), 'The people, disabled ones too.'),
    handle: ({ sav, actor }) => sav.users.list(actor.account_id),
  }),
  writeRoute({
    method: 'POST',
    path: all,
    name: 'addUser',
    summary: 'Add somebody',
    description: 'They sign in by an invitation first.',
    permission: 'admin',
    body: inputs.addUser,
    example: { nom: 'Claire Petit', email: 'claire@cuisines-petit.example', role: 'gestion' },
    answers: created(shapes.user, 'They are there.', all),
    failures: ['conflict'],
    write: ({ writes, actor, body }) => writes.users.add(actor, body),
  }),
  readRoute({
    path: one,
    name: 'getUser',
    summary: 'Read one',
    permission: 'admin',
    answers: ok(shapes.user, 'The person.'),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.users.get(actor.account_id, params.user),
  }),
  writeRoute({
    method: 'PUT',
    path: one,
    name: 'updateUser',
    summary: 'Change somebody',
    description: 'Replaces the fields that are given. Who is disabled is signed out everywhere within a second.',
    permission: 'admin',
    body: inputs.updateUser,
    example: { role: 'lecture' },
    answers: orSignedOut(ok(shapes.user, 'As they are now.')),
    failures: ['not_found', 'conflict'],
    write: ({ writes, actor, holder, params, body }) =>
      withResult(writes.users.update(actor, params.user, body), (result) => ({
        result,
        isOwn: holder.session !== null && result.id === holder.id && !result.actif,
      })),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/inviter`,
    name: 'inviteUser',
    summary: 'Send or make a link that signs somebody in once',
    description:
      'For 15 minutes; earlier links end with it. By e-mail where the service has a mail server and a public address, in which ' +
      'case the 15 minutes begin when it is sent; else, or with `canal` `lien`, the answer has it.',
    permission: 'admin',
    body: inputs.invite,
    bodyIsOptional: true,
    example: { canal: 'lien' },
    secret: true,
    answers: made(shapes.invitation, 'Where it goes; or the link, and this is the only time that it is shown.'),
    failures: ['not_found', 'conflict'],
    write: ({ writes, actor, params, body }) => writes.users.invite(actor, params.user, body),
  }),
  readRoute({
    path: itsSessions,
    name: 'listSessions',
    summary: 'List where a person is signed in, newest first',
    permission: 'admin',
    answers: ok(() => z.array(shapes.session()), 'Those that have not ended.'),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.sessions.list(actor.account_id, params.user),
  }),
  writeRoute({
    method: 'DELETE',
    path: itsSessions,
    name: 'endSessions',
    summary: 'Sign somebody out everywhere',
    description: 'Within a second.',
    permission: 'admin',
    answers: orSignedOut(
      ok(
        () => z.object({ terminees: shapes.count('How many ended.') }).meta({ examples: [{ terminees: 2 }] }),
        'How many ended.',
      ),
    ),
    failures: ['not_found'],
    write: ({ writes, actor, holder, params }) =>
      withResult(writes.sessions.endAll(actor, params.user), (result) => ({
        result,
        isOwn: holder.session !== null && params.user === holder.id,
      })),
  }),
  writeRoute({
    method: 'DELETE',
    path: `${itsSessions}/{session}`,
    name: 'endSession',
    summary: 'Sign somebody out of one device',
    description: 'Within a second.',
    permission: 'admin',
    answers: orSignedOut(done('It has ended.')),
    failures: ['not_found'],
    write: ({ writes, actor, holder, params }) =>
      withResult(writes.sessions.end(actor, params.user, params.session), (result) => ({
        result,
        isOwn: params.session === holder.session?.id,
      })),
  }),
  readRoute({
    path: `${one}/appareils`,
    name: 'listDevices',
    summary: 'List the phones that somebody uses in the field',
    permission: 'admin',
    answers: ok(() => z.array(shapes.device()), 'The newest first, with what each has not sent yet.'),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.sessions.devices(actor.account_id, params.user),
  }),
  writeRoute({
    method: 'DELETE',
    path: `${one}/appareils/{appareil}`,
    name: 'endDevice',
    summary: 'End a phone',
    description:
      'It is signed out within a second, and wipes what it holds at its next contact: what it had not sent is lost.',
    permission: 'admin',
    answers: orSignedOut(done('It has ended.')),
    failures: ['not_found'],
    write: ({ writes, actor, holder, params }) =>
      withResult(writes.sessions.end(actor, params.user, params.appareil), (result) => ({
        result,
        isOwn: params.appareil === holder.session?.id,
      })),
  }),
]
