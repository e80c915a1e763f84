import * as z from 'zod'

/**
 * What is never shown. `secret`: everything except its length. `address`: its password; if it does not parse,
 * everything except its length, since the password may be anywhere.
 */
export type Holds = 'secret' | 'address' | 'nothing secret'

interface Declaration<T> {
  /** As a person would write it; default: empty. */
  readonly fallback?: string
  /** The allowed values, listed when the text does not parse. */
  readonly allowed: string
  readonly holds?: Holds
  /** Undefined: it does not parse. */
  readonly parse: (text: string) => T | undefined
}

/** A setting, declared once: its environment variable, its allowed values and their meaning. */
export function setting<const Name extends string, T>(
  name: Name,
  { fallback = '', holds = 'nothing secret', allowed, parse }: Declaration<T>,
) {
  const schema = z
    .string()
    .default(fallback)
    .transform((text, context): T => {
      const value = parse(text)
      if (value !== undefined) return value
      context.addIssue({ code: 'custom', message: allowed })
      return z.NEVER
    })
  return Object.assign(schema, { variable: { name, fallback, holds } })
}
