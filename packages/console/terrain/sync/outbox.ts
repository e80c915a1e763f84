import { type Item, isUnsent, isUntouched, isWaiting, type NewItem, type Outbox, type SentFile } from './item.js'

/** What the phone does next. */
export type Step =
  | { readonly is: 'file'; readonly item: Item; readonly file: SentFile }
  | { readonly is: 'write'; readonly item: Item }
  /** Nothing is due before then. */
  | { readonly is: 'wait'; readonly until: number }
  | { readonly is: 'done' }

/**
 * The next step: sending the oldest due item. The reports on a visit are sent in order, each after its files. A report
 * that has to wait delays only its own visit.
 */
export function nextStep({ items, files }: Outbox, now: number): Step {
  const held = new Set<number>()
  let until = Number.POSITIVE_INFINITY
  for (const item of items) {
    if (item.state.is !== 'waiting' || held.has(item.rdv_id)) continue
    if (item.state.notBefore > now) {
      held.add(item.rdv_id)
      until = Math.min(until, item.state.notBefore)
      continue
    }
    const file = files.find(({ sha256, isThere }) => !isThere && item.files.includes(sha256))
    return file === undefined ? { is: 'write', item } : { is: 'file', item, file }
  }
  return Number.isFinite(until) ? { is: 'wait', until } : { is: 'done' }
}

export function queued({ items, files }: Outbox, told: NewItem, brought: readonly SentFile[] = []): Outbox {
  const order = Math.max(0, ...items.map((item) => item.order)) + 1
  const item: Item = { ...told, order, state: { is: 'waiting', attempts: 0, notBefore: 0, because: null } }
  const known = new Set(files.map(({ sha256 }) => sha256))
  return { items: [...items, item], files: [...files, ...brought.filter(({ sha256 }) => !known.has(sha256))] }
}

/** A file of which nothing has been sent. */
export const freshFile = ({ sha256, type, size }: Pick<SentFile, 'sha256' | 'type' | 'size'>): SentFile => ({
  sha256,
  type,
  size,
  sent: 0,
  isThere: false,
  isDoubtful: false,
  spoilt: 0,
})

/**
 * Counts an attempt. It is stored before sending: if the app ends meanwhile, the phone knows that the service may have
 * received the report.
 */
export const begun = (outbox: Outbox, { item }: { readonly item: Item }): Outbox =>
  changedItem(outbox, item.id, (found) =>
    found.state.is === 'waiting' ? { ...found, state: { ...found.state, attempts: found.state.attempts + 1 } } : found,
  )

/** Makes everything due now, because the network is back or the user asks for it. */
export const hurried = (outbox: Outbox): Outbox => ({
  ...outbox,
  items: outbox.items.map((item) =>
    item.state.is === 'waiting' ? { ...item, state: { ...item.state, notBefore: 0 } } : item,
  ),
})

/** Tries a refused item again, at the user's request. */
export const retried = (outbox: Outbox, id: string): Outbox =>
  changedItem(outbox, id, (item) => ({ ...item, state: { is: 'waiting', attempts: 1, notBefore: 0, because: null } }))

/** Deletes an item that the service cannot have received, or has answered; an item that may still arrive is kept. */
export function removed(outbox: Outbox, id: string): Outbox {
  const items = outbox.items.filter((item) => item.id !== id || (isWaiting(item) && !isUntouched(item)))
  return withoutUnneededFiles({ ...outbox, items })
}

/** Removes the files that no unsent report needs. */
export function withoutUnneededFiles({ items, files }: Outbox): Outbox {
  const needed = new Set(items.filter(isUnsent).flatMap((item) => item.files))
  return { items, files: files.filter(({ sha256 }) => needed.has(sha256)) }
}

/** How long received reports are kept, so that the user sees the outcome. */
const receivedKeptMs = 24 * 3_600_000

export function withoutOld(outbox: Outbox, now: number): Outbox {
  const items = outbox.items.filter(
    ({ state }) => state.is !== 'received' || state.constat !== null || state.at > now - receivedKeptMs,
  )
  return { ...outbox, items }
}

/** The number of bytes of an item's files: of all, and of what the service has. */
export function bytesOf({ files }: Outbox, item: Item): { readonly all: number; readonly sent: number } {
  const own = files.filter(({ sha256 }) => item.files.includes(sha256))
  const sum = (of: (file: SentFile) => number) => own.reduce((total, file) => total + of(file), 0)
  return { all: sum(({ size }) => size), sent: sum(({ size, sent, isThere }) => (isThere ? size : sent)) }
}

export const changedItem = (outbox: Outbox, id: string, change: (item: Item) => Item): Outbox => ({
  ...outbox,
  items: outbox.items.map((item) => (item.id === id ? change(item) : item)),
})

export const changedFiles = (outbox: Outbox, change: (file: SentFile) => SentFile): Outbox => ({
  ...outbox,
  files: outbox.files.map(change),
})
