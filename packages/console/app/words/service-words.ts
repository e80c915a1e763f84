import { signal } from '@preact/signals'

type Template = readonly [pattern: RegExp, sentence: string]

/** Of the language that is spoken; none where that is the service's own. */
const templates = signal<readonly Template[]>([])

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The more of a sentence is fixed, the better it fits. */
const fixed = (template: string) => template.replaceAll('{}', '').length

export function learn(sentences: Readonly<Record<string, string>>): void {
  templates.value = Object.entries(sentences)
    .toSorted(([a], [b]) => fixed(b) - fixed(a))
    .map(([template, sentence]) => [new RegExp(`^${template.split('{}').map(escaped).join('(.+?)')}$`, 's'), sentence])
}

/** What the service said, in the language that is spoken; what is not known stays as it came. */
export function inOurWords(said: string): string {
  for (const [pattern, sentence] of templates.value) {
    const found = pattern.exec(said)
    if (found === null) continue
    let hole = 0
    return sentence.replaceAll('{}', () => {
      hole += 1
      return filled(found[hole] ?? '')
    })
  }
  return said
}

/** What stands in a hole may be a sentence of its own, or an instant. */
const filled = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) ? moment(text) : text.includes(' ') ? inOurWords(text) : text

const moment = (instant: string) =>
  new Date(instant).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' })
