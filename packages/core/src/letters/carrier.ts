import type { SendResult } from '../delivery/channel.js'
import type { Letter } from './letter.js'

/** Brings a letter to a person: by e-mail, by WhatsApp. */
export interface Carrier {
  /** A whole attempt, connect included. */
  readonly timeoutMs: number
  /**
   * Resolves within `timeoutMs` of being called, whatever the other side does. Never rejects.
   * @param intend to be awaited just before a step that must not be taken twice, where the other side cannot tell a
   *   repetition: it notes durably that the step is being taken, and rejects when it must not be. After a crash in that
   *   step nobody knows whether the letter arrived, and it is not sent again.
   */
  carry(letter: Letter, intend: () => Promise<void>): Promise<SendResult>
}
