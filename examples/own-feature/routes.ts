import { lazily } from '@sav/core/feature'
import { done, type FeatureRoutes, made, ok, routesOf } from '@sav/http-node/feature'
import * as z from 'zod'
import { type TagFeature, tagInput } from './tags.ts'

const { readRoute, writeRoute } = routesOf<TagFeature>()

const ofCase = '/api/v1/sav/{id}/etiquettes'
const names = lazily(() => z.array(z.string()))

const routes = [
  readRoute({
    path: ofCase,
    name: 'listTags',
    summary: 'List the tags of a case',
    permission: 'sav:read',
    answers: ok(names, 'The tags in alphabetical order.'),
    failures: ['case_not_found'],
    handle: ({ sav, actor, params }) => sav.tags.list(actor.account_id, params.id),
  }),
  writeRoute({
    method: 'POST',
    path: ofCase,
    name: 'addTag',
    summary: 'Add a tag to a case',
    permission: 'tags:write',
    body: tagInput,
    example: { nom: 'garantie' },
    answers: made(names, 'All tags of the case.'),
    failures: ['case_not_found', 'conflict'],
    about: (_, { id }) => ({ case_id: id }),
    write: ({ writes, actor, params, body }) => writes.tags.add(actor, params.id, body),
  }),
  writeRoute({
    method: 'DELETE',
    path: `${ofCase}/{nom}`,
    name: 'removeTag',
    summary: 'Remove a tag from a case',
    permission: 'tags:write',
    answers: done('It is gone.'),
    failures: ['case_not_found'],
    write: ({ writes, actor, params: { id, nom } }) => writes.tags.remove(actor, id, { nom }),
  }),
  readRoute({
    path: '/api/v1/etiquettes',
    name: 'listTagged',
    summary: 'List the cases with a tag, newest first',
    permission: 'sav:read',
    query: tagInput,
    answers: ok(() => z.array(z.int()), 'Ids of cases.'),
    handle: ({ sav, actor, query }) => sav.tags.cases(actor.account_id, query),
  }),
]

/** The operations of the feature. */
export const tagRoutes: FeatureRoutes<TagFeature> = { name: 'tags', routes }
