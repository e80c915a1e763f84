import type { SendResult } from '../delivery/channel.js'
import type { Letter } from './letter.js'

/** Brings a letter to a person: by e-mail, by WhatsApp, or by a channel of the host's own. */
export interface Carrier {
  /** The time limit of a whole attempt, connecting included. */
  readonly timeoutMs: number
  /**
   * Resolves within `timeoutMs` of being called, whatever the other side does.
   * @param intend awaited just before a step that must not be repeated, if the other side cannot detect repetitions. It
   *   records durably that the step begins, and rejects when it must not. After a crash during the step it is unknown
   *   whether the letter arrived, and the letter is not sent again.
   * @throws OwnLimitError when a limit of our own prevented the sending; it rejects with nothing else
   */
  carry(letter: Letter, intend: () => Promise<void>): Promise<SendResult>
}

/** Carriers by channel. */
export interface Carriers {
  /** See `@sav/reception-report/email`. */
  readonly email?: Carrier
  /** See `@sav/reception-report/whatsapp`. */
  readonly whatsapp?: Carrier
  /** A carrier of the host's own, such as `sms`: its letters go to the client's telephone. */
  readonly [channel: string]: Carrier | undefined
}
