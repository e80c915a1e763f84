import type { InterventionBody, Resultat } from '../api.js'
import type { Put } from '../store/own-store.js'
import { visitIn } from '../sync/day.js'
import { interventionOf } from '../sync/draft.js'
import { type Item, isUntouched, type NewItem, type Outbox } from '../sync/item.js'
import { freshFile, queued, removed, retried } from '../sync/outbox.js'
import { sha256Of } from '../vault/sealed.js'
import { personName } from '../words/formats.js'
import { changeDraft, draftOf, forgetDraft, readyPhotos, writeDrafts } from './drafting.js'
import { changeOutbox, clock, day, own, visitOf } from './own.js'
import { sendSoon } from './sending.js'

type FactContent = Pick<NewItem, 'operation' | 'body'>

/** A new report of what happens now, by the phone's clock. */
function factOf(rdv_id: number, told: FactContent, files: readonly string[] = []): NewItem {
  const visit = visitOf(rdv_id)
  const fact = {
    ...told,
    id: crypto.randomUUID(),
    rdv_id,
    sav_id: visit?.sav?.id ?? null,
    title: visit === undefined ? '' : personName(visit.client),
    version: visit?.version ?? 1,
    survenu_a: new Date().toISOString(),
    decalage_ms: clock.aheadMs,
    files,
  }
  // The cast is safe: `told` has an operation and the body that belongs to it.
  return fact as NewItem
}

/**
 * Queues a report. It is stored on the phone when this resolves, and sent as soon as possible. @throws PhoneFullError
 */
export function tell(rdv_id: number, told: FactContent): Promise<void> {
  const fact = factOf(rdv_id, told)
  return change((before) => queued(before, fact))
}

/** Changes the outbox stored on the phone. `become` decides from that outbox, not from the screen, what to add. */
async function change(become: (before: Outbox) => Outbox): Promise<void> {
  const here = own.peek()
  if (here !== null) await changeOutbox(here, become)
  void sendSoon()
}

const has = ({ items }: Outbox, rdv_id: number, operation: Item['operation']) =>
  items.findLast((item) => item.rdv_id === rdv_id && item.operation === operation)

/** Reports the beginning of a visit: only once, even if the user presses twice. */
export function begin(rdv_id: number): Promise<void> {
  const fact = factOf(rdv_id, { operation: 'debut', body: {} })
  return change((before) => (has(before, rdv_id, 'debut') ? before : queued(before, fact)))
}

/**
 * Reports that the customer came after all. If the absence was not sent yet, it is just dropped. The report is made
 * only once, even if the user presses twice.
 */
export function takeBackAbsent(rdv_id: number): Promise<void> {
  const fact = factOf(rdv_id, { operation: 'reprise', body: { statut: 'planifie' } })
  return change((before) => {
    if (visitIn(day.peek(), before, rdv_id)?.statut !== 'absent') return before
    const absent = has(before, rdv_id, 'absent')
    return absent && isUntouched(absent) ? removed(before, absent.id) : queued(before, fact)
  })
}

export interface CloseSignature {
  /** PNG; null: there is no signature. */
  readonly png: ArrayBuffer | null
  /** The text that the customer was shown. */
  readonly vu: string
}

/**
 * Queues the report of a visit with its photos, and with the close if there is one. The report replaces the draft.
 * @throws PhoneFullError: the draft is unchanged
 */
export async function finish(rdv_id: number, resultat: Resultat, closing: CloseSignature | null): Promise<void> {
  const here = own.peek()
  if (here === null) return
  const rows = await readyPhotos(rdv_id)
  // Waits for writes in progress, which would bring the draft back after it was removed.
  await writeDrafts()
  const draft = draftOf(rdv_id)
  const photos: InterventionBody['photos'] = draft.photos.flatMap(({ id, moment }) => {
    const sha256 = rows.find((row) => row.id === id)?.sha256
    return sha256 ? [{ sha256, moment }] : []
  })
  const png = closing?.png ?? null
  const signature = png === null ? null : await sha256Of(png)
  const body = interventionOf({ ...draft, resultat }, photos, closing && { signature, vu: closing.vu })
  const files = rows.flatMap(({ sha256, type, size }) => (sha256 === null ? [] : [freshFile({ sha256, type, size })]))
  const signed =
    png !== null && signature !== null
      ? [freshFile({ sha256: signature, type: 'image/png', size: png.byteLength })]
      : []
  const all = [...files, ...signed]
  const fact = factOf(rdv_id, { operation: 'intervention', body }, [...new Set(all.map(({ sha256 }) => sha256))])
  const beside: Put[] = [
    { kind: 'draft', id: String(rdv_id), value: null },
    { kind: 'ink', id: String(rdv_id), value: null },
    ...rows.map(({ id }): Put => ({ kind: 'photo', id, value: null })),
    ...(signature === null ? [] : [{ kind: 'file' as const, id: signature, value: png }]),
  ]
  await changeOutbox(here, (before) => queued(before, fact, all), ...beside)
  forgetDraft(rdv_id)
  if (draft.commentaire !== undefined) changeDraft(rdv_id, { commentaire: draft.commentaire })
  void sendSoon()
}

export const tryAgain = ({ id }: Item): Promise<void> => change((before) => retried(before, id))

export async function giveUp({ id }: Item): Promise<void> {
  const here = own.peek()
  if (here !== null) await changeOutbox(here, (before) => removed(before, id))
}

/** Ends the visit of an erased client with a report that has only a result: texts and photos are no longer accepted. */
export async function endWithoutText(item: Item): Promise<void> {
  const resultat = item.operation === 'intervention' ? item.body.resultat : 'resolu'
  await tellInstead(item, { operation: 'intervention', body: { resultat, photos: [] } })
}

/** Replaces a finished report by another one, only once even if the user presses twice. */
export function tellInstead({ id, rdv_id }: Item, told: FactContent): Promise<void> {
  const fact = factOf(rdv_id, told)
  return change((before) => (before.items.some((item) => item.id === id) ? queued(removed(before, id), fact) : before))
}
