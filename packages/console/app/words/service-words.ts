import { signal } from '@preact/signals'

/** Why the service refused, or what it notes: the code, its params, and the service's own English sentence. */
export interface ServiceRefusal {
  readonly code: string
  readonly params: Readonly<Record<string, string | number>>
  readonly message: string
}

type Sentences = Readonly<Record<string, string>>
type FoundNames = ReadonlyMap<string, string>

/**
 * The sentences by code, and the names of what was found, in the current language. Both are empty if that is the
 * language of the service.
 */
const known = signal<{ readonly sentences: Sentences; readonly found: FoundNames }>({ sentences: {}, found: new Map() })

export function learn(sentences: Sentences, found: FoundNames = new Map()): void {
  known.value = { sentences, found }
}

/** A refusal in the current language. */
export const inOurWords = (refusal: ServiceRefusal): string => saidBy(known.value.sentences, refusal)

/** A refusal in words: the sentence for its code, or the service's own sentence if the code is unknown here. */
export function saidBy(sentences: Sentences, { code, params, message }: ServiceRefusal): string {
  const { found } = known.value
  const said = (place: string) => {
    const text = String(params[place] ?? '')
    return moment(place === 'found' ? (found.get(text) ?? text) : text)
  }
  return sentences[code]?.replace(/\{(\w+)\}/g, (_, place: string) => said(place)) ?? message
}

/** An instant as people read it; anything else unchanged. */
const moment = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)
    ? new Date(text).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' })
    : text
