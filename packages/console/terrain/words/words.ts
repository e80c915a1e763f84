import { computed, signal } from '@preact/signals'
import { learn } from '../../app/words/service-words.js'
import { en } from './en.js'
import { fr, type Words } from './fr.js'

export type Language = 'fr' | 'en'

const kept = 'sav-language'

const chosen = (): Language => ((localStorage.getItem(kept) ?? navigator.language.slice(0, 2)) === 'en' ? 'en' : 'fr')

export const language = signal<Language>('fr')
export const words = computed<Words>(() => (language.value === 'en' ? en : fr))
export const locale = computed(() => (language.value === 'en' ? 'en-GB' : 'fr-FR'))

export function speak(next: Language = chosen()): void {
  language.value = next
  document.documentElement.lang = next
  // The sentences of refusals are loaded after the first screen.
  if (next === 'fr')
    void import('../../app/words/fr/refusals.js').then(({ refusals, foundNames }) => learn(refusals, foundNames))
  else learn({})
}

export function choose(next: Language): void {
  localStorage.setItem(kept, next)
  speak(next)
}
