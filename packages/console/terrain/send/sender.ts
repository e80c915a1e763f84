import type { SessionView } from '../api.js'
import { type Answer, after, type Meaning, saysEnded } from '../sync/answers.js'
import type { Outbox } from '../sync/item.js'
import { begun, nextStep, type Step } from '../sync/outbox.js'
import { partOf, requestOf } from '../sync/requests.js'
import { bodyOf, type Clock, call, type Line } from './calls.js'

export interface KeptAnswer {
  readonly outcome: Meaning['outcome']
  /** The visits of an erased client, of which the phone keeps nothing. */
  readonly erased: ReadonlySet<number>
}

/** The data on a phone that waits to be sent. Each change is durable when its promise resolves. */
export interface SendingStore {
  outbox(): Promise<Outbox>
  changeOutbox(change: (outbox: Outbox) => Outbox): Promise<unknown>
  /** Applies an answer to the outbox and to the visit, in one write. */
  keepAnswer(meaningOf: (outbox: Outbox) => Meaning): Promise<KeptAnswer>
  /** The content of a file; null if it is gone. */
  content(sha256: string): Promise<ArrayBuffer | null>
}

export interface SendContext {
  readonly store: SendingStore
  readonly line: Line
  readonly clock: Clock
  /** The user of the stored data, which is only sent as this user. */
  readonly person: string
  readonly onAnswer: (answer: KeptAnswer) => void
  readonly isStopped: () => boolean
}

/** How sending ended. `until`: when the next item is due. */
export type SendResult =
  | { readonly is: 'done' | 'stopped' | 'signed-out' | 'other-person' | 'ended' | 'unreachable' }
  | { readonly is: 'waiting'; readonly until: number }

type ActiveStep = Extract<Step, { is: 'file' | 'write' }>

/** Sends what waits, in order, until nothing is due. Never rejects because of the network. */
export async function send(sending: SendContext): Promise<SendResult> {
  const { store, line } = sending
  for (;;) {
    if (sending.isStopped()) return { is: 'stopped' }
    const step = nextStep(await store.outbox(), line.now())
    if (step.is === 'done') return { is: 'done' }
    if (step.is === 'wait') return { is: 'waiting', until: step.until }
    const stop = await whyNotAs(sending)
    if (stop !== null) return { is: stop }
    const ended = await taken(sending, step)
    if (ended !== null) return ended
  }
}

/** Why nothing can be sent as this user; null: this browser is signed in as them. */
async function whyNotAs({ line, clock, person }: SendContext): Promise<Exclude<SendResult['is'], 'waiting'> | null> {
  const answer = await answered(() => call(line, clock, '/api/v1/session'))
  if (answer.is !== 'answer') return 'unreachable'
  if (answer.status === 401) return saysEnded(answer.body) ? 'ended' : 'signed-out'
  if (answer.status !== 200) return 'unreachable'
  const { data } = answer.body as { readonly data: SessionView }
  return data.utilisateur?.id === person ? null : 'other-person'
}

async function taken(sending: SendContext, step: ActiveStep): Promise<SendResult | null> {
  const { store, line } = sending
  await store.changeOutbox((outbox) => begun(outbox, step))
  const answer = await (step.is === 'file' ? partSent(sending, step) : written(sending, step))
  const kept = await store.keepAnswer((outbox) => after(outbox, step, answer, line.now()))
  sending.onAnswer(kept)
  return kept.outcome === 'go-on' ? null : { is: kept.outcome }
}

async function partSent({ store, line, clock }: SendContext, { file }: Extract<Step, { is: 'file' }>): Promise<Answer> {
  const content = await store.content(file.sha256)
  if (content === null) return { is: 'gone' }
  const { path, contentRange, from, to } = partOf(file)
  return answered(() =>
    call(line, clock, path, {
      method: 'PUT',
      headers: {
        'Content-Type': 'application/octet-stream',
        ...(contentRange !== null && { 'Content-Range': contentRange }),
      },
      body: content.slice(from, to),
    }),
  )
}

function written({ line, clock }: SendContext, { item }: Extract<Step, { is: 'write' }>): Promise<Answer> {
  const { method, path, body } = requestOf(item)
  return answered(() =>
    call(line, clock, path, {
      method,
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': item.id },
      body: JSON.stringify(body),
    }),
  )
}

async function answered(request: () => Promise<Response>): Promise<Answer> {
  try {
    const response = await request()
    const body = await bodyOf(response)
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
    const range = /^bytes=0-(\d+)$/.exec(response.headers.get('range') ?? '')
    return {
      is: 'answer',
      status: response.status,
      body,
      received: range === null ? null : Number(range[1]) + 1,
      retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1000 : null,
    }
  } catch {
    return { is: 'lost' }
  }
}
