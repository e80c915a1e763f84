import { signal } from '@preact/signals'
import type { Words } from './fr.js'
import { learn } from './service-words.js'

export type Language = 'fr' | 'en'

const kept = 'sav-language'

const chosen = (): Language => {
  const said = localStorage.getItem(kept) ?? navigator.language.slice(0, 2)
  return said === 'en' ? 'en' : 'fr'
}

/** The current locale, such as `fr-FR` or `en-GB`. */
export const locale = signal('fr-FR')
export const language = signal<Language>('fr')
/** The words of the current language. Nothing is drawn before `speak` has loaded them. */
export const words = signal({} as Words)

export async function speak(next: Language = chosen()): Promise<void> {
  words.value = next === 'en' ? (await import('./en.js')).en : (await import('./fr.js')).fr
  language.value = next
  locale.value = next === 'en' ? 'en-GB' : 'fr-FR'
  document.documentElement.lang = next
  // The sentences of refusals are loaded after the first screen.
  if (next === 'fr') void import('./fr/refusals.js').then(({ refusals, foundNames }) => learn(refusals, foundNames))
  else learn({})
}

export async function choose(next: Language): Promise<void> {
  localStorage.setItem(kept, next)
  await speak(next)
}
