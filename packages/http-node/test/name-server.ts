import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

/** The answer of the test's name server for a name. */
export interface NameAnswer {
  readonly addresses: readonly string[]
  readonly ttlSeconds?: number
  readonly rcode?: 'SERVFAIL' | 'NXDOMAIN'
  /** The only kind of record that gets an answer. Default: every kind. */
  readonly only?: RecordType
}

export type RecordType = 'A' | 'AAAA'

export interface NameServer {
  /** The address with its port, as a sender expects it. */
  readonly address: string
  /** The questions so far, without repetitions: `A receiver.example`. */
  readonly asked: string[]
  close(): Promise<void>
}

const rcodes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3 } as const
const types: Readonly<Record<number, RecordType>> = { 1: 'A', 28: 'AAAA' }

/**
 * A name server on its own UDP port. It does not answer when `answerFor` resolves to null. A question that is repeated
 * because the answer took long has the same id.
 */
export async function nameServer(
  answerFor: (name: string, type: RecordType, id: number) => NameAnswer | null | Promise<NameAnswer | null>,
): Promise<NameServer> {
  const asked: string[] = []
  const ids = new Set<number>()
  const socket = createSocket('udp4')
  socket.on('message', async (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    const id = query.readUInt16BE(0)
    if (!ids.has(id)) asked.push(`${type} ${name}`)
    ids.add(id)
    const answer = await answerFor(name, type, id)
    if (answer === null || (answer.only !== undefined && answer.only !== type)) return
    socket.send(responseTo(query.subarray(0, end), type, answer), port, address, () => {})
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function questionOf(query: Buffer): { name: string; type: RecordType; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = types[query.readUInt16BE(at + 1)]
  if (type === undefined) throw new Error('asked for something else than addresses')
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 }
}

function responseTo(query: Buffer, type: RecordType, { addresses, ttlSeconds = 60, rcode }: NameAnswer): Buffer {
  const found = addresses.filter((address) => isIPv6(address) === (type === 'AAAA'))
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(0x8180 | rcodes[rcode ?? 'NOERROR'], 2)
  for (const [at, count] of [1, found.length, 0, 0].entries()) head.writeUInt16BE(count, 4 + at * 2)
  const records = found.map((address) => {
    const data = bytesOf(address)
    const fields = Buffer.alloc(12)
    fields.writeUInt16BE(0xc00c, 0)
    fields.writeUInt16BE(type === 'A' ? 1 : 28, 2)
    fields.writeUInt16BE(1, 4)
    fields.writeUInt32BE(ttlSeconds, 6)
    fields.writeUInt16BE(data.length, 10)
    return Buffer.concat([fields, data])
  })
  return Buffer.concat([head, query.subarray(12), ...records])
}

function bytesOf(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number))
  // `URL` writes the whole address in hexadecimal groups, without an IPv4 address at its end.
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string | undefined) => (text ? text.split(':') : [])
  const [first, last] = [groups(before), groups(after)]
  const zeros = after === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => '0')
  const bytes = Buffer.alloc(16)
  for (const [at, group] of [...first, ...zeros, ...last].entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), at * 2)
  return bytes
}
