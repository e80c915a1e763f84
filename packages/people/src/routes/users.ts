import { count } from '@sav/core/feature'
import { created, done, made, ok, orSignedOut, routesOf, withResult } from '@sav/http-node/feature'
import * as z from 'zod'
import type { PeopleFeature } from '../people.js'
import { sessionShape } from '../sessions/session.js'
import { invitationShape, inviteInput } from '../users/invitations.js'
import { addUserInput, updateUserInput, userShape } from '../users/user.js'

const { readRoute, writeRoute } = routesOf<PeopleFeature>()

const all = '/api/v1/utilisateurs'
const one = `${all}/{user}`
const itsSessions = `${one}/sessions`

/** Users of the console. */
export const userRoutes = [
  readRoute({
    path: all,
    name: 'listUsers',
    summary: 'List people, by name',
    permission: 'admin',
    answers: ok(() => z.array(userShape()), 'All people, including disabled ones.'),
    handle: ({ sav, actor }) => sav.users.list(actor.account_id),
  }),
  writeRoute({
    method: 'POST',
    path: all,
    name: 'addUser',
    summary: 'Add a person',
    description: 'They first sign in with an invitation.',
    permission: 'admin',
    body: addUserInput,
    example: { nom: 'Claire Petit', email: 'claire@cuisines-petit.example', role: 'gestion' },
    answers: created(userShape, 'The added person.', all),
    failures: ['conflict'],
    write: ({ writes, actor, body }) => writes.users.add(actor, body),
  }),
  readRoute({
    path: one,
    name: 'getUser',
    summary: 'Read a person',
    permission: 'admin',
    answers: ok(userShape, 'The person.'),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.users.get(actor.account_id, params.user),
  }),
  writeRoute({
    method: 'PUT',
    path: one,
    name: 'updateUser',
    summary: 'Change a person',
    description: 'Replaces the fields that are given. Disabling a user ends all sessions within a second.',
    permission: 'admin',
    body: updateUserInput,
    example: { role: 'lecture' },
    answers: orSignedOut(ok(userShape, 'The changed person.')),
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
    summary: 'Send or make a link that signs a person in once',
    description:
      'The link works for 15 minutes, and earlier links become invalid. If the service has a mail server and a ' +
      'public address, the link is sent by e-mail, and its 15 minutes begin when it is sent. Otherwise, or with ' +
      '`canal` `lien`, the answer contains the link.',
    permission: 'admin',
    body: inviteInput,
    bodyIsOptional: true,
    example: { canal: 'lien' },
    secret: true,
    answers: made(invitationShape, 'Where the link is sent, or the link itself, which is shown only this once.'),
    failures: ['not_found', 'conflict'],
    write: ({ writes, actor, params, body }) => writes.users.invite(actor, params.user, body),
  }),
  readRoute({
    path: itsSessions,
    name: 'listSessions',
    summary: 'List a person’s sessions, newest first',
    permission: 'admin',
    answers: ok(() => z.array(sessionShape()), 'The sessions that have not ended.'),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.sessions.list(actor.account_id, params.user),
  }),
  writeRoute({
    method: 'DELETE',
    path: itsSessions,
    name: 'endSessions',
    summary: 'End all sessions of a person',
    description: 'Takes effect within a second.',
    permission: 'admin',
    answers: orSignedOut(
      ok(
        () => z.object({ terminees: count('How many ended.') }).meta({ examples: [{ terminees: 2 }] }),
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
    summary: 'End one session of a person',
    description: 'Takes effect within a second.',
    permission: 'admin',
    answers: orSignedOut(done('It has ended.')),
    failures: ['not_found'],
    write: ({ writes, actor, holder, params }) =>
      withResult(writes.sessions.end(actor, params.user, params.session), (result) => ({
        result,
        isOwn: params.session === holder.session?.id,
      })),
  }),
]
