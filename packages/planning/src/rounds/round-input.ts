import {
  calendarDate,
  count,
  idOf,
  instant,
  lazily,
  line,
  named,
  type Output,
  type Shape,
  version,
} from '@sav/core/feature'
import * as z from 'zod'
import { prevenir, instant as rdvInstant } from '../appointments/inputs.js'
import type { Inputs } from '../input-types.gen.js'
import { issue } from '../refusals.js'
import { noteShape } from '../travel/note-shape.js'

/** The local day, `YYYY-MM-DD`, of the rounds. */
export const roundsInput = lazily(() => z.strictObject({ date: calendarDate() }))
/** What `planning.rounds` takes. */
export type RoundsInput = Inputs['rounds']

/** The version of a plan, which contains all of its visits: up to 500 characters each. */
const planVersion = lazily(() => line({ min: 1, max: 1_000_000 }))

/**
 * A request for a preview of a local day for at most 50 poseurs, or for its application. An application requires
 * `version`.
 */
export const optimiseInput = lazily(() =>
  z
    .strictObject({
      date: calendarDate(),
      poseur_ids: z.array(idOf('the installer')).min(1).max(50).optional().describe('Default: all active installers.'),
      mode: z.enum(['apercu', 'appliquer']),
      version: planVersion().optional().describe('The version of the preview.'),
      prevenir: prevenir(),
    })
    .refine(({ mode, version }) => mode === 'apercu' || version !== undefined, {
      path: ['version'],
      message: issue('preview_required'),
    }),
)
/** What `planning.optimise` takes. */
export type OptimiseInput = Inputs['optimise']

const date = lazily(() => z.iso.date())
const point = lazily(() =>
  z
    .object({ lat: z.number().describe('Degrees north, WGS 84.'), lon: z.number().describe('Degrees east, WGS 84.') })
    .nullable()
    .describe('The point used to compute travel: the place’s coordinates, or else those of its postal code.'),
)
const tourneeExample = {
  poseur_id: 3,
  depart: { lat: 45.76, lon: 4.85 },
  visites: [
    {
      rdv_id: 5,
      debut: '2026-03-16T07:14:00.000Z',
      fin: '2026-03-16T09:14:00.000Z',
      trajet_avant_minutes: 14,
      point: { lat: 45.75, lon: 4.83 },
    },
  ],
}
const tournee = named(
  'Round',
  () =>
    z.object({
      poseur_id: idOf('the installer'),
      depart: point(),
      visites: z.array(
        z.object({
          rdv_id: idOf('the appointment'),
          debut: instant(),
          fin: instant(),
          trajet_avant_minutes: count('Minutes of travel from the previous visit, rounded up.'),
          point: point(),
        }),
      ),
    }),
  tourneeExample,
)
/** One poseur's visits of a day, in order. `depart` is the place where the day begins. */
export type RoundView = Shape<typeof tournee>

const avertissements = lazily(() => z.array(noteShape()))
const minutes = lazily(() =>
  z.number().nonnegative().describe('Minutes of travel: between visits, from the start place, and to the end place.'),
)
const kilometres = lazily(() => z.number().nonnegative().describe('Kilometres of the same travel, rounded to a tenth.'))

export const dayRoundsShape = named(
  'DayRounds',
  () =>
    z.object({
      date: date(),
      minutes: minutes(),
      kilometres: kilometres(),
      tournees: z.array(tournee()),
      avertissements: avertissements(),
    }),
  { date: '2026-03-16', minutes: 28, kilometres: 12.4, tournees: [tourneeExample], avertissements: [] },
)
/**
 * The current rounds of a day. Minutes and kilometres count only travel, including from the start place and to the end
 * place.
 */
export type DayRounds = Shape<typeof dayRoundsShape>

export const optimisedRoundsShape = named(
  'OptimisedRounds',
  () =>
    z.object({
      date: date(),
      minutes_avant: minutes(),
      minutes_apres: minutes(),
      kilometres_avant: kilometres(),
      kilometres_apres: kilometres(),
      tournees: z.array(tournee()),
      deplacements: z
        .array(
          z.object({
            rdv_id: idOf('the appointment'),
            debut: instant(),
            poseur_id: idOf('the installer'),
            ancien_debut: instant(),
            ancien_poseur_id: idOf('the installer'),
          }),
        )
        .describe('The visits to move, each with its previous time and installer.'),
      avertissements: avertissements(),
      lettres: count('How many letters are sent when the plan is applied, if nothing changes until then.'),
      version: z
        .string()
        .describe(
          'The version of a preview applies exactly this plan, as long as the day has not changed. The version of an applied plan undoes it (`tournees/annuler`) within 24 hours.',
        ),
    }),
  {
    date: '2026-03-16',
    minutes_avant: 41,
    minutes_apres: 28,
    kilometres_avant: 21.7,
    kilometres_apres: 12.4,
    tournees: [tourneeExample],
    deplacements: [
      {
        rdv_id: 5,
        debut: '2026-03-16T07:14:00.000Z',
        poseur_id: 3,
        ancien_debut: '2026-03-16T08:00:00.000Z',
        ancien_poseur_id: 3,
      },
    ],
    avertissements: [],
    lettres: 1,
    version: 't1.4bb06f8e4e3a7715.eyJkYXRlIjoi.kBx3y1t6',
  },
)
/**
 * A day's planned rounds, beside the current ones. Minutes and kilometres count only travel. Minutes are whole and
 * rounded up, kilometres are rounded to a tenth. A preview and its application give the same answer.
 */
export type OptimisedRounds = Shape<typeof optimisedRoundsShape>

/** 1 to 100 different appointments, each with its new time and person, and the teammates to remove. */
export const replaceInput = lazily(() =>
  z.strictObject({
    deplacements: z
      .array(
        z.strictObject({
          rdv_id: idOf('the appointment'),
          debut: rdvInstant(),
          poseur_id: idOf('the installer'),
          sans: z
            .array(idOf('the teammate to remove'))
            .max(10)
            .optional()
            .describe('The teammates to remove. Default: none.'),
        }),
      )
      .min(1)
      .max(100)
      .refine((moves) => new Set(moves.map(({ rdv_id }) => rdv_id)).size === moves.length, {
        message: issue('rdv_named_twice'),
      }),
    prevenir: prevenir(),
  }),
)
/** What `planning.replace` takes. */
export type ReplaceInput = Inputs['replace']
export type Replacement = Output<typeof replaceInput>['deplacements'][number]

/** The version that applying the rounds returned, and whether customers get letters. */
export const undoInput = lazily(() =>
  z.strictObject({
    version: planVersion().describe('The version from the answer that applied the change.'),
    prevenir: prevenir(),
  }),
)
/** What `planning.undo` takes. */
export type UndoInput = Inputs['undo']

const placed = lazily(() =>
  z.array(
    z.object({
      id: idOf('the appointment'),
      debut: instant(),
      fin: instant(),
      poseur: z.object({ id: idOf('the installer') }),
      version: version(),
    }),
  ),
)
const placedExample = [
  { id: 5, debut: '2026-03-16T08:00:00.000Z', fin: '2026-03-16T10:00:00.000Z', poseur: { id: 3 }, version: 3 },
]

export const replacedShape = named(
  'ReplacedRdv',
  () =>
    z.object({
      rdv: placed(),
      version: z.string().describe('To undo this change within 24 hours, send it to `tournees/annuler`.'),
    }),
  { rdv: placedExample, version: 'u1.4bb06f8e4e3a7715.eyJhdCI6MTc.kBx3y1t6' },
)
/** The resulting appointments. They contain no names, since answers are stored for repeated requests. */
export type ReplacedRdv = Shape<typeof replacedShape>

export const undoneShape = named('UndoneRounds', () => z.object({ rdv: placed() }), { rdv: placedExample })
/** Appointments that were moved back. They contain no names, since answers are stored for repeated requests. */
export type UndoneRounds = Shape<typeof undoneShape>
