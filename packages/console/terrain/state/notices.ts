import { signal } from '@preact/signals'
import { PhoneFullError } from '../store/own-store.js'
import { words } from '../words/words.js'

/** A message that is shown for a while; an error stays until it is dismissed. */
export interface Notice {
  readonly text: string
  readonly isTrouble: boolean
}

export const notice = signal<Notice | null>(null)

const shownMs = 4_000
let timer: ReturnType<typeof setTimeout> | undefined

export function say(text: string): void {
  clearTimeout(timer)
  notice.value = { text, isTrouble: false }
  timer = setTimeout(() => {
    notice.value = null
  }, shownMs)
}

export function sayTrouble(text: string): void {
  clearTimeout(timer)
  notice.value = { text, isTrouble: true }
}

/** Shows why something was not stored. */
export function sayFailed(error: unknown): void {
  const { trouble } = words.value
  sayTrouble(error instanceof PhoneFullError ? trouble.full : trouble.other)
  if (!(error instanceof PhoneFullError)) console.error(error)
}
