import { ValidationError } from '@sav/core'
import { type FindKey, id, lazily, shortText, signedTexts, toInstant } from '@sav/core/feature'
import * as z from 'zod'
import { fieldProblem } from '../refusals.js'

/** The slot that a token books. */
export interface OfferedSlot {
  readonly poseur_id: number
  /** Instants, to the second. */
  readonly debut: string
  readonly fin: string
}

/** How long a token can book its slot, in milliseconds. */
export const slotTokenMs = 15 * 60_000

/**
 * The token of an offered slot: it books the slot without further data. It is signed, not secret, and reserves nothing:
 * the first booking gets the slot.
 */
export interface SlotTokens {
  /** @param account_id the account to which it is offered: no other one can use it */
  issue(account_id: string, slot: OfferedSlot, nowMs: number): string
  /** @throws ValidationError on `jeton`, if it was not issued to this account, was altered, or has expired */
  open(account_id: string, jeton: string, nowMs: number): OfferedSlot
}

/** A token in a request. The longest issued token has 140 characters. */
export const slotToken = lazily(() => shortText(300))

const content = lazily(() => z.tuple([id(), z.int(), z.int(), z.int()]))

/**
 * @param secretKey 32 bytes; the signing key is derived from it (RFC 5869), and used for nothing else
 * @param findKey finds other keys to verify with, during a rotation
 */
export function createSlotTokens(secretKey: Uint8Array, findKey?: FindKey): SlotTokens {
  const texts = signedTexts({ secretKey, findKey, purpose: 'sav slot token', version: 'c1' })
  return {
    issue(account_id, { poseur_id, debut, fin }, nowMs) {
      const seconds = [debut, fin].map((instant) => Math.floor(Date.parse(instant) / 1000))
      return texts.sign(account_id, JSON.stringify([poseur_id, ...seconds, Math.floor((nowMs + slotTokenMs) / 1000)]))
    },
    open(account_id, jeton, nowMs) {
      const text = texts.open(account_id, jeton)
      // Another account's token gets the same answer as a forged one, so that it reveals nothing about offers to
      // others.
      if (text === null) throw new ValidationError([fieldProblem('jeton', 'slot_token_foreign')])
      const [poseur_id, debut, fin, expires] = content().parse(JSON.parse(text))
      if (nowMs >= expires * 1000)
        throw new ValidationError([fieldProblem('jeton', 'slot_token_expired', { at: toInstant(expires * 1000) })])
      return { poseur_id, debut: toInstant(debut * 1000), fin: toInstant(fin * 1000) }
    },
  }
}
