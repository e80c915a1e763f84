import { WebhookVerificationError } from './errors.js'

/** Web `Headers`, the headers object of a Node request, or any pairs of a name and a value. */
export type WebhookHeaders =
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | readonly string[] | null | undefined>>

/**
 * The only value of a header, whatever the case of its name.
 *
 * @throws {WebhookVerificationError} `missing_header`, or `duplicate_header`, even if the platform has already joined
 *   two values by a comma and a space, as Node and `Headers` do. No value of a signed header contains these.
 */
export function singleHeader(headers: WebhookHeaders, name: string): string {
  const value = isIterable(headers) ? fromPairs(headers, name) : fromRecord(headers, name)
  if (!value) throw new WebhookVerificationError('missing_header', `The header ${name} is missing.`)
  if (value.includes(', ')) throw duplicate(name)
  return value
}

function fromPairs(headers: Iterable<readonly [string, string]>, name: string): string | undefined {
  let found: string | undefined
  for (const [key, value] of headers) {
    if (!sameName(key, name)) continue
    if (found !== undefined) throw duplicate(name)
    found = value
  }
  return found
}

function fromRecord(headers: Readonly<Record<string, string | readonly string[] | null | undefined>>, name: string) {
  let found: string | undefined
  for (const key in headers) {
    if (!sameName(key, name)) continue
    const value = headers[key]
    if (value === undefined || value === null) continue
    if (found !== undefined || (typeof value !== 'string' && value.length > 1)) throw duplicate(name)
    found = typeof value === 'string' ? value : value[0]
  }
  return found
}

/** Comparing lengths first avoids converting most other names to lower case. */
function sameName(key: string, name: string): boolean {
  return key === name || (key.length === name.length && key.toLowerCase() === name)
}

function isIterable(headers: WebhookHeaders): headers is Iterable<readonly [string, string]> {
  return Symbol.iterator in headers
}

function duplicate(name: string): WebhookVerificationError {
  return new WebhookVerificationError('duplicate_header', `The header ${name} came more than once.`)
}
