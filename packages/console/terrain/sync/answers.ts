import { type AnsweredRdv, type Constat, deviceEndedCode } from '../api.js'
import type { Item, Outbox, Refusal, SentFile } from './item.js'
import { changedFiles, changedItem, type Step, withoutUnneededFiles } from './outbox.js'

/** The result of a call. `lost`: the call was cut off or timed out. */
export type Answer =
  | { readonly is: 'lost' }
  /** The content of a file is no longer on this phone. */
  | { readonly is: 'gone' }
  | {
      readonly is: 'answer'
      readonly status: number
      /** JSON; null if there is none. */
      readonly body: unknown
      /** How many bytes of the file the service has, by the header `Range`. */
      readonly received: number | null
      readonly retryAfterMs: number | null
    }
type ServiceAnswer = Extract<Answer, { is: 'answer' }>

/** What an answer means: the changed outbox, and what else follows from the answer. */
export interface Meaning {
  readonly outbox: Outbox
  /** `signed-out`: nothing is sent before somebody signs in again; `ended`: the office wants this phone wiped. */
  readonly outcome: 'go-on' | 'signed-out' | 'ended'
  /** The visit as it is now. */
  readonly rdv: AnsweredRdv | null
  /** A visit whose client was erased: nothing of it stays here. */
  readonly erasedRdv: number | null
}

type ActiveStep = Extract<Step, { is: 'file' | 'write' }>

const firstRetryMs = 2_000
const maxRetryMs = 5 * 60_000
const askedAgainMs = 30_000
/** The number of damaged arrivals of a file after which its report is refused. */
const maxSpoilt = 3

export function after(outbox: Outbox, step: ActiveStep, answer: Answer, now: number): Meaning {
  const plain = (changed: Outbox): Meaning => ({ outbox: changed, outcome: 'go-on', rdv: null, erasedRdv: null })
  if (answer.is === 'lost') return plain(doubtful(later(outbox, step.item, 'lost', now, null), step))
  if (answer.is === 'gone') return plain(refused(outbox, step.item, fileGone))
  const refusal = refusalOf(answer)
  if (answer.status === 401) return { ...plain(outbox), outcome: saysEnded(answer.body) ? 'ended' : 'signed-out' }
  if (isBusy(answer, refusal)) return plain(doubtful(later(outbox, step.item, 'busy', now, answer.retryAfterMs), step))
  if (tellsErased(refusal)) return { ...plain(erased(outbox, step.item, refusal)), erasedRdv: step.item.rdv_id }
  return step.is === 'file'
    ? plain(afterPart(outbox, step, answer, refusal))
    : afterWrite(outbox, step.item, answer, now)
}

/**
 * Whether a refusal says that the client was erased. The code `answer_erased` refuses the repetition of a report whose
 * recorded answer was erased with the client.
 */
export const tellsErased = ({ code }: Pick<Refusal, 'code'>): boolean =>
  code === 'client_erased' || code === 'answer_erased'

/** Whether a refusal says that the office has signed this phone out, and wants it wiped. */
export const saysEnded = (body: unknown): boolean => isObject(body) && body['code'] === deviceEndedCode

/** Whether the service is busy, restarting, or still handling the same request: then another attempt may succeed. */
const isBusy = ({ status }: ServiceAnswer, { code }: Refusal) =>
  status >= 500 || status === 408 || status === 425 || status === 429 || code === 'idempotency_in_progress'

const isFine = (status: number) => status >= 200 && status < 300

function afterPart(
  outbox: Outbox,
  { item, file }: Extract<Step, { is: 'file' }>,
  answer: ServiceAnswer,
  refusal: Refusal,
): Outbox {
  // Progress resets the failed attempts. After the next lost call, the phone then waits two seconds, not minutes.
  const progressed = changedItem(outbox, item.id, (found) =>
    found.state.is === 'waiting' ? { ...found, state: { ...found.state, attempts: 1 } } : found,
  )
  const change = (changed: Partial<SentFile>) =>
    changedFiles(progressed, (found) => (found.sha256 === file.sha256 ? { ...found, ...changed } : found))
  if (isFine(answer.status)) return change({ isThere: true, sent: file.size, isDoubtful: false })
  if (answer.status === 308) return change({ sent: Math.min(answer.received ?? 0, file.size), isDoubtful: false })
  if (refusal.code === 'content_hashes_otherwise' && file.spoilt + 1 < maxSpoilt)
    return change({ sent: 0, isDoubtful: false, spoilt: file.spoilt + 1 })
  return refused(outbox, item, refusal)
}

function afterWrite(outbox: Outbox, item: Item, answer: ServiceAnswer, now: number): Meaning {
  const refusal = refusalOf(answer)
  const base = { outcome: 'go-on', rdv: null, erasedRdv: null } as const
  if (isFine(answer.status)) {
    const rdv = rdvOf(answer.body)
    const constat = rdv?.constat ?? null
    const done = changedItem(outbox, item.id, (found) => ({ ...found, state: { is: 'received', at: now, constat } }))
    return { ...base, outbox: withoutUnneededFiles(rebased(done, item, rdv)), rdv }
  }
  if (refusal.code === 'file_missing') {
    const missing = hashesIn(answer.body)
    const isMissing = (sha256: string) => item.files.includes(sha256) && (missing.size === 0 || missing.has(sha256))
    const again = changedFiles(outbox, (file) =>
      isMissing(file.sha256) ? { ...file, isThere: false, sent: 0, isDoubtful: false } : file,
    )
    return { ...base, outbox: later(again, item, 'file_missing', now, 0) }
  }
  return { ...base, outbox: refused(outbox, item, refusal) }
}

/** Bases later reports on the same visit on this result, so that only changes by the office count as differences. */
function rebased(outbox: Outbox, received: Item, rdv: AnsweredRdv | null): Outbox {
  if (rdv === null || rdv.constat !== null) return outbox
  return {
    ...outbox,
    items: outbox.items.map((item) =>
      item.rdv_id === received.rdv_id && item.version === received.version && item.state.is === 'waiting'
        ? { ...item, version: rdv.version }
        : item,
    ),
  }
}

function later(
  outbox: Outbox,
  { id }: Item,
  because: 'lost' | 'busy' | 'file_missing',
  now: number,
  afterMs: number | null,
): Outbox {
  return changedItem(outbox, id, (item) => {
    if (item.state.is !== 'waiting') return item
    const { attempts } = item.state
    const backOffMs = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.max(0, attempts - 1))
    // A report whose files are missing is sent again without a delay, unless the service keeps asking for them.
    const isAgain = because === 'file_missing' && item.state.because === because
    const waitMs = isAgain ? askedAgainMs : (afterMs ?? backOffMs)
    return { ...item, state: { is: 'waiting', attempts, notBefore: now + waitMs, because } }
  })
}

const doubtful = (outbox: Outbox, step: ActiveStep): Outbox =>
  step.is === 'file'
    ? changedFiles(outbox, (file) => (file.sha256 === step.file.sha256 ? { ...file, isDoubtful: true } : file))
    : outbox

/** Marks a report as refused. It stays on the phone until the user decides, so that its content is not lost. */
const refused = (outbox: Outbox, { id }: Item, refusal: Refusal): Outbox =>
  changedItem(outbox, id, (item) => ({ ...item, state: { is: 'refused', refusal } }))

/** Deletes everything about an erased client, including the name. */
function erased(outbox: Outbox, { id, rdv_id }: Item, refusal: Refusal): Outbox {
  const bare = changedItem(outbox, id, (item) => ({ ...withoutContent(item), state: { is: 'refused', refusal } }))
  return withoutUnneededFiles(withoutNames(bare, new Set([rdv_id])))
}

/**
 * Removes the name from reports on the visits of an erased client, and the content of those reports that the service
 * already has.
 */
export function withoutNames(outbox: Outbox, visits: ReadonlySet<number>): Outbox {
  const items = outbox.items.map((item): Item => {
    if (!visits.has(item.rdv_id)) return item
    if (item.state.is !== 'received') return { ...item, title: '' }
    return { ...withoutContent(item), state: { ...item.state, constat: null } }
  })
  return { ...outbox, items }
}

function withoutContent(item: Item): Item {
  const bare = { ...item, title: '', files: [] }
  switch (bare.operation) {
    case 'intervention':
      return { ...bare, body: { resultat: bare.body.resultat, photos: [] } }
    case 'commentaire':
      return { ...bare, body: { texte: '' } }
    case 'absent':
      return { ...bare, body: {} }
    default:
      return bare
  }
}

const fileGone: Refusal = { status: 0, code: 'file_gone', params: {}, message: '' }

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function refusalOf({ status, body }: ServiceAnswer): Refusal {
  if (!isObject(body)) return { status, code: '', params: {}, message: '' }
  const [first] = Array.isArray(body['details']) ? body['details'] : []
  // The reason of the first wrong field says more than the refusal of the whole input.
  const told = body['code'] === 'validation_failed' || body['code'] === undefined ? (first ?? body) : body
  const { code, params, message, error } = isObject(told) ? told : {}
  const plain = isObject(params)
    ? Object.entries(params).filter((entry): entry is [string, string | number] =>
        /string|number/.test(typeof entry[1]),
      )
    : []
  const text = typeof message === 'string' ? message : typeof error === 'string' ? error : ''
  return { status, code: typeof code === 'string' ? code : '', params: Object.fromEntries(plain), message: text }
}

/** Every SHA-256 hash in the body of a refusal, whichever field it is in. */
const hashesIn = (body: unknown): Set<string> => new Set(JSON.stringify(body ?? null).match(/\b[0-9a-f]{64}\b/g) ?? [])

function rdvOf(body: unknown): AnsweredRdv | null {
  const data = isObject(body) ? body['data'] : null
  return isAnsweredRdv(data) ? { ...data, constat: data.constat ?? null } : null
}

/**
 * Whether an answer contains a visit; the answer to a comment, for example, does not. The contract guarantees the other
 * fields.
 */
const isAnsweredRdv = (value: unknown): value is AnsweredRdv & { constat?: Constat | null } =>
  isObject(value) && typeof value['version'] === 'number' && typeof value['debut'] === 'string'
