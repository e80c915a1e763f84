import { call } from '../send/calls.js'
import { line, reach } from './contact.js'
import { clock, day, type Own, own } from './own.js'

/** The address of a picture ends with what it holds, so that one that is here is never asked for again. */
const nameOf = (url: string) => new URL(url, location.origin).pathname.split('/').at(-1) ?? url

/** A small picture of a case: as it is on this phone, else from the service; null if neither has it now. */
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
    // One that does not fit is shown all the same.
    await here.store.write({ kind: 'thumb', id: nameOf(url), value: content }).catch(() => {})
    return content
  } catch {
    return null
  }
}

/** Brings the pictures of all cases here before they are looked at, and takes away those of cases that left. */
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
