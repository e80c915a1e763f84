import * as z from 'zod'
import { usageError } from '../process/command-error.js'

/** A webhook that a tool saved to a file. */
export interface CapturedRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

const asJson = z.object({
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  body: z.union([z.string(), z.record(z.string(), z.unknown())]),
})

/**
 * Parses a saved webhook: an HTTP message (headers, an empty line, the body to the last byte), with or without its
 * first line, or JSON `{ headers, body }`.
 * @throws CommandError for anything else
 */
export function capturedRequest(name: string, bytes: Buffer): CapturedRequest {
  return bytes.toString('latin1').trimStart().startsWith('{') ? fromJson(name, bytes) : fromMessage(name, bytes)
}

function fromJson(name: string, bytes: Buffer): CapturedRequest {
  let found: z.infer<typeof asJson>
  try {
    found = asJson.parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    throw usageError(`${name}: as JSON it must be { "headers": { … }, "body": "…" }.`)
  }
  const { headers, body } = found
  return {
    headers: Object.fromEntries(
      Object.entries(headers).map(([header, value]) => [header.toLowerCase(), [value].flat().join(', ')]),
    ),
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  }
}

function fromMessage(name: string, bytes: Buffer): CapturedRequest {
  const [end] = /\r?\n\r?\n/.exec(bytes.toString('latin1')) ?? []
  if (end === undefined)
    throw usageError(`${name}: it must hold the headers of the request, an empty line, and the body as it came.`)
  const at = bytes.indexOf(end)
  const headers: Record<string, string> = {}
  for (const line of bytes.subarray(0, at).toString('utf8').split(/\r?\n/)) {
    // `curl -v` writes `<`, `>` or `*` before each line.
    const [, header, value] = /^(?:[<>*] )?([!#$%&'*+.^_`|~\w-]+):(.*)$/.exec(line) ?? []
    if (header !== undefined && value !== undefined) headers[header.toLowerCase()] = value.trim()
  }
  return { headers, body: bytes.subarray(at + end.length) }
}
