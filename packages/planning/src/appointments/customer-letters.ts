import type { Actor } from '@sav/core'
import {
  channelsThatReach,
  type LetterChannel,
  type NewId,
  type RdvLetterKind,
  type Reads,
  toInstant,
  toMs,
} from '@sav/core/feature'
import type { Account, Transaction } from '@sav/core/ports'
import { planningStore } from './planning-store.js'
import type { NewRdv, Rdv, ToldRdv } from './rdv.js'

/** The channels for each kind of letter. */
export type RdvLetterChannels = Readonly<Record<RdvLetterKind, readonly LetterChannel[]>>

/** The name of a letter's event in the history. No receiver can choose it. */
export const rdvLetterEvent = (about: RdvLetterKind) => `rdv.${about}` as const

/**
 * Whether the customer expects the visit. A proposal is internal, and in any other state the visit has begun or ended.
 */
export const isAwaited = ({ statut }: Pick<Rdv, 'statut'>) => statut === 'planifie' || statut === 'confirme'

/** The time in letters: the window if there is one, otherwise the beginning. */
export function toldTime({ fenetre_client, debut }: Pick<Rdv, 'fenetre_client' | 'debut'>): {
  readonly debut: string
  readonly fin: string | null
} {
  return fenetre_client ?? { debut, fin: null }
}

export const isSameTime = (a: ReturnType<typeof toldTime>, b: ReturnType<typeof toldTime>) =>
  a.debut === b.debut && a.fin === b.fin

/**
 * Whether the customer must get a letter about a change: the appointment becomes certain, has another time or is
 * cancelled, or the shop confirms it. Customers need no letter about what they did themselves.
 */
function isNews(before: Rdv | null, after: NewRdv, actor: Pick<Actor, 'type'>): boolean {
  const wasAwaited = before !== null && isAwaited(before)
  const isOwn = actor.type === 'client'
  if (after.statut === 'annule') return wasAwaited && !isOwn
  if (!isAwaited(after)) return false
  if (!wasAwaited || !isSameTime(toldTime(before), toldTime(after))) return true
  return after.statut === 'confirme' && before.statut !== 'confirme' && !isOwn
}

/** The kind of letter that is needed at `at`, judged by what the customer knows. Null: none. */
function netLetter(rdv: NewRdv, known: ToldRdv | null, at: string): 'confirmation' | 'annulation' | null {
  if (rdv.debut <= at) return null
  if (rdv.statut === 'annule') return known === null ? null : 'annulation'
  if (!isAwaited(rdv)) return null
  const isNew = known === null || !isSameTime(toldTime(rdv), known) || (rdv.statut === 'confirme' && !known.confirme)
  return isNew ? 'confirmation' : null
}

/** A change that may need a letter. */
export interface RdvNews<Appointment extends NewRdv = Rdv> {
  readonly actor: Pick<Actor, 'type'>
  /** The appointment before the change; null: the appointment is new. */
  readonly before: Rdv | null
  readonly rdv: Appointment
  /** The current time. */
  readonly at: string
  /** False: no letter about this change. */
  readonly prevenir: boolean
}

/** Letters to customers, in the transaction of the change. They contain ids and times, but no personal data. */
export interface CustomerLetters {
  /**
   * Returns the appointment to store. If the account sends letters and the change needs one, `lettre_due` is set. A
   * letter that is already waiting is not delayed.
   */
  noted<Appointment extends NewRdv>(tx: Transaction, news: RdvNews<Appointment>): Promise<Appointment>
  /** How many of these changes would send a letter. */
  count(reads: Reads, news: readonly RdvNews[]): Promise<number>
  /** Writes the due letter, if the customer still needs it. */
  writeDue(tx: Transaction, rdv: Pick<Rdv, 'account_id' | 'id'>, at: string): Promise<void>
  /**
   * Writes a letter of this kind, even if the account has not switched it on, for the channels that reach the client.
   * Resolves to the event of the letter, or to null if no channel reaches the client.
   */
  write(tx: Transaction, rdv: Rdv, letter: NewRdvLetter): Promise<string | null>
}

export interface NewRdvLetter {
  readonly about: RdvLetterKind
  readonly at: string
  readonly retard_minutes?: number
  /** The late appointment that causes this delay, and how late it was when the letter was written. */
  readonly retard_de?: { readonly id: number; readonly minutes: number }
  /** The previously announced time. */
  readonly avant?: ReturnType<typeof toldTime>
}

/** How long a letter waits for further changes of its appointment, by default. */
export const rdvLetterDelayMs = 60_000

/** How long to wait while the previous letter is still being sent. */
const lookAgainMs = 30_000

export function createCustomerLetters({
  newId,
  channels,
  delayMs,
}: {
  readonly newId: NewId
  readonly channels: RdvLetterChannels
  readonly delayMs: number
}): CustomerLetters {
  async function write(tx: Transaction, rdv: Rdv, { about, at, ...more }: NewRdvLetter): Promise<string | null> {
    const { account_id, client } = rdv
    const found = await tx.directory.findClient(account_id, client.id)
    const ways = found === null ? [] : channelsThatReach(found, channels[about])
    if (ways.length === 0) return null
    const id = newId('evt')
    const event = rdvLetterEvent(about)
    const data = { event_id: id, id: rdv.id, ...toldTime(rdv), ...more }
    await tx.outbox.add({
      id,
      account_id,
      event,
      body: JSON.stringify({ event, data }),
      created_at: at,
      deliveries: ways.map((channel) => ({ id: newId('dlv'), channel, target: channel })),
    })
    return id
  }

  const sends = async (reads: Reads, account_id: string) =>
    (channels.confirmation.length > 0 || channels.annulation.length > 0) &&
    (await reads.accounts.find(account_id))?.confirmation_rdv_depuis != null

  return {
    write,

    async noted(tx, { actor, before, rdv, at, prevenir }) {
      // No letter is needed: the customer cancelled, or the shop informs the customer in another way.
      if (rdv.statut === 'annule' && (actor.type === 'client' || !prevenir)) return { ...rdv, lettre_due: null }
      const known = actor.type === 'client' && rdv.statut === 'confirme' ? confirmed(rdv.derniere_lettre) : undefined
      const changed = known === undefined ? rdv : { ...rdv, derniere_lettre: known }
      if (!prevenir || rdv.lettre_due !== null || rdv.debut <= at || !isNews(before, rdv, actor)) return changed
      if (!(await sends(tx, rdv.account_id))) return changed
      return { ...changed, lettre_due: toInstant(toMs(at) + delayMs) }
    },

    async count(reads, news) {
      const [first] = news
      if (first === undefined || !(await sends(reads, first.rdv.account_id))) return 0
      let count = 0
      for (const { actor, before, rdv, at, prevenir } of news) {
        const about = prevenir && isNews(before, rdv, actor) ? netLetter(rdv, rdv.derniere_lettre, at) : null
        const client = about && (await reads.directory.findClient(rdv.account_id, rdv.client.id))
        if (about && client && channelsThatReach(client, channels[about]).length > 0) count += 1
      }
      return count
    },

    async writeDue(tx, { account_id, id }, at) {
      const rdv = await tx.of(planningStore).lock(account_id, id)
      if (rdv === null || rdv.lettre_due === null || rdv.lettre_due > at) return
      const known = await knownOf(tx, rdv)
      // A customer who received a letter about the visit must get its cancellation, and one who received none must not.
      // While the letter is still being sent, this is not known yet.
      if (known === 'pending' && rdv.statut === 'annule') {
        await tx.of(planningStore).update([{ ...rdv, lettre_due: toInstant(toMs(at) + lookAgainMs) }])
        return
      }
      const told = known === 'pending' ? null : known
      const about = (await sends(tx, account_id)) ? netLetter(rdv, told, at) : null
      const avant = told !== null && !isSameTime(told, toldTime(rdv)) ? { debut: told.debut, fin: told.fin } : undefined
      const event_id = about && (await write(tx, rdv, { about, at, ...(avant && { avant }) }))
      const derniere_lettre = event_id ? toldBy(event_id, rdv) : rdv.derniere_lettre
      await tx.of(planningStore).update([{ ...rdv, lettre_due: null, derniere_lettre }])
    },
  }
}

/** What the customer knows about an appointment after the letter of this event. */
export const toldBy = (event_id: string, rdv: Rdv): ToldRdv => ({
  event_id,
  ...toldTime(rdv),
  confirme: rdv.statut === 'confirme',
})

const confirmed = (told: ToldRdv | null) => told && { ...told, confirme: true }

/** What the customer knows from the last letter; null: there was none, or it did not arrive. */
async function knownOf(tx: Transaction, { account_id, derniere_lettre }: Rdv): Promise<ToldRdv | 'pending' | null> {
  if (derniere_lettre === null) return null
  const deliveries = await tx.deliveries.ofEvent(account_id, derniere_lettre.event_id)
  const states = deliveries.map(({ state }) => state)
  // No rows means that the letter was delivered: delivered rows are deleted after a while.
  if (states.length === 0 || states.includes('delivered')) return derniere_lettre
  return states.includes('pending') ? 'pending' : null
}

/** Whether the account sends letters about appointments. */
export const writesToCustomers = ({ confirmation_rdv_depuis, rappel_rdv_depuis }: Account) =>
  confirmation_rdv_depuis !== null || rappel_rdv_depuis !== null

export const noChannels: RdvLetterChannels = { confirmation: [], annulation: [], rappel: [], retard: [] }
