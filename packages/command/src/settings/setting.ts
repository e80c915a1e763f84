import * as z from 'zod'

/**
 * Which part of a value is never shown. `secret`: all of it; only its length is shown. `address`: the password. Of an
 * address that does not parse, only the length is shown, since the password may be anywhere in it.
 */
export type Holds = 'secret' | 'address' | 'nothing secret'

interface Declaration<T> {
  /** The default value, as a person would write it; empty if not given. */
  readonly fallback?: string
  /** The allowed values, for the message about a text that does not parse. */
  readonly allowed: string
  readonly holds?: Holds
  /** Returns undefined if the text does not parse. */
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
