import type * as z from 'zod'

/**
 * Reads query strings for `schema`. A text that looks like a number becomes a number if its parameter may be one. The
 * schema checks the values later. Two faults become values that the schema refuses, so that one answer can list all bad
 * parameters: a parameter given twice becomes an array, and invalid percent-encoding or UTF-8 becomes null.
 */
export function queryReader<S extends z.ZodObject>(schema: S): (query: string) => z.input<S> {
  const numbers = new Map(Object.entries(schema.shape).map(([name, field]) => [name, numberIn(field)]))

  return (query) => {
    // Without a prototype, so that `__proto__` is an ordinary name.
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

const whole = /^\d+$/
const fractional = /^-?\d{1,15}(\.\d{1,15})?$/

/**
 * The form of the numbers that a parameter takes; undefined if it takes none. This is also in its JSON schema, which
 * takes 20 ms to generate.
 */
function numberIn(parameter: z.core.$ZodType): RegExp | undefined {
  const { def } = parameter._zod as z.core.$ZodTypes['_zod']
  switch (def.type) {
    case 'number':
      return 'format' in def ? whole : fractional
    case 'optional':
    case 'nullable':
    case 'default':
      return numberIn(def.innerType)
    case 'pipe':
      return numberIn(def.in)
    case 'union':
      return def.options.map(numberIn).find((found) => found !== undefined)
    default:
      return undefined
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
