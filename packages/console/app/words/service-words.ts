import { signal } from '@preact/signals'

/** Why the service refused: the code, what is filled in, and the service's own sentence of both, in English. */
export interface ServiceRefusal {
  readonly code: string
  readonly params: Readonly<Record<string, string | number>>
  readonly message: string
}

/** By code, of the language that is spoken; none where that is the service's own. */
const known = signal<Readonly<Record<string, string>>>({})

export function learn(sentences: Readonly<Record<string, string>>): void {
  known.value = sentences
}

/** In the language that is spoken; a code of a newer service is said as the service says it. */
export function inOurWords({ code, params, message }: ServiceRefusal): string {
  const sentence = known.value[code]
  return sentence === undefined
    ? message
    : sentence.replace(/\{(\w+)\}/g, (_, place: string) => moment(String(params[place] ?? '')))
}

/** An instant as people read it; anything else as it is. */
export const moment = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)
    ? new Date(text).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' })
    : text
