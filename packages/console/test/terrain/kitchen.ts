import { randomBytes } from 'node:crypto'
import { askForDay } from '../../terrain/send/asked-day.js'
import { Clock } from '../../terrain/send/calls.js'
import { type KeptAnswer, type SendingStore, type SendResult, send } from '../../terrain/send/sender.js'
import type { Meaning } from '../../terrain/sync/answers.js'
import { type Day, heldVisits } from '../../terrain/sync/day.js'
import { emptyOutbox, type NewItem, type Outbox } from '../../terrain/sync/item.js'
import { withMeaning } from '../../terrain/sync/kept.js'
import { freshFile, hurried, queued } from '../../terrain/sync/outbox.js'

type Fetch = (path: string, init: RequestInit) => Promise<Response>

const jpegStart = Buffer.from('ffd8ffe000104a46494600010100', 'hex')

/** A phone without a screen. Its stored data survives a restart. */
export class Kitchen implements SendingStore {
  kept: Outbox = emptyOutbox
  day: Day | null = null
  readonly contents = new Map<string, ArrayBuffer>()
  readonly #person: string
  readonly #clock = new Clock(Date.now)

  constructor(person = 'usr_bruno') {
    this.#person = person
  }

  outbox = async () => this.kept
  content = async (sha256: string) => this.contents.get(sha256) ?? null
  async changeOutbox(change: (outbox: Outbox) => Outbox) {
    this.kept = change(this.kept)
  }
  async keepAnswer(meaningOf: (outbox: Outbox) => Meaning): Promise<KeptAnswer> {
    const meaning = meaningOf(this.kept)
    const { outbox, day, erased } = withMeaning({ outbox: this.kept, day: this.day }, meaning, [])
    this.kept = outbox
    this.day = day
    return { outcome: meaning.outcome, erased }
  }

  /** Requests the day. Resolves to a function that applies the answer. */
  async ask(fetch: Fetch): Promise<() => void> {
    const { become } = await askForDay({ now: Date.now, fetch }, this.#clock, this.day)
    return () => {
      if (become !== null) this.day = become(this.day, heldVisits(this.kept, []))
    }
  }

  photo(size: number): Promise<string> {
    // Hexadecimal digits: none of these bytes begins a JPEG segment.
    const rest = Buffer.from(randomBytes(size / 2).toString('hex'))
    return this.keep(Buffer.concat([jpegStart, rest]).subarray(0, size))
  }

  async keep(file: Uint8Array): Promise<string> {
    const content = new Uint8Array(file).buffer
    const digest = await crypto.subtle.digest('SHA-256', content)
    const sha256 = Buffer.from(digest).toString('hex')
    this.contents.set(sha256, content)
    return sha256
  }

  tell(told: NewItem): void {
    const files = told.files.map((sha256) =>
      freshFile({ sha256, type: 'image/jpeg', size: this.contents.get(sha256)?.byteLength ?? 0 }),
    )
    this.kept = queued(this.kept, told, files)
  }

  /** Makes all waiting reports due now. */
  hurry(): void {
    this.kept = hurried(this.kept)
  }

  send(fetch: Fetch, isStopped = () => false): Promise<SendResult> {
    return send({
      ...{ store: this, line: { now: Date.now, fetch }, clock: this.#clock },
      ...{ person: this.#person, onAnswer: () => {}, isStopped },
    })
  }
}
