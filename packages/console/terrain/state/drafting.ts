import type { Moment } from '../api.js'
import { reduced } from '../photos/reduce.js'
import { PhoneFullError, type Put } from '../store/own-store.js'
import { type Draft, type DraftPhoto, emptyDraft, type PhotoRow } from '../sync/draft.js'
import { sha256Of } from '../vault/sealed.js'
import { words } from '../words/words.js'
import { sayFailed, sayTrouble } from './notices.js'
import { drafts, type Own, own, photoRows } from './own.js'

export const draftOf = (rdv_id: number): Draft => drafts.value.get(rdv_id) ?? emptyDraft

const draftPut = (rdv_id: number, value: Draft | null): Put => ({ kind: 'draft', id: String(rdv_id), value })

/** Drafts that changed since they were last written, and the writing of each that is under way. */
const unwritten = new Set<number>()
const writing = new Map<number, Promise<void>>()

/** What is typed is on the screen and, one write after the other, on the phone. */
export function changeDraft(rdv_id: number, change: Partial<Draft>): void {
  show(rdv_id, { ...draftOf(rdv_id), ...change })
  unwritten.add(rdv_id)
  if (!writing.has(rdv_id)) writing.set(rdv_id, writeDraft(rdv_id))
}

function show(rdv_id: number, draft: Draft): void {
  drafts.value = new Map(drafts.peek()).set(rdv_id, draft)
}

async function writeDraft(rdv_id: number): Promise<void> {
  while (unwritten.delete(rdv_id)) {
    const draft = drafts.peek().get(rdv_id)
    if (draft !== undefined) await own.peek()?.store.write(draftPut(rdv_id, draft)).catch(sayFailed)
  }
  writing.delete(rdv_id)
}

/** Resolves when nothing that was typed is on the screen alone. */
export const writeDrafts = (): Promise<unknown> => Promise.all(writing.values())

/** Photos that came while it was locked, by whose they are: kept as soon as they can be. */
const early: { readonly person: string; readonly rdv_id: number; readonly moment: Moment; readonly file: File }[] = []

/** Keeps a photo as the camera gave it before anything else is done with it; then it is made smaller. */
export async function keepPhoto(person: string, rdv_id: number, moment: Moment, file: File): Promise<void> {
  const here = own.peek()
  if (here?.profile.id !== person) {
    early.push({ person, rdv_id, moment, file })
    return
  }
  const raw = await file.arrayBuffer()
  const row: PhotoRow = {
    id: crypto.randomUUID(),
    rdv_id,
    moment,
    state: 'raw',
    type: file.type,
    sha256: null,
    size: raw.byteLength,
  }
  const photo: DraftPhoto = { id: row.id, moment }
  try {
    await here.store.write(
      { kind: 'raw', id: row.id, value: raw },
      { kind: 'photo', id: row.id, value: row },
      draftPut(rdv_id, withPhoto(rdv_id, photo)),
    )
    if (own.peek() === here) {
      showRow(row)
      // Text that was typed meanwhile stays.
      changeDraft(rdv_id, withPhoto(rdv_id, photo))
    }
    await makeSmaller(here, row)
  } catch (error) {
    if (!(error instanceof PhoneFullError)) return sayFailed(error)
    // As it is it does not fit; smaller it may.
    await keepSmall(here, row, raw, photo).catch(sayFailed)
  }
}

const withPhoto = (rdv_id: number, photo: DraftPhoto): Draft => {
  const draft = drafts.peek().get(rdv_id) ?? emptyDraft
  return { ...draft, photos: [...draft.photos, photo] }
}

const showRow = (row: PhotoRow) => {
  photoRows.value = new Map(photoRows.peek()).set(row.id, row)
}

async function readyRow(row: PhotoRow, raw: ArrayBuffer) {
  const jpeg = await reduced(raw, row.type)
  if (jpeg === null) return null
  const sha256 = await sha256Of(jpeg)
  const ready: PhotoRow = { ...row, state: 'ready', type: 'image/jpeg', sha256, size: jpeg.byteLength }
  return { jpeg, ready }
}

let smaller: Promise<unknown> = Promise.resolve()

/** One after the other: ten of 12 MB at once are more than a phone has room for. */
function makeSmaller(here: Own, row: PhotoRow): Promise<void> {
  const made = smaller.then(async () => {
    const raw = await here.store.readBytes('raw', row.id)
    if (raw === null) return
    const found = await readyRow(row, raw)
    if (found === null) {
      await removePhoto(here, row)
      return sayTrouble(words.value.trouble.unreadable)
    }
    const { jpeg, ready } = found
    await here.store.write(
      { kind: 'file', id: ready.sha256 ?? '', value: jpeg },
      { kind: 'photo', id: row.id, value: ready },
      { kind: 'raw', id: row.id, value: null },
    )
    if (own.peek() === here && photoRows.peek().has(row.id)) showRow(ready)
  })
  smaller = made.catch(() => {})
  return made
}

async function keepSmall(here: Own, row: PhotoRow, raw: ArrayBuffer, photo: DraftPhoto): Promise<void> {
  const found = await readyRow(row, raw)
  if (found === null) return sayTrouble(words.value.trouble.unreadable)
  await here.store.write(
    { kind: 'file', id: found.ready.sha256 ?? '', value: found.jpeg },
    { kind: 'photo', id: row.id, value: found.ready },
    draftPut(row.rdv_id, withPhoto(row.rdv_id, photo)),
  )
  if (own.peek() !== here) return
  showRow(found.ready)
  changeDraft(row.rdv_id, withPhoto(row.rdv_id, photo))
}

export async function removePhoto(here: Own, { id, rdv_id, sha256 }: PhotoRow): Promise<void> {
  const without = () => ({ photos: draftOf(rdv_id).photos.filter((photo) => photo.id !== id) })
  const rows = new Map(photoRows.peek())
  rows.delete(id)
  const isShared = [...rows.values()].some((row) => row.sha256 === sha256)
  await here.store.write(
    draftPut(rdv_id, { ...draftOf(rdv_id), ...without() }),
    { kind: 'photo', id, value: null },
    { kind: 'raw', id, value: null },
    ...(sha256 === null || isShared ? [] : [{ kind: 'file' as const, id: sha256, value: null }]),
  )
  changeDraft(rdv_id, without())
  photoRows.value = rows
}

/** Resolves when each photo of a visit is as it is sent. */
export async function readyPhotos(rdv_id: number): Promise<PhotoRow[]> {
  await smaller
  return [...photoRows.peek().values()].filter((row) => row.rdv_id === rdv_id && row.state === 'ready')
}

export function forgetDraft(rdv_id: number): void {
  unwritten.delete(rdv_id)
  const left = new Map(drafts.peek())
  left.delete(rdv_id)
  drafts.value = left
  photoRows.value = new Map([...photoRows.peek()].filter(([, row]) => row.rdv_id !== rdv_id))
}

/** Goes on with what an end of the app broke off. */
export function keepDrafting(): void {
  own.subscribe((here) => {
    if (here === null) return
    for (const row of photoRows.peek().values()) if (row.state === 'raw') void makeSmaller(here, row).catch(sayFailed)
    for (const photo of early.splice(0)) void keepPhoto(photo.person, photo.rdv_id, photo.moment, photo.file)
  })
}
