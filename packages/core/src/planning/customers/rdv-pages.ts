import * as z from 'zod'
import type { Actor } from '../../access/actor.js'
import { nowhere, placeLine } from '../../directory/lieu.js'
import {
  ClientErasedError,
  conflict,
  fieldProblem,
  found,
  NotFoundError,
  type Slot,
  ValidationError,
} from '../../errors.js'
import { knownName } from '../../letters/letter.js'
import { sha256Of } from '../../node-crypto.js'
import type { Reads } from '../../storage.js'
import type { Clock } from '../../time/clock.js'
import { toMs } from '../../time/time.js'
import { type Input, lazily, type Output } from '../../values/lazily.js'
import { line, parse, text } from '../../values/validation.js'
import { preparedWrite, type Write, type WritesOf } from '../../write.js'
import type { PlanningAdvice } from '../appointments/advice.js'
import { isAwaited } from '../appointments/customer-letters.js'
import type { ChangeRdvInput } from '../appointments/inputs.js'
import { durationMinutes, type Interval, placeOf, type Rdv } from '../appointments/rdv.js'
import { isPageSecret } from '../calendars/secret-address.js'
import type { Planning } from '../planning.js'
import { slotToken } from '../slots/slot-token.js'
import { firstName } from './rdv-letter.js'

/** Until so long before an appointment its customer may move or cancel it. */
const changeableMs = 24 * 3_600_000

const version = lazily(() => z.int().positive().describe('Number of the version that the page shows.'))

/** `version`: that of the page, so that nobody answers to what he has not seen. */
export const rdvAnswerInput = lazily(() =>
  z.discriminatedUnion('action', [
    z.strictObject({ action: z.literal('confirmer'), version: version() }),
    z.strictObject({ action: z.literal('deplacer'), version: version(), jeton: slotToken() }),
    z.strictObject({ action: z.literal('annuler'), version: version(), motif: text({ max: 300 }).default('') }),
    z.strictObject({ action: z.literal('acces'), acces: line({ min: 1, max: 200 }) }),
  ]),
)
/** What `rdvPages.answer` takes. */
export type RdvAnswerInput = Input<typeof rdvAnswerInput>
type RdvAnswer = Output<typeof rdvAnswerInput>

/** An appointment as its customer may know it, and nothing more. */
export interface RdvPageView extends Interval {
  readonly statut: 'planifie' | 'confirme' | 'en_cours' | 'annule'
  readonly fenetre_client: Interval | null
  /** IANA name of the zone by whose wall clock it was agreed. */
  readonly fuseau: string
  /** One line. */
  readonly lieu: string | null
  /**
   * By what the customer knows again how to get in: its last two characters where it has six or more, else empty. Null where
   * nothing is known. Never the whole of it: a letter with the link may be passed on.
   */
  readonly acces_fin: string | null
  readonly societe: { readonly nom: string | null; readonly telephone: string | null; readonly email: string | null }
  /** By the first name. */
  readonly poseur: string
  readonly version: number
  /** Whether it can be confirmed still. */
  readonly confirmable: boolean
  /** Whether it can be moved or cancelled still: awaited, and 24 hours away or more. */
  readonly changeable: boolean
  /** At most three times instead, each taken by its token; none where it can no longer be moved. */
  readonly autres: readonly Pick<Slot, 'debut' | 'fin' | 'jeton'>[]
}

/**
 * The pages where customers answer, each behind the secret of a letter: who knows it is taken for the customer. A page
 * ends with its appointment, when that is done or missed, and when the customer is erased.
 */
export interface RdvPages {
  /** Null for a secret that nobody has, or has any longer. */
  find(secret: string): Promise<RdvPageView | null>
  /**
   * Does what the customer chose: another time is confirmed at once; how to get in is kept with the place that the
   * appointment is at, the client's own where it has none.
   * @throws NotFoundError as `find` gives null, ValidationError, ConflictError when it is too late or not awaited any more,
   *   VersionMismatchError when it changed since the page was shown, SlotTakenError
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
      const { telephone, email } = account
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
        societe: { nom: knownName({ ...account, account: account_id }), telephone, email },
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
          // Without the name, which would outlive an erasure in the history.
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

const endOf = (acces: string | null) => acces && (acces.length < 6 ? '' : acces.slice(-2))

type Shown = Rdv & { readonly statut: RdvPageView['statut'] }

const isShown = (rdv: Rdv): rdv is Shown => isAwaited(rdv) || rdv.statut === 'en_cours' || rdv.statut === 'annule'

async function rdvOf(reads: Reads, secret: string, now: number): Promise<Shown | null> {
  const page = isPageSecret(secret) ? await reads.rdvPages.find(sha256Of(secret)) : null
  const rdv = page && (await reads.planning.find(page.account_id, page.rdv_id))
  return rdv !== null && isShown(rdv) && toMs(rdv.fin) > now ? rdv : null
}

const isChangeable = (rdv: Rdv, now: number) => isAwaited(rdv) && toMs(rdv.debut) - now >= changeableMs

const nothing: Write<unknown> = { write: async () => undefined }

/** What the answer changes of the appointment, or else is to be done. @throws ConflictError, ValidationError */
function changeFor(
  rdv: Shown,
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
    const motif_annulation = answer.motif === '' ? 'Annulé par le client.' : `Annulé par le client : ${answer.motif}`
    return { statut: 'annule', motif_annulation }
  }
  const { poseur_id, ...time } = advice.openSlot(rdv.account_id, answer.jeton)
  const isForIt = poseur_id === rdv.poseur.id && durationMinutes(time) === durationMinutes(rdv)
  if (!isForIt || toMs(time.debut) - now < changeableMs)
    throw new ValidationError([fieldProblem('jeton', 'slot_token_unfit')])
  return { ...time, statut: 'confirme' }
}

/** Of the place where the client lives. */
const accessWrite = ({ account_id, client: { id } }: Rdv, acces: string): Write<unknown> => ({
  async write(tx) {
    const { lieu, efface_le } = found(await tx.directory.findClient(account_id, id), 'client', id)
    if (efface_le !== null) throw new ClientErasedError(id, 'write nothing about that person.')
    await tx.directory.updateClient(account_id, id, { lieu: { ...(lieu ?? nowhere), acces } })
  },
})
