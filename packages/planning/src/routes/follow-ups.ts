import { ok, routesOf } from '@sav/http-node/feature'
import * as z from 'zod'
import { doneFollowUpShape, followUpShape } from '../follow-ups/follow-up.js'
import type { PlanningFeature } from '../planning.js'

const { readRoute, writeRoute } = routesOf<PlanningFeature>()

const path = '/api/v1/a-traiter'

/** The office's follow-ups. */
export const followUpRoutes = [
  readRoute({
    path,
    name: 'listFollowUps',
    summary: 'List follow-ups, newest first',
    description:
      'A follow-up stays until it is marked as done or its cause is gone: the case is booked again, the report is ' +
      'delivered, or the receiver answers. ' +
      'Receivers are listed only for callers who may read webhooks (`webhooks:read`).',
    permission: 'sav:read',
    answers: ok(() => z.array(followUpShape()), 'Follow-ups of the newest 200 events and 200 undelivered reports.'),
    handle: ({ sav, actor, may }) => sav.followUps.list(actor.account_id, { receivers: may('webhooks:read') }),
  }),
  writeRoute({
    method: 'POST',
    path: `${path}/{followUp}/fait`,
    name: 'doneFollowUp',
    summary: 'Mark a follow-up as done',
    description: 'The first person to do so is recorded.',
    permission: 'sav:write',
    answers: ok(doneFollowUpShape, 'The person who marked it as done, and the time.'),
    failures: ['not_found'],
    write: ({ writes, actor, params, may }) =>
      writes.followUps.done(actor, params.followUp, { receivers: may('webhooks:read') }),
  }),
]
