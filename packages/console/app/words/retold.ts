/** A time in the service's French form, in English; other values unchanged. */
const spoken = (value: string) => value.replace(/^(\d\d\/\d\d\/\d{4}) à (\d\d:\d\d)$/, '$1 at $2')

/** A match of a sentence: the values of its placeholders, and where it ends in the text. */
interface Fit {
  readonly end: number
  readonly values: Readonly<Record<string, string>>
}

/**
 * Every match of a sentence that begins at `at` and is followed by a space or the end of the text.
 * @param pieces literals and names of placeholders, alternately
 */
function* fits(text: string, at: number, pieces: readonly string[], values: Fit['values'] = {}): Generator<Fit> {
  const [literal = '', place, ...rest] = pieces
  if (!text.startsWith(literal, at)) return
  const end = at + literal.length
  if (place === undefined) {
    if (end === text.length || text[end] === ' ') yield { end, values }
    return
  }
  const [next = ''] = rest
  // A placeholder at the end of a sentence takes the rest of the text.
  if (next === '') return yield { end: text.length, values: { ...values, [place]: text.slice(end) } }
  for (let to = text.indexOf(next, end); to >= 0; to = text.indexOf(next, to + 1))
    yield* fits(text, to, rest, { ...values, [place]: text.slice(end, to) })
}

/**
 * Translates texts that consist of the service's own sentences, sentence by sentence; others result in null.
 * @param sentences translations by the service's sentences, with placeholders such as `Client absent le {quand}.`
 */
export function translating(sentences: Readonly<Record<string, string>>): (text: string) => string | null {
  const known = Object.entries(sentences).map(([sentence, other]) => ({ pieces: sentence.split(/\{(\w+)\}/), other }))
  return (text) => {
    const tried = new Map<number, string | null>()
    const from = (at: number): string | null => {
      if (at >= text.length) return ''
      const before = tried.get(at)
      if (before !== undefined) return before
      const said = beginningAt(at)
      tried.set(at, said)
      return said
    }
    const beginningAt = (at: number): string | null => {
      for (const { pieces, other } of known)
        for (const { end, values } of fits(text, at, pieces)) {
          const rest = from(end + 1)
          if (rest === null) continue
          const said = other.replace(/\{(\w+)\}/g, (_, place: string) => spoken(values[place] ?? ''))
          return rest === '' ? said : `${said} ${rest}`
        }
      return null
    }
    return from(0)
  }
}
