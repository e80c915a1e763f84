/** A sentence with places, such as `Client absent le {quand}.`, as what it is found by: at first as little in its places as can be. */
const formsOf = (sentence: string): RegExp[] =>
  ['*?', '*'].map((most) => {
    const form = sentence.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, `(?<$1>[^]${most})`)
    return new RegExp(sentence.endsWith('}') ? `^${form}$` : `^${form}(?: |$)`)
  })

/** Times, as the service writes them. */
const spoken = (value: string) => value.replace(/^(\d\d\/\d\d\/\d{4}) à (\d\d:\d\d)$/, '$1 at $2')

/**
 * A text of the service's own in other words, sentence by sentence; null if any part of it is not.
 * @param sentences by those that the service writes
 */
export function retold(text: string, sentences: Readonly<Record<string, string>>): string | null {
  if (text === '') return ''
  for (const [sentence, other] of Object.entries(sentences))
    for (const form of formsOf(sentence)) {
      const found = form.exec(text)
      const rest = found && retold(text.slice(found[0].length), sentences)
      if (found === null || rest === null) continue
      const said = other.replace(/\{(\w+)\}/g, (_, place: string) => spoken(found.groups?.[place] ?? ''))
      return rest === '' ? said : `${said} ${rest}`
    }
  return null
}
