import type { Actor } from '../access/actor.js'
import type { Account } from '../directory/directory.js'
import type { NewId } from '../ids.js'
import { channelsThatReach } from '../letters/client-address.js'
import type { LetterChannel, RdvLetterKind } from '../letters/letter.js'
import type { Transaction } from '../storage.js'
import type { Rdv } from './rdv.js'

/** By which channels letters of each kind go. */
export type RdvLetterChannels = Readonly<Record<RdvLetterKind, readonly LetterChannel[]>>

/** What the history calls a letter on its way; no receiver can choose it. */
export const rdvLetterEvent = (about: RdvLetterKind) => `rdv.${about}` as const

/** Whether the customer counts on it: proposals are the shop's own, and the rest has begun or is over. */
export const isAwaited = ({ statut }: Pick<Rdv, 'statut'>) => statut === 'planifie' || statut === 'confirme'

/** What the customer is told of the time: the window where there is one, else when it begins. */
export function toldTime({ fenetre_client, debut }: Pick<Rdv, 'fenetre_client' | 'debut'>): {
  readonly debut: string
  readonly fin: string | null
} {
  return fenetre_client ?? { debut, fin: null }
}

export const isSameTime = (a: ReturnType<typeof toldTime>, b: ReturnType<typeof toldTime>) =>
  a.debut === b.debut && a.fin === b.fin

/**
 * Whether a letter of confirmation is due: the customer can count on it from now on, is to come at another time than he
 * was told, or the shop says that it is confirmed. What he confirms himself he need not be told.
 */
export function isNews(before: Rdv | null, after: Rdv, actor: Pick<Actor, 'type'>): boolean {
  if (!isAwaited(after)) return false
  if (before === null || !isAwaited(before)) return true
  if (!isSameTime(toldTime(before), toldTime(after))) return true
  return after.statut === 'confirme' && before.statut !== 'confirme' && actor.type !== 'client'
}

interface Told {
  readonly actor: Actor
  /** Null: it is new. */
  readonly before: Rdv | null
  readonly rdv: Rdv
  /** The present. */
  readonly at: string
}

/** Writes letters to customers into the transaction of what they tell. They hold ids and times, and no personal data. */
export interface CustomerLetters {
  /** A letter of confirmation, where the account sends them, the change is news, and the appointment has not begun. */
  tellNews(tx: Transaction, told: Told): Promise<void>
  /** A letter of this kind, whether the account has switched it on or not, by the channels that reach the client. */
  write(tx: Transaction, rdv: Rdv, letter: NewRdvLetter): Promise<void>
}

export interface NewRdvLetter {
  readonly about: RdvLetterKind
  readonly at: string
  readonly retard_minutes?: number
}

export function createCustomerLetters({
  newId,
  channels,
}: {
  readonly newId: NewId
  readonly channels: RdvLetterChannels
}): CustomerLetters {
  async function write(tx: Transaction, rdv: Rdv, { about, at, ...more }: NewRdvLetter): Promise<void> {
    const { account_id, client } = rdv
    const found = await tx.directory.findClient(account_id, client.id)
    const ways = found === null ? [] : channelsThatReach(found, channels[about])
    if (ways.length === 0) return
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
  }

  return {
    write,
    async tellNews(tx, { actor, before, rdv, at }) {
      if (channels.confirmation.length === 0 || rdv.debut <= at || !isNews(before, rdv, actor)) return
      const account = await tx.accounts.find(rdv.account_id)
      if (account?.confirmation_rdv_depuis) await write(tx, rdv, { about: 'confirmation', at })
    },
  }
}

/** Whether the account writes to its customers about appointments at all. */
export const writesToCustomers = ({ confirmation_rdv_depuis, rappel_rdv_depuis }: Account) =>
  confirmation_rdv_depuis !== null || rappel_rdv_depuis !== null

export const noChannels: RdvLetterChannels = { confirmation: [], rappel: [], retard: [] }
