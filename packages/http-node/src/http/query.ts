import * as z from 'zod'

/**
 * Reads query strings for what `schema` takes: what may be a number and reads as one becomes one, nothing else is judged
 * here. Whatever cannot be the value of a parameter is handed on as something that the schema refuses, so that one answer
 * names it beside every other bad parameter: a parameter given twice as the list of its values, one that is not
 * percent-encoded UTF-8 as null.
 */
export function queryReader<S extends z.ZodObject>(schema: S): (query: string) => z.input<S> {
  const numbers = new Map(
    Object.entries(z.toJSONSchema(schema, { io: 'input' }).properties ?? {}).flatMap(([name, property]) => {
      const forms = typeof property === 'object' ? [property, ...(property.anyOf ?? [])] : []
      const pattern = forms.map((form) => patterns.get(String(Object(form).type))).find((found) => found !== undefined)
      return pattern === undefined ? [] : [[name, pattern]]
    }),
  )

  return (query) => {
    // Without a prototype, so that `__proto__` is a name like any other.
    const values = Object.create(null)
    for (const pair of query.split('&')) {
      if (pair === '') continue
      const equals = pair.indexOf('=')
      const [sentName, sentText] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
      const name = decode(sentName) ?? sentName
      const text = decode(sentText)
      const value = text !== null && numbers.get(name)?.test(text) ? Number(text) : text
      values[name] = name in values ? [values[name], value] : value
    }
    return values
  }
}

/** How numbers are written, by their kind in a JSON schema. */
const patterns: ReadonlyMap<string, RegExp> = new Map([
  ['integer', /^\d+$/],
  ['number', /^-?\d{1,15}(\.\d{1,15})?$/],
])

function decode(text: string): string | null {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
