import * as z from 'zod'

/**
 * Reads query strings for what `schema` takes: its integers become numbers, nothing else is judged here. Whatever cannot
 * be the value of a parameter is handed on as something that the schema refuses, so that one answer names it beside
 * every other bad parameter: a parameter given twice as the list of its values, one that is not percent-encoded UTF-8
 * as null.
 */
export function queryReader<S extends z.ZodObject>(schema: S): (query: string) => z.input<S> {
  const integers = new Set(
    Object.entries(z.toJSONSchema(schema, { io: 'input' }).properties ?? {})
      .filter(([, property]) => typeof property === 'object' && property.type === 'integer')
      .map(([name]) => name),
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
      const value = text !== null && integers.has(name) && /^\d+$/.test(text) ? Number(text) : text
      values[name] = name in values ? [values[name], value] : value
    }
    return values
  }
}

function decode(text: string): string | null {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
