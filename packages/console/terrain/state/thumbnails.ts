import { call } from '../send/calls.js'
import { line, reach } from './contact.js'
import { clock, day, type Own, own } from './own.js'

/** A picture's address ends with its hash, so that a stored one is never requested again. */
const nameOf = (url: string) => new URL(url, location.origin).pathname.split('/').at(-1) ?? url

/** A thumbnail of a case: from this phone, or else from the service; null if neither has it now. */
export async function thumbnail(url: string): Promise<ArrayBuffer | null> {
  const here = own.peek()
  if (here === null) return null
  const kept = await here.store.readBytes('thumb', nameOf(url))
  if (kept !== null || reach.peek() !== 'ready') return kept
  return fetched(url)
}

async function fetched(url: string): Promise<ArrayBuffer | null> {
  const here = own.peek()
  if (here === null) return null
  try {
    const { pathname } = new URL(url, location.origin)
    const response = await call(line, clock, `${pathname}?vignette=1`)
    if (!response.ok) return null
    const content = await response.arrayBuffer()
    // If the thumbnail does not fit into the storage, it is shown anyway.
    await here.store.write({ kind: 'thumb', id: nameOf(url), value: content }).catch(() => {})
    return content
  } catch {
    return null
  }
}

/** Downloads the thumbnails of all cases before they are viewed, and deletes those of cases that are gone. */
export function keepThumbnails(): void {
  let isRunning = false
  let isAskedAgain = false
  const bring = async () => {
    const here = own.peek()
    if (here === null || reach.peek() !== 'ready') return
    isAskedAgain = isRunning
    if (isRunning) return
    isRunning = true
    await brought(here).catch(console.error)
    isRunning = false
    if (isAskedAgain) await bring()
  }
  day.subscribe(() => void bring())
  reach.subscribe(() => void bring())
}

async function brought(here: Own): Promise<void> {
  const urls = (day.peek()?.told.dossiers ?? []).flatMap(({ photos }) => photos.map(({ url }) => url))
  const there = new Set(await here.store.ids('thumb'))
  for (const url of urls) if (own.peek() === here && !there.has(nameOf(url))) await fetched(url)
  const needed = new Set(urls.map(nameOf))
  const old = [...there].filter((name) => !needed.has(name))
  if (own.peek() === here && old.length > 0)
    await here.store.write(...old.map((id) => ({ kind: 'thumb' as const, id, value: null })))
}
