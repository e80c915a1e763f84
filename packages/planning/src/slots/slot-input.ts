import {
  calendarDate,
  idOf,
  integerAmong,
  lazily,
  type Output,
  pageFields,
  shortText,
  typesProbleme,
} from '@sav/core/feature'
import * as z from 'zod'
import type { Inputs } from '../input-types.gen.js'
import { issue } from '../refusals.js'
import { minutesOf } from '../working-time/hours.js'

/** Steps that divide the hour, or the day. */
const steps: readonly number[] = [5, 10, 15, 20, 30, 60, 120, 240]

const window = lazily(() =>
  shortText(11)
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d-(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, {
      error: issue('not_a_span_of_day'),
      abort: true,
    })
    .refine((text) => text.slice(0, 5) < text.slice(6), { message: issue('span_ends_before_start') })
    .transform((text) => ({ debut: minutesOf(text.slice(0, 5)), fin: minutesOf(text.slice(6)) })),
)

/** The visit to fit in. Its place is that of a case, a postal code, or coordinates; it is optional. */
export const slotsInput = lazily(() =>
  z
    .strictObject({
      duree: z.int().min(1).max(720).describe('How long the visit takes, in minutes.'),
      sav_id: idOf('the case').optional(),
      code_postal: shortText(10).optional(),
      ville: shortText(100).optional(),
      lat: z.number().min(-90).max(90).optional().describe('Degrees north, WGS 84.'),
      lon: z.number().min(-180).max(180).optional().describe('Degrees east, WGS 84.'),
      type_probleme: z.enum(typesProbleme).optional(),
      du: calendarDate().optional().describe('The first local day. Default: today.'),
      au: calendarDate().optional().describe('The last local day. Default: two weeks.'),
      poseur_id: idOf('the installer').optional(),
      pas: integerAmong(steps).optional().meta({
        // The default grid.
        default: 15,
        description: "Slots begin at multiples of this many minutes on the wall clock. Default: the account's `pas`.",
      }),
      tampon: z.int().min(0).max(240).default(0).describe('Minutes to keep free around the visit, besides travel.'),
      delai_min: z
        .int()
        .min(0)
        .max(132_480)
        .default(0)
        .describe('No slot begins within this many minutes from now; at most 92 days.'),
      fenetre: window().optional().describe('Hours of the local day, `08:00-12:00`, for the whole visit.'),
      limite: pageFields().limite,
    })
    .refine(({ lat, lon }) => (lat === undefined) === (lon === undefined), {
      path: ['lon'],
      message: issue('coordinates_incomplete'),
    })
    .refine(
      ({ sav_id, code_postal, ville, lat }) =>
        sav_id === undefined || [code_postal, ville, lat].every((each) => each === undefined),
      {
        path: ['sav_id'],
        message: issue('place_named_by_case'),
      },
    ),
)
/** What `planning.slots` takes. */
export type SlotsInput = Inputs['slots']
export type SlotsQuestion = Output<typeof slotsInput>
