import { type Actor, NotFoundError } from '@sav/core'
import {
  type Comment,
  type CommentInput,
  drawnForCaller,
  found,
  idOf,
  intact,
  lazily,
  parse,
  type Slot,
  type WritesOf,
} from '@sav/core/feature'
import type { ReportRenderer, StoredFile } from '@sav/core/ports'
import type { AdvisedRdvView } from '@sav/planning'
import { planningStore, type SlotOffers, slotsInput } from '@sav/planning/feature'
import * as z from 'zod'
import { type AdditionDeps, bookingNext, commenting, type FieldCaseTarget, takingBack } from './case-additions.js'
import { type FieldDay, fieldDay } from './day.js'
import type { AnsweredRdv } from './fact.js'
import { beginning, delaying, missing } from './facts.js'
import type { Inputs } from './input-types.gen.js'
import type { BeganInput, BookNextInput, InterventionInput, LateInput, MissedInput, TakeBackInput } from './inputs.js'
import { type InterveningDeps, intervening } from './intervening.js'
import { type OwnEvents, ownEvents } from './own-events.js'
import { fieldDays, isOwn, mostVisits, type OwnVisitsDeps, type Reach, refuseOthersCase } from './own-visits.js'
import { conflict } from './refusals.js'
import type { FieldVisitTarget } from './telling.js'
import { receiving, type SentPart, type UploadProgress } from './uploads.js'

/** Times for the next visit of the same installer to the same place. */
export const ownSlotsInput = lazily(() => {
  const { duree, du, au, fenetre, limite } = slotsInput().shape
  return z.strictObject({ duree, du, au, fenetre, limite })
})
/** What `field.slots` takes. */
export type OwnSlotsInput = Inputs['ownSlots']

/** The installer. Default: the caller, if the caller is an installer. */
export const fieldDayInput = lazily(() => z.strictObject({ poseur_id: idOf('the installer').optional() }))
/** What `field.day` takes. */
export type FieldDayInput = Inputs['fieldDay']

/** Whether a thumbnail of at most 40 kB is enough. */
export const fieldFileInput = lazily(() => z.strictObject({ vignette: z.literal('1').optional() }))
/** What `field.file` takes. */
export type FieldFileInput = Inputs['fieldFile']

/** A file of a case. */
export interface CaseFile {
  readonly sav_id: number
  readonly sha256: string
}

/** The use cases of installers on site, for their own visits only. */
export interface Field {
  /**
   * The visits of an installer from 7 days back to 14 ahead, with their cases.
   * @throws NotFoundError, ConflictError when no installer is given
   */
  day(account_id: string, reach: Reach, input: FieldDayInput): Promise<FieldDay>
  /** The future events that an installer may see: those of their visits and cases. */
  events(account_id: string, poseur_id: number): Promise<OwnEvents>
  /** @throws NotFoundError for a case without a visit of the installer on those days */
  refuseOthers(account_id: string, reach: Reach, sav_id: number): Promise<void>
  /**
   * A file of the case of one of the installer's visits. Without a renderer, a thumbnail is the file itself.
   * @throws NotFoundError, DamagedFileError
   */
  file(account_id: string, reach: Reach, file: CaseFile, input?: FieldFileInput): Promise<StoredFile>
  /**
   * The times for another visit, like `planning.slots`. @throws NotFoundError for another installer's visit,
   * ValidationError
   */
  slots(account_id: string, reach: Reach, rdv_id: number, input: OwnSlotsInput): Promise<readonly Slot[]>
  /**
   * Receives a file, or a part of one. The write that refers to the file must follow within 7 days.
   * @throws ValidationError for a file that is too long, not an image, or differs from its name; ConflictError when too
   *   much is waiting
   */
  receive(actor: Actor, part: SentPart): Promise<UploadProgress>
  /** Reports that work has begun at a visit. @throws NotFoundError for another installer's visit, ClientErasedError */
  began(actor: Actor, where: FieldVisitTarget, input: BeganInput): Promise<AnsweredRdv>
  /** Reports that the customer was absent. @throws as `began` */
  missed(actor: Actor, where: FieldVisitTarget, input: MissedInput): Promise<AnsweredRdv>
  /** Reports that the installer is late. @throws as `began` */
  late(actor: Actor, where: FieldVisitTarget, input: LateInput): Promise<AnsweredRdv>
  /** Reports the work done at a visit. @throws as `began`, ConflictError (`file_missing`) for missing files */
  done(actor: Actor, where: FieldVisitTarget, input: InterventionInput): Promise<AnsweredRdv>
  /** Like `cases.comment`, once for each key. @throws CaseNotFoundError for a case of others */
  comment(actor: Actor, adding: FieldCaseTarget, input: CommentInput): Promise<Comment>
  /** Takes back an absence that the caller reported. @throws NotFoundError, ConflictError */
  takeBack(
    actor: Actor,
    where: { readonly rdv_id: number; readonly reach: Reach },
    input: TakeBackInput,
  ): Promise<AdvisedRdvView>
  /**
   * Like `planning.book`, with one of the installer's own slots. @throws CaseNotFoundError, ValidationError,
   * SlotTakenError
   */
  bookNext(actor: Actor, reach: Reach, input: BookNextInput): Promise<AdvisedRdvView>
}

export interface FieldDeps extends OwnVisitsDeps {
  readonly planning: SlotOffers
  readonly reportRenderer: ReportRenderer | null
}

type FieldWrite = 'receive' | 'began' | 'missed' | 'late' | 'done' | 'comment' | 'takeBack' | 'bookNext'

export function fieldQueries(deps: FieldDeps): Omit<Field, FieldWrite> {
  const { reads, planning, reportRenderer } = deps
  return {
    async events(account_id, poseur_id) {
      const { from, until } = await fieldDays(deps, account_id)
      const { items } = await reads
        .of(planningStore)
        .list(account_id, { from, until, poseur_id }, { page: 1, limite: mostVisits })
      return ownEvents(poseur_id, new Set(items.flatMap(({ sav }) => sav?.id ?? [])))
    },
    refuseOthers: (account_id, reach, sav_id) => refuseOthersCase(deps, account_id, { sav_id, reach }),
    async day(account_id, reach, input) {
      const { poseur_id } = { ...parse(fieldDayInput, input), ...(reach !== 'all' && reach) }
      if (poseur_id === undefined) throw conflict('not_own_visit')
      return fieldDay(deps, account_id, poseur_id)
    },
    async file(account_id, reach, { sav_id, sha256 }, input = {}) {
      const { vignette } = parse(fieldFileInput, input)
      await refuseOthersCase(deps, account_id, { sav_id, reach })
      const file = intact(found(await reads.files.find(account_id, sav_id, sha256), 'file', sha256))
      const small = vignette === undefined ? undefined : reportRenderer?.thumbnail?.(file)
      return (small && (await drawnForCaller(small))) ?? file
    },
    async slots(account_id, reach, rdv_id, input) {
      const asked = parse(ownSlotsInput, input)
      const rdv = await reads.of(planningStore).find(account_id, rdv_id)
      if (rdv === null || !isOwn(rdv, reach)) throw new NotFoundError('rdv', rdv_id)
      const poseur_id = reach === 'all' ? rdv.poseur.id : reach.poseur_id
      const place = rdv.sav === null ? placeOf(rdv) : { sav_id: rdv.sav.id }
      return planning.slots(account_id, { ...input, ...place, poseur_id, limite: asked.limite })
    },
  }
}

function placeOf({ lieu, lieu_client }: { readonly lieu: PostalPlace; readonly lieu_client: PostalPlace }) {
  const code_postal = (lieu ?? lieu_client)?.code_postal
  return code_postal ? { code_postal } : {}
}

type PostalPlace = { readonly code_postal: string | null } | null

export type FieldWritesDeps = InterveningDeps & AdditionDeps

export const fieldWrites = (deps: FieldWritesDeps): WritesOf<Field, FieldWrite> => ({
  receive: (actor, part) => receiving(deps, actor, part),
  began: (actor, where, input) => beginning(deps, actor, where, input),
  missed: (actor, where, input) => missing(deps, actor, where, input),
  late: (actor, where, input) => delaying(deps, actor, where, input),
  done: (actor, where, input) => intervening(deps, actor, where, input),
  comment: (actor, adding, input) => commenting(deps, actor, adding, input),
  takeBack: (actor, where, input) => takingBack(deps, actor, where, input),
  bookNext: (actor, reach, input) => bookingNext(deps, actor, reach, input),
})
