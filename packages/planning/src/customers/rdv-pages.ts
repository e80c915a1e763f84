import { type Actor, ClientErasedError, NotFoundError, ValidationError, type Write } from '@sav/core'
import {
  dayMs,
  filled,
  found,
  isSecret,
  knownName,
  lazily,
  line,
  logoOf,
  nowhere,
  type Output,
  parse,
  placeLine,
  preparedWrite,
  type Reads,
  type Slot,
  sha256Of,
  text,
  toMs,
  type WritesOf,
} from '@sav/core/feature'
import type { Clock, StoredFile } from '@sav/core/ports'
import * as z from 'zod'
import type { PlanningAdvice } from '../appointments/advice.js'
import { isAwaited } from '../appointments/customer-letters.js'
import type { ChangeRdvInput } from '../appointments/inputs.js'
import { ownTexts } from '../appointments/own-texts.js'
import { planningStore } from '../appointments/planning-store.js'
import { durationMinutes, type Interval, placeOf, type Rdv } from '../appointments/rdv.js'
import type { Inputs } from '../input-types.gen.js'
import { conflict, fieldProblem } from '../refusals.js'
import { slotToken } from '../slots/slot-token.js'
import type { Planning } from '../use-cases.js'
import { firstName } from './rdv-letter.js'
import { rdvPageStore } from './rdv-page-store.js'

/** A customer may move or cancel an appointment until this long before it. */
const changeableMs = dayMs

const version = lazily(() => z.int().positive().describe('Number of the appointment’s version that the page shows.'))

/** `version` is the version that the page shows, so that customers answer only to what they have seen. */
export const rdvAnswerInput = lazily(() =>
  z.discriminatedUnion('action', [
    z.strictObject({ action: z.literal('confirmer'), version: version() }),
    z.strictObject({ action: z.literal('deplacer'), version: version(), jeton: slotToken() }),
    z.strictObject({ action: z.literal('annuler'), version: version(), motif: text({ max: 300 }).default('') }),
    z.strictObject({ action: z.literal('acces'), acces: line({ min: 1, max: 200 }) }),
  ]),
)
/** What `rdvPages.answer` takes. */
export type RdvAnswerInput = Inputs['rdvAnswer']
type RdvAnswer = Output<typeof rdvAnswerInput>

/** An appointment as its customer may see it. */
export interface RdvPageView extends Interval {
  readonly statut: 'planifie' | 'confirme' | 'en_cours' | 'annule'
  readonly fenetre_client: Interval | null
  /** IANA name of the time zone in which it was agreed. */
  readonly fuseau: string
  /** The place in one line. */
  readonly lieu: string | null
  /**
   * The end of the access text, by which the customer recognises it: its last two characters if it has six or more and
   * they are part of a code, otherwise empty. Null if the text is unknown. Never all of it, since a letter with the
   * link may be forwarded.
   */
  readonly acces_fin: string | null
  readonly societe: {
    readonly nom: string | null
    readonly telephone: string | null
    readonly email: string | null
    readonly logo: StoredFile | null
    /** `#rrggbb`. */
    readonly couleur: string
  }
  /** Only the first name. */
  readonly poseur: string
  readonly version: number
  /** Whether it can still be confirmed. */
  readonly confirmable: boolean
  /** Whether it can still be moved or cancelled: it is expected, and at least 24 hours away. */
  readonly changeable: boolean
  /** At most three other times, each with its token; empty if it can no longer be moved. */
  readonly autres: readonly Pick<Slot, 'debut' | 'fin' | 'jeton'>[]
}

/**
 * The pages where customers answer, each behind the secret in a letter: anyone with the secret counts as the customer.
 * A page ends when its appointment is done or missed, and when the customer is erased.
 */
export interface RdvPages {
  /** The page behind a secret; null if the secret is unknown, or the page has ended. */
  find(secret: string): Promise<RdvPageView | null>
  /**
   * Does what the customer chose. Another time is confirmed at once. A text about the access is stored with the
   * appointment's place, or with the client's if it has none.
   * @throws NotFoundError if `find` returns null, ValidationError, ConflictError when it is too late or no longer
   *   expected, VersionMismatchError when it changed since the page was shown, SlotTakenError
   */
  answer(secret: string, input: RdvAnswerInput): Promise<{ readonly account_id: string }>
}

interface PagesDeps {
  readonly reads: Reads
  readonly clock: Pick<Clock, 'now'>
  readonly advice: PlanningAdvice
}

export function rdvPageQueries({ reads, clock, advice }: PagesDeps): Pick<RdvPages, 'find'> {
  return {
    async find(secret) {
      const now = clock.now()
      const rdv = await rdvOf(reads, secret, now)
      if (rdv === null) return null
      const { account_id, debut, fin, fenetre_client, fuseau, version, poseur } = rdv
      const account = found(await reads.accounts.find(account_id), 'account', account_id)
      const { telephone, email, couleur } = account
      const logo = await logoOf(reads, account_id, account.logo)
      const lieu = placeOf(rdv)
      const changeable = isChangeable(rdv, now)
      const autres = changeable ? await advice.otherTimes(reads, rdv, now + changeableMs) : []
      return {
        statut: rdv.statut,
        debut,
        fin,
        fenetre_client,
        fuseau,
        lieu: lieu && placeLine(lieu),
        acces_fin: endOf(lieu?.acces ?? null),
        societe: { nom: knownName({ ...account, account: account_id }), telephone, email, logo, couleur },
        poseur: firstName(poseur.nom),
        version,
        confirmable: rdv.statut === 'planifie' && toMs(debut) > now,
        changeable,
        autres: autres.map(({ debut, fin, jeton }) => ({ debut, fin, jeton })),
      }
    },
  }
}

export function rdvPageWrites({
  planning,
  ...deps
}: PagesDeps & { readonly planning: WritesOf<Planning, 'change'> }): WritesOf<RdvPages, 'answer'> {
  const { reads, clock } = deps
  return {
    answer(secret, input) {
      return preparedWrite({
        async prepare() {
          const rdv = await rdvOf(reads, secret, clock.now())
          if (rdv === null) throw new NotFoundError('page', 'of an appointment')
          const answer = parse(rdvAnswerInput, input)
          const { account_id, client } = rdv
          // The actor does not have the name of the customer, which would remain in the history after an erasure.
          const actor: Actor = { account_id, type: 'client', id: String(client.id), nom: 'client' }
          const change = changeFor(rdv, answer, deps)
          const ifVersion = answer.action === 'acces' ? undefined : [answer.version]
          const write = 'write' in change ? change : planning.change(actor, rdv.id, change, ifVersion)
          return { rdv, write, given: await write.prepare?.() }
        },
        async write(tx, { rdv: { account_id }, write, given }) {
          await write.write(tx, given)
          return { account_id }
        },
      })
    },
  }
}

const endOf = (acces: string | null) => acces && (acces.length < 6 || !/\d\w?$/.test(acces) ? '' : acces.slice(-2))

type ShownRdv = Rdv & { readonly statut: RdvPageView['statut'] }

const isShown = (rdv: Rdv): rdv is ShownRdv => isAwaited(rdv) || rdv.statut === 'en_cours' || rdv.statut === 'annule'

async function rdvOf(reads: Reads, secret: string, now: number): Promise<ShownRdv | null> {
  const page = isSecret('rdvPage', secret) ? await reads.of(rdvPageStore).find(sha256Of(secret)) : null
  const rdv = page && (await reads.of(planningStore).find(page.account_id, page.rdv_id))
  return rdv !== null && isShown(rdv) && toMs(rdv.fin) > now ? rdv : null
}

const isChangeable = (rdv: Rdv, now: number) => isAwaited(rdv) && toMs(rdv.debut) - now >= changeableMs

const nothing: Write<unknown> = { write: async () => undefined }

/** The change of the appointment for an answer, or another action. @throws ConflictError, ValidationError */
function changeFor(
  rdv: ShownRdv,
  answer: RdvAnswer,
  { clock, advice }: Pick<PagesDeps, 'clock' | 'advice'>,
): ChangeRdvInput | Write<unknown> {
  const now = clock.now()
  if (answer.action === 'acces') {
    if (rdv.statut === 'annule') throw conflict('rdv_cancelled', { id: rdv.id })
    const { acces } = answer
    return rdv.lieu === null ? accessWrite(rdv, acces) : { lieu: { ...rdv.lieu, acces } }
  }
  if (answer.action === 'confirmer') {
    if (rdv.statut === 'confirme') return nothing
    if (toMs(rdv.debut) <= now) throw conflict('rdv_begun', { id: rdv.id, debut: rdv.debut })
    return { statut: 'confirme' }
  }
  if (answer.action === 'annuler' && rdv.statut === 'annule') return nothing
  if (!isChangeable(rdv, now)) throw conflict('rdv_fixed', { id: rdv.id, statut: rdv.statut, debut: rdv.debut })
  if (answer.action === 'annuler') {
    const { motif } = answer
    const motif_annulation = motif === '' ? ownTexts.cancelled : filled(ownTexts.cancelledFor, { motif })
    return { statut: 'annule', motif_annulation }
  }
  const { poseur_id, ...time } = advice.openSlot(rdv.account_id, answer.jeton)
  const isForIt = poseur_id === rdv.poseur.id && durationMinutes(time) === durationMinutes(rdv)
  if (!isForIt || toMs(time.debut) - now < changeableMs)
    throw new ValidationError([fieldProblem('jeton', 'slot_token_unfit')])
  return { ...time, statut: 'confirme' }
}

/** Stores the text about the access with the client's own place. */
const accessWrite = ({ account_id, client: { id } }: Rdv, acces: string): Write<unknown> => ({
  async write(tx) {
    const { lieu, efface_le } = found(await tx.directory.findClient(account_id, id), 'client', id)
    if (efface_le !== null) throw new ClientErasedError(id, 'write nothing about that person.')
    await tx.directory.updateClient(account_id, id, { lieu: { ...(lieu ?? nowhere), acces } })
  },
})
