import { constants, crc32, deflateRawSync } from 'node:zlib'

/** The start and spacing of the pixels in each pass of an interlaced PNG (PNG specification §8.2). */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/**
 * A complete PNG in transparent black, of less than 1 MB, that decodes to `side`² × 8 bytes. If it is interlaced, no
 * decoder can draw it in strips.
 */
export function vastPng(side: number, { interlaced }: { readonly interlaced: boolean }): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([16, 6, 0, 0, interlaced ? 1 : 0], 8)
  const rows = interlaced
    ? passes.map(([x, y, dx, dy]) => Math.ceil((side - y) / dy) * (1 + 8 * Math.ceil((side - x) / dx)))
    : [side * (1 + 8 * side)]
  const parts = [
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', zeros(rows.reduce((sum, bytes) => sum + bytes))),
    chunk('IEND'),
  ]
  return Buffer.concat(parts)
}

/** A complete black PNG of one bit a pixel, small even with 100 million pixels. */
export function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0], 8)
  const rows = zeros(height * (1 + Math.ceil(width / 8)))
  const magic = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([magic, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND')])
}

/** A zlib stream (RFC 1950) of zeros, made of blocks of 16 MiB. */
function zeros(length: number): Buffer {
  const unit = 16 * 1024 * 1024
  const block = (size: number): Buffer => deflateRawSync(Buffer.alloc(size), { finishFlush: constants.Z_SYNC_FLUSH })
  const whole = block(unit)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt16BE(length % 65_521, 0)
  checksum.writeUInt16BE(1, 2)
  const blocks = Array<Buffer>(Math.floor(length / unit)).fill(whole)
  const end = Buffer.from('0300', 'hex')
  return Buffer.concat([Buffer.from('789c', 'hex'), ...blocks, block(length % unit), end, checksum])
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
