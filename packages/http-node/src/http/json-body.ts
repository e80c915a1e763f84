import type { Reason } from '@sav/core'
import { reason } from '@sav/core/adapter'
import type { ApiRequest, BodyBudget } from './exchange.js'
import { Refusal } from './failures.js'

const maxDepth = 32

/**
 * The most values and names in one body; a string may count twice. Valid bodies have far fewer. Without this limit, 72
 * MiB of tiny values would take many times that much memory.
 */
const maxValues = 10_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A body as received, and its JSON value; the core's schema checks later whether it is a `T`. */
export interface JsonBody<T> {
  readonly bytes: Uint8Array
  readonly value: T
}

/**
 * @throws Refusal: 413 if it exceeds its budget (by its declared length, before it is read), 415 unless it is declared
 *   as JSON in UTF-8, 400 unless it is such JSON within bounds, 503 when the memory for bodies is used up
 */
export async function readJson<T>(request: ApiRequest, budget: BodyBudget): Promise<JsonBody<T>> {
  refuseDeclaredLength(request, budget)
  refuseOtherTypes(request)
  const bytes = await bytesOf(request, budget)
  return { bytes, value: parsed(bytes) }
}

/** Like `readJson`, but an empty body of any type is an empty object. */
export async function readOptionalJson<T>(request: ApiRequest, budget: BodyBudget): Promise<JsonBody<T>> {
  refuseDeclaredLength(request, budget)
  const bytes = await bytesOf(request, budget)
  if (bytes.length === 0) return { bytes, value: JSON.parse('{}') }
  refuseOtherTypes(request)
  return { bytes, value: parsed(bytes) }
}

function refuseDeclaredLength(request: ApiRequest, { maxBytes }: BodyBudget): void {
  const declared = request.header('content-length')
  if (declared !== undefined && !(Number(declared) <= maxBytes)) throw tooLarge(maxBytes)
}

function refuseOtherTypes(request: ApiRequest): void {
  if (isJson(request.header('content-type')) && request.header('content-encoding') === undefined) return
  throw new Refusal('unsupported_media_type', {
    because: reason('content_type_not_json'),
  })
}

async function bytesOf(request: ApiRequest, budget: BodyBudget): Promise<Uint8Array> {
  const bytes = await request.readBody(budget)
  if (bytes === null) throw tooLarge(budget.maxBytes)
  return bytes
}

function parsed<T>(bytes: Uint8Array): T {
  refuseTooMuch(bytes)
  const text = textOf(bytes)
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('malformed_json')
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw malformed(reason('body_not_utf8'))
  }
}

/** @throws Refusal for JSON that is nested too deep or has too many values, before any of it is built */
function refuseTooMuch(bytes: Uint8Array): void {
  let depth = 0
  let values = 1
  for (let i = 0; i < bytes.length; i += 1) {
    switch (bytes[i]) {
      case 0x22: // "
        values += 1
        i = endOfString(bytes, i)
        break
      case 0x2c: // ,
        values += 1
        break
      case 0x5b: // [
      case 0x7b: // {
        depth += 1
        values += 1
        if (depth > maxDepth) throw malformed(reason('json_too_deep', { max: maxDepth }))
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1
        break
    }
    if (values > maxValues) throw malformed(reason('json_too_many_values', { max: maxValues }))
  }
}

/** The end of the string that begins at `start`: a quote after an even number of backslashes. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(0x22, start + 1); end > 0; end = bytes.indexOf(0x22, end + 1)) {
    let backslashes = 0
    while (bytes[end - 1 - backslashes] === 0x5c) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return bytes.length
}

const malformed = (because: Reason) => new Refusal('malformed_json', { because })

const tooLarge = (max_bytes: number) => new Refusal('payload_too_large', { fields: { max_bytes } })

/** The parameters allowed after `application/json;`: JSON is always UTF-8 (RFC 8259 §8.1). */
const jsonParameters: ReadonlySet<string> = new Set(['', 'charset=utf-8', 'charset="utf-8"'])

function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true
  const [type, ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase())
  return type === 'application/json' && parameters.every((each) => jsonParameters.has(each))
}
