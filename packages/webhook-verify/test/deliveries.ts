import { readFileSync } from 'node:fs'
import { sign } from '../src/sign.js'

export const secret = 'whsec_CY0lWQYoHozAe58bthpFPRC6BG9VBvXEmdGmpO0TNTM='
export const otherSecret = 'whsec_48WWbUfVNtlEQJ5v77ypUJktmRs7sc28ocG7vAd7tHU='

/** 2026-01-15T10:30:00Z in Unix seconds: the moment of every delivery here, unless it says otherwise. */
export const sentAt = 1768473000
export const now = sentAt * 1000

export const createdEvent = {
  event: 'sav.created',
  timestamp: '2026-01-15T10:30:00.000Z',
  data: {
    event_id: 'evt_1',
    id: 1842,
    reference: 'SAV-2026-01842',
    statut: 'ouvert',
    priorite: 'haute',
    type_probleme: 'facade',
    client: { id: 12 },
    poseur: null,
    version: 1,
    changements: [],
  },
}

/** A delivery as it arrives in Node: bytes, and header names in lower case. */
export async function delivery({
  body = JSON.stringify(createdEvent) as string | Uint8Array,
  timestamp = sentAt,
} = {}) {
  const signed = await sign({ id: 'evt_1', timestamp, body, secret })
  const headers: Record<string, string> = { 'content-type': 'application/json', 'x-webhook-event': 'sav.created' }
  for (const [name, value] of Object.entries(signed)) headers[name.toLowerCase()] = value
  return { body: typeof body === 'string' ? new TextEncoder().encode(body) : body, headers }
}

export interface Vector {
  readonly name: string
  readonly secret: string
  readonly body: Uint8Array
  readonly x_webhook_signature: string
  readonly webhook_id: string
  readonly webhook_timestamp: number
  readonly webhook_signature: string
}

interface VectorFile {
  readonly vectors: readonly (Omit<Vector, 'body'> & { readonly body_base64: string })[]
}

/** Signatures made by openssl, not by the code under test. */
export function readVectors(): Vector[] {
  const file: VectorFile = JSON.parse(readFileSync(new URL('../vectors.json', import.meta.url), 'utf8'))
  return file.vectors.map(({ body_base64, ...vector }) => ({ ...vector, body: Buffer.from(body_base64, 'base64') }))
}
