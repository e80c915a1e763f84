import { reason } from '@sav/core/adapter'
import type { ApiRequest, BodyBudget } from './exchange.js'
import { Refusal } from './failures.js'

/**
 * The fields of a page's form, by name. Of several fields with one name, the last counts.
 * @throws Refusal: 413 if the body exceeds its budget, 415 if it is not a browser's form, and those of `readBody`
 */
export async function readForm(request: ApiRequest, budget: BodyBudget): Promise<Record<string, string>> {
  const type = request.header('content-type')?.replace(/;.*/s, '').trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded' || request.header('content-encoding') !== undefined)
    throw new Refusal('unsupported_media_type', { because: reason('content_type_not_form') })
  const declared = request.header('content-length')
  const isTooLong = declared !== undefined && !(Number(declared) <= budget.maxBytes)
  const bytes = isTooLong ? null : await request.readBody(budget)
  if (bytes === null) throw new Refusal('payload_too_large', { fields: { max_bytes: budget.maxBytes } })
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)))
}
