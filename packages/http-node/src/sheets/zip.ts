import { crc32, createDeflateRaw } from 'node:zlib'
import { type Pieces, through } from '../http/pieces.js'

interface ZippedFile {
  readonly name: string
  readonly content: AsyncIterable<Uint8Array>
}

/** By the format's own numbers (APPNOTE §4.4.4, §4.4.5): sizes follow the file, names are UTF-8, deflated. */
const version = 20
const flags = 0x0808
const method = 8
/** 1980-01-01, the first day that the format knows: the same rows make the same bytes. */
const date = 0x21

/** A zip archive (APPNOTE 6.3) of at most 4 GiB, written as it is read. */
export async function* zipped(files: readonly ZippedFile[]): Pieces {
  const entries: Buffer[] = []
  let offset = 0
  for (const { name, content } of files) {
    const start = offset
    const sizes = { crc: 0, bytes: 0, deflated: 0 }
    const head = Buffer.concat([signed(0x04034b50), common(sizes, name), Buffer.from(name)])
    yield head
    for await (const piece of through(counted(content, sizes), createDeflateRaw())) {
      sizes.deflated += piece.length
      yield piece
    }
    yield Buffer.concat([signed(0x08074b50), numbers(4, sizes.crc, sizes.deflated, sizes.bytes)])
    offset += head.length + sizes.deflated + 16
    // Without comment, on disk 0, with no attributes.
    const place = Buffer.concat([numbers(2, 0, 0, 0), numbers(4, 0, start)])
    entries.push(
      Buffer.concat([signed(0x02014b50), numbers(2, version), common(sizes, name), place, Buffer.from(name)]),
    )
  }
  const directory = Buffer.concat(entries)
  const count = files.length
  const end = Buffer.concat([numbers(2, 0, 0, count, count), numbers(4, directory.length, offset), numbers(2, 0)])
  yield Buffer.concat([directory, signed(0x06054b50), end])
}

interface Sizes {
  crc: number
  bytes: number
  deflated: number
}

async function* counted(content: AsyncIterable<Uint8Array>, sizes: Sizes) {
  for await (const piece of content) {
    sizes.crc = crc32(piece, sizes.crc)
    sizes.bytes += piece.length
    yield piece
  }
}

/** What stands before a file and in the directory alike. */
const common = ({ crc, deflated, bytes }: Sizes, name: string) =>
  Buffer.concat([
    numbers(2, version, flags, method, 0, date),
    numbers(4, crc, deflated, bytes),
    numbers(2, Buffer.byteLength(name), 0),
  ])

const signed = (signature: number) => numbers(4, signature)

function numbers(bytes: 2 | 4, ...values: readonly number[]): Buffer {
  const written = Buffer.alloc(bytes * values.length)
  for (const [index, value] of values.entries()) written.writeUIntLE(value, index * bytes, bytes)
  return written
}
