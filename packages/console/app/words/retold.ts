/** Times, as the service writes them. */
const spoken = (value: string) => value.replace(/^(\d\d\/\d\d\/\d{4}) à (\d\d:\d\d)$/, '$1 at $2')

/** The values of a sentence's places, and where the sentence ends. */
interface Fit {
  readonly end: number
  readonly values: Readonly<Record<string, string>>
}

/**
 * Each way to read a sentence in a text from `at` on, up to a space or the end of the text.
 * @param pieces of the sentence: a literal, the name of a place, a literal, and so on
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
  // A place at the end of a sentence takes the rest of the text.
  if (next === '') return yield { end: text.length, values: { ...values, [place]: text.slice(end) } }
  for (let to = text.indexOf(next, end); to >= 0; to = text.indexOf(next, to + 1))
    yield* fits(text, to, rest, { ...values, [place]: text.slice(end, to) })
}

/**
 * A text of the service's own in other words, sentence by sentence; null if any part of it is not.
 * @param sentences by those that the service writes, with places such as `Client absent le {quand}.`
 */
export function retold(text: string, sentences: Readonly<Record<string, string>>): string | null {
  const known = Object.entries(sentences).map(([sentence, other]) => ({ pieces: sentence.split(/\{(\w+)\}/), other }))
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
