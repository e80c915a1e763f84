import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { expect } from 'vitest'
import { type Answer, onSqlite, served } from './service.js'

export const description = 'La porte du meuble bas ne ferme plus.'
export const actor = { account_id: 'default', type: 'cli', id: null, nom: 'test' } as const
export const resolution = 'Charnière remplacée et porte réglée.'

export const jpeg = (length = 40) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(length - 4)])

/** A complete PNG, black or white. An ignored chunk pads it to `length`. */
export function png({ width = 10, height = 10, length = 200, white = false } = {}): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const framed = Buffer.alloc(body.length + 8)
    framed.writeUInt32BE(data.length)
    body.copy(framed, 4)
    framed.writeUInt32BE(crc32(body), body.length + 4)
    return framed
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  const row = Buffer.from([0, ...Buffer.alloc(Math.ceil(width / 8), white ? 0xff : 0)])
  const pixels = deflateSync(Buffer.concat(Array<Buffer>(height).fill(row)))
  const bytes = (filler: number) =>
    Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', header),
      chunk('teXt', Buffer.alloc(filler)),
      chunk('IDAT', pixels),
      chunk('IEND', Buffer.alloc(0)),
    ])
  return bytes(length - bytes(0).length)
}
export const uri = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`
export const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
export const fieldsOf = (answer: Answer): string[] =>
  answer.json.details.map((detail: { field: string }) => detail.field)

/** A new service for tests of cases, with the calls that they make. */
export async function openCases() {
  const { service, door } = await served(onSqlite.open, await onSqlite.store())

  const get = (path: string, headers = service.auth()) => door.call('GET', path, { headers })
  const send = (method: string, path: string, body: unknown, more = {}) =>
    door.call(method, path, { headers: service.auth(more), body: JSON.stringify(body) })
  const creation = (more = {}) => ({ client_id: service.client_id, description, ...more })
  const create = (more = {}) => send('POST', '/api/v1/sav', creation(more))
  const newCase = async (more = {}): Promise<number> => (await create(more)).json.data.id
  const closed = async (more = {}): Promise<number> => {
    const id = await newCase()
    const answer = await send('POST', `/api/v1/sav/${id}/cloturer`, { resolution, ...more })
    expect(answer.status).toBe(200)
    return id
  }

  function expectRefused(answer: Answer, fields: readonly string[]): void {
    expect(answer.json).toMatchObject({ success: false, error: 'Validation failed' })
    expect(answer.status).toBe(422)
    expect(fieldsOf(answer)).toEqual(fields)
    for (const { message } of answer.json.details) expect(message).toMatch(/\S/)
  }

  return { service, door, get, send, creation, create, newCase, closed, expectRefused }
}
