import {
  closeCaseInput,
  commentInput,
  idOf,
  lazily,
  type Output,
  pieceUsed,
  rdvResultats,
  sha256Form,
  shortText,
  text,
  toInstant,
  writtenInstant,
} from '@sav/core/feature'
import { changeRdvInput } from '@sav/planning/feature'
import * as z from 'zod'
import type { Inputs } from './input-types.gen.js'
import { issue } from './refusals.js'

/** An instant of any year, since a phone's clock may be wrong. */
const claimedInstant = lazily(() => writtenInstant().transform((value) => toInstant(Date.parse(value))))

/** The fields that all reports share. */
const claim = lazily(() => ({
  survenu_a: claimedInstant().describe('When it happened, by the phone’s clock.'),
  decalage_ms: z.int().default(0).describe('By how many milliseconds the phone’s clock is ahead of the service’s.'),
  version: z.int().positive().optional().describe('Number of the version of the appointment that the phone knew.'),
}))

const sha256 = lazily(() => shortText(64).regex(sha256Form, issue('not_a_sha256')))

/** A report that work has begun. */
export const beganInput = lazily(() => z.strictObject(claim()))
/** What `field.began` takes. */
export type BeganInput = Inputs['began']

/** A report that the customer was absent. */
export const missedInput = lazily(() =>
  z.strictObject({ ...claim(), compte_rendu: text({ min: 1, max: 5000 }).optional() }),
)
/** What `field.missed` takes. */
export type MissedInput = Inputs['missed']

/** A report of a delay. */
export const lateInput = lazily(() =>
  z.strictObject({ ...claim(), minutes: z.int().min(0).max(480).describe('The delay in minutes.') }),
)
/** What `field.late` takes. */
export type LateInput = Inputs['late']

/** When a photo was taken. The first `avant` and the first `apres` are those of the close, if there is one. */
const photoMoments = ['avant', 'apres', 'autre'] as const

const closing = lazily(() => {
  const { resolution, signataire_nom, reserves } = closeCaseInput().shape
  return z.strictObject({
    resolution,
    signataire_nom,
    signature: sha256().optional().describe('SHA-256 of the PNG of the signature.'),
    reserves,
    vu: text({ min: 1, max: 20_000 }).optional().describe('The text that the customer was shown before signing.'),
  })
})

/** The work of a visit: one write with everything, including the close if there is one. */
export const interventionInput = lazily(() =>
  z.strictObject({
    ...claim(),
    resultat: z.enum(rdvResultats),
    compte_rendu: text({ min: 1, max: 5000 }).optional(),
    commentaires: z.array(commentInput().shape.texte).max(20).default([]),
    pieces: z.array(pieceUsed()).max(50).default([]),
    photos: z
      .array(z.strictObject({ sha256: sha256(), moment: z.enum(photoMoments) }))
      .max(50)
      .default([])
      .describe('Files that were uploaded before.'),
    prochain: z
      .union([z.strictObject({ jeton: shortText(1000) }), z.strictObject({ souhait: text({ min: 1, max: 500 }) })])
      .optional()
      .describe('The next visit: a slot, or a request to the office.'),
    cloture: closing().optional(),
  }),
)
/** What `field.done` takes. */
export type InterventionInput = Inputs['intervention']
export type InterventionReport = Output<typeof interventionInput>
/** The fields that all reports share. */
export type Claim = Output<typeof beganInput>

/** Takes back a reported absence: the customer was there after all. */
export const takeBackInput = lazily(() => z.strictObject({ statut: changeRdvInput().shape.statut.unwrap() }))
/** What `field.takeBack` takes. */
export type TakeBackInput = Inputs['takeBack']

/** A slot for another visit to the same case. */
export const bookNextInput = lazily(() =>
  z.strictObject({ jeton: shortText(1000), sav_id: idOf('the case of the caller’s visit') }),
)
/** What `field.bookNext` takes. */
export type BookNextInput = Inputs['bookNext']
