import type { Moment } from '../api.js'
import { reduced } from '../photos/reduce.js'
import { holdVisit, PhoneFullError, type Put } from '../store/own-store.js'
import { type Draft, emptyDraft, isBegun, type PhotoRow, withPhoto, withTypedPart } from '../sync/draft.js'
import { sha256Of } from '../vault/sealed.js'
import { words } from '../words/words.js'
import { sayFailed, sayTrouble } from './notices.js'
import { drafts, type Own, outbox, own, photoRows } from './own.js'

export const draftOf = (rdv_id: number): Draft => drafts.value.get(rdv_id) ?? emptyDraft

/** Drafts changed since they were last written, and each write in progress. */
const unwritten = new Set<number>()
const writing = new Map<number, Promise<void>>()

/** Shows a change of a draft at once, and stores it on the phone. Writes of one draft follow each other. */
export function changeDraft(rdv_id: number, change: Partial<Draft>): void {
  show(rdv_id, { ...draftOf(rdv_id), ...change })
  unwritten.add(rdv_id)
  if (writing.has(rdv_id)) return
  const release = holdVisit(own.peek()?.profile.id ?? '', rdv_id)
  writing.set(rdv_id, writeDraft(rdv_id).finally(release))
}

export function addTypedPart(rdv_id: number): void {
  const draft = draftOf(rdv_id)
  const whole = withTypedPart(draft)
  if (whole !== draft) changeDraft(rdv_id, whole)
}

function show(rdv_id: number, draft: Draft): void {
  drafts.value = new Map(drafts.peek()).set(rdv_id, draft)
}

async function writeDraft(rdv_id: number): Promise<void> {
  while (unwritten.delete(rdv_id)) {
    const draft = draftOf(rdv_id)
    const value = isBegun(draft) ? draft : null
    await own
      .peek()
      ?.store.write({ kind: 'draft', id: String(rdv_id), value })
      .catch(sayFailed)
  }
  writing.delete(rdv_id)
}

/** Resolves when all typed text is stored. */
export const writeDrafts = (): Promise<unknown> => Promise.all(writing.values())

/** Photos that the camera delivered while the phone was locked. They are stored as soon as their user unlocks it. */
const early: EarlyPhoto[] = []

interface EarlyPhoto {
  readonly person: string
  readonly rdv_id: number
  readonly moment: Moment
  readonly file: File
  readonly release: () => void
}

let keeping: Promise<unknown> = Promise.resolve()

/** First stores photos as the camera produced them, and then reduces each one. */
export function keepPhotos(person: string, rdv_id: number, moment: Moment, files: readonly File[]): void {
  const release = holdVisit(person, rdv_id)
  keeping = keeping.then(async () => {
    for (const file of files)
      await keepPhoto(person, rdv_id, moment, file).catch(() => sayTrouble(words.value.trouble.photoFailed))
    release()
  })
}

async function keepPhoto(person: string, rdv_id: number, moment: Moment, file: File): Promise<void> {
  const here = own.peek()
  if (here?.profile.id !== person) {
    early.push({ person, rdv_id, moment, file, release: holdVisit(person, rdv_id) })
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
  try {
    if (await wasKept(here, row, { kind: 'raw', id: row.id, value: raw })) void makeSmaller(here, row).catch(sayFailed)
  } catch (error) {
    if (!(error instanceof PhoneFullError)) return sayFailed(error)
    // The original does not fit into the storage; the reduced photo may.
    await keepSmall(here, row, raw).catch(sayFailed)
  }
}

/** Stores a photo with its row. Resolves to false, and shows a message, if its visit is no longer on this phone. */
async function wasKept(here: Own, row: PhotoRow, content: Put): Promise<boolean> {
  const isThere = await here.store.writeOf(row.rdv_id, content, { kind: 'photo', id: row.id, value: row })
  if (isThere) putInDraft(here, row)
  else sayTrouble(words.value.trouble.photoOfNoVisit)
  return isThere
}

/** Adds a photo to its draft. If the phone was locked meanwhile, the draft picks up the photo when it is opened. */
function putInDraft(here: Own, row: PhotoRow): void {
  if (own.peek()?.profile.id !== here.profile.id) return
  showRow(row)
  changeDraft(row.rdv_id, withPhoto(draftOf(row.rdv_id), row))
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

/** Reduces photos one after the other: ten photos of 12 MB at once need more memory than a phone has. */
function makeSmaller(here: Own, { id }: PhotoRow): Promise<void> {
  const made = smaller.then(async () => {
    const row = await here.store.read<PhotoRow>('photo', id)
    if (row === null) return
    const raw = await here.store.readBytes('raw', id)
    // The photo was reduced, here or in another tab, after this profile was opened.
    if (raw === null) return showChanged(here, row)
    const found = await readyRow(row, raw)
    if (found === null) {
      await removePhoto(here, row)
      return sayTrouble(words.value.trouble.unreadable)
    }
    const { jpeg, ready } = found
    await here.store.writeWhere(
      'photo',
      id,
      { kind: 'file', id: ready.sha256 ?? '', value: jpeg },
      { kind: 'photo', id, value: ready },
      { kind: 'raw', id, value: null },
    )
    showChanged(here, ready)
  })
  smaller = made.catch(() => {})
  return made
}

const showChanged = (here: Own, row: PhotoRow) => {
  if (own.peek()?.profile.id === here.profile.id && photoRows.peek().has(row.id)) showRow(row)
}

async function keepSmall(here: Own, row: PhotoRow, raw: ArrayBuffer): Promise<void> {
  const found = await readyRow(row, raw)
  if (found === null) return sayTrouble(words.value.trouble.unreadable)
  await wasKept(here, found.ready, { kind: 'file', id: found.ready.sha256 ?? '', value: found.jpeg })
}

export async function removePhoto(here: Own, { id, rdv_id, sha256 }: PhotoRow): Promise<void> {
  const others = [...photoRows.peek().values()].filter((row) => row.id !== id)
  const isShared = [...others, ...outbox.peek().files].some((file) => file.sha256 === sha256)
  await here.store.write(
    { kind: 'photo', id, value: null },
    { kind: 'raw', id, value: null },
    ...(sha256 === null || isShared ? [] : [{ kind: 'file' as const, id: sha256, value: null }]),
  )
  // If the phone was locked meanwhile, the draft drops the photo when it is opened.
  if (!photoRows.peek().has(id)) return
  changeDraft(rdv_id, { photos: draftOf(rdv_id).photos.filter((photo) => photo.id !== id) })
  photoRows.value = new Map([...photoRows.peek()].filter(([known]) => known !== id))
}

/** Resolves when each photo of a visit is ready to be sent. */
export async function readyPhotos(rdv_id: number): Promise<PhotoRow[]> {
  await keeping
  await smaller
  return [...photoRows.peek().values()].filter((row) => row.rdv_id === rdv_id && row.state === 'ready')
}

export function forgetDraft(rdv_id: number): void {
  // A write in progress would restore the draft, so another write has to follow it.
  if (writing.has(rdv_id)) unwritten.add(rdv_id)
  const left = new Map(drafts.peek())
  left.delete(rdv_id)
  drafts.value = left
  photoRows.value = new Map([...photoRows.peek()].filter(([, row]) => row.rdv_id !== rdv_id))
}

/** Continues work that was interrupted when the app ended or was locked. */
export function keepDrafting(): void {
  own.subscribe((here) => {
    if (here === null) return
    for (const row of photoRows.peek().values()) if (row.state === 'raw') void makeSmaller(here, row).catch(sayFailed)
    for (const { person, rdv_id, moment, file, release } of early.splice(0)) {
      keepPhotos(person, rdv_id, moment, [file])
      release()
    }
  })
}
