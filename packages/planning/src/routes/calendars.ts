import { examples, lazily } from '@sav/core/feature'
import { bytes, made, Refusal, refuseBeyond, routesOf, withResult } from '@sav/http-node/feature'
import * as z from 'zod'
import { calendarPermissions } from '../calendars/calendars.js'
import { icalOf } from '../ical/ical.js'
import type { PlanningFeature } from '../planning.js'

const { publicRoute, writeRoute } = routesOf<PlanningFeature>()

const address = lazily(() =>
  z
    .object({
      url: z.string().meta({
        description:
          'The address for a calendar program: absolute if the service knows its own address, else a path. Only this answer contains it.',
      }),
    })
    .meta({ examples: [{ url: `https://sav.example/calendriers/${examples.calendar}` }] }),
)

const renewal =
  'Anyone who knows the address can see the calendar, until the key or user that made it loses the permission. Each ' +
  'call makes a new address, and the previous one of the same caller stops working.'

/** Puts the base of the API before an address that is only a path. */
const under =
  (base: string) =>
  ({ url }: { readonly url: string }) => ({ url: url.startsWith('/') ? `${base}${url}` : url })

/** Calendars for other programs, and their addresses. */
export const calendarRoutes = [
  writeRoute({
    method: 'POST',
    path: '/v1/planning/calendrier',
    name: 'renewCalendar',
    summary: 'Make a new address for the calendar of the whole account',
    description: renewal,
    permission: calendarPermissions,
    secret: true,
    answers: made(address, 'The address; the caller’s previous one has ended.'),
    write: ({ writes, actor, base }) => withResult(writes.calendars.renew(actor, {}), under(base)),
  }),
  writeRoute({
    method: 'POST',
    path: '/v1/planning/poseurs/{id}/calendrier',
    name: 'renewPoseurCalendar',
    summary: 'Make a new address for an installer’s calendar',
    description: renewal,
    permission: calendarPermissions,
    secret: true,
    answers: made(address, 'The address; the caller’s previous one has ended.'),
    failures: ['not_found', 'conflict'],
    write: ({ writes, actor, params, base }) =>
      withResult(writes.calendars.renew(actor, { poseur_id: params.id }), under(base)),
  }),
  publicRoute({
    path: '/calendriers/{calendar}',
    name: 'getCalendar',
    summary: 'Read a calendar by its secret address',
    description:
      'iCalendar: appointments of the last 30 days and all future ones; cancelled ones stay for 30 days. ' +
      'An address that no longer works gets the same answer as one that never existed.',
    answers: bytes(['text/calendar'], 'The calendar.'),
    failures: ['not_found', 'too_many_requests', 'unavailable'],
    async handle({ sav, ip, params }) {
      refuseBeyond(sav.limits.publicLook(ip))
      const shown = await sav.calendars.find(params.calendar)
      if (shown === null) throw new Refusal('not_found')
      return {
        media_type: 'text/calendar; charset=utf-8',
        content: icalOf(shown),
        cache: 'private, no-cache',
        headers: ['Referrer-Policy', 'no-referrer', 'X-Robots-Tag', 'noindex'],
      }
    },
  }),
]
