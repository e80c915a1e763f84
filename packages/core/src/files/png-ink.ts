/** How much darker than white paper ink must be, from 0 to 1: lighter ink is invisible in print. */
const visible = 1 / 16

/** Channels by colour type, and the depths that each allows (PNG specification §11.2.1). */
const colourTypes = new Map([
  [0, { channels: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { channels: 3, depths: [8, 16] }],
  [3, { channels: 1, depths: [1, 2, 4, 8] }],
  [4, { channels: 2, depths: [8, 16] }],
  [6, { channels: 4, depths: [8, 16] }],
])

/** Where the passes over an interlaced picture begin, and the distance between their pixels (§8.2). */
const interlaced = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
]
const inOnePass = [{ x: 0, y: 0, dx: 1, dy: 1 }]

interface Picture {
  readonly depth: number
  readonly colour: number
  readonly channels: number
  /** The number of pixels in each row, in file order. The first row of a pass has no row above it. */
  readonly rows: readonly { readonly pixels: number; readonly isFirst: boolean }[]
  /** RGB of each colour by its number. */
  readonly palette: Buffer
  /** The alpha of each palette colour; without a palette, the transparent colour, 16 bits for each channel. */
  readonly transparency: Buffer
  /** A deflate stream (RFC 1951). */
  readonly data: Blob
}

/**
 * Whether a PNG shows anything on white paper; null if its pixels cannot be read. They are decompressed in a thread of
 * the platform, in parts of some KiB, up to the first ink or to the end of the last row.
 */
export async function showsInk(content: Buffer): Promise<boolean | null> {
  const picture = pictureIn(content)
  if (picture === null) return null
  const { rows, channels, depth } = picture
  const isInk = inkTest(picture)
  const pixelBytes = Math.max(1, (channels * depth) / 8)
  let above: Uint8Array = new Uint8Array()
  let seen = 0
  try {
    for await (const row of unfolded(picture)) {
      const { pixels, isFirst } = rows[seen++] ?? { pixels: 0, isFirst: true }
      unfilter(row, isFirst ? new Uint8Array(row.length) : above, pixelBytes)
      for (let at = 0; at < pixels; at += 1)
        if (isInk((channel) => sample(row, at * channels + channel, depth))) return true
      above = row
    }
  } catch {
    // The data is not a deflate stream.
  }
  return seen === rows.length ? false : null
}

function pictureIn(content: Buffer): Picture | null {
  const chunks = chunksOf(content)
  const header = Buffer.concat(chunks.get('IHDR') ?? [])
  if (header.length !== 13) return null
  const [depth = 0, colour = 0, , , interlace] = header.subarray(8)
  const type = colourTypes.get(colour)
  if (!type?.depths.includes(depth)) return null
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const rows = (interlace === 1 ? interlaced : inOnePass).flatMap(({ x, y, dx, dy }) => {
    const pixels = Math.ceil((width - x) / dx)
    const length = pixels > 0 ? Math.max(0, Math.ceil((height - y) / dy)) : 0
    return Array.from({ length }, (_, at) => ({ pixels, isFirst: at === 0 }))
  })
  return {
    ...{ depth, colour, channels: type.channels, rows },
    palette: Buffer.concat(chunks.get('PLTE') ?? []),
    transparency: Buffer.concat(chunks.get('tRNS') ?? []),
    // Removes the zlib header and checksum (RFC 1950): browsers also show a picture whose checksum is wrong.
    data: new Blob(chunks.get('IDAT') ?? []).slice(2, -4),
  }
}

/**
 * The most chunks that are read. A picture of 512 KiB has some hundred chunks; reading 43,000 empty ones took 240 ms.
 */
const maxChunks = 4000

/** The data of the chunks (§5.3), by their types. */
function chunksOf(content: Buffer): Map<string, Buffer<ArrayBuffer>[]> {
  const found = new Map<string, Buffer<ArrayBuffer>[]>()
  for (let at = 8, read = 0; at + 12 <= content.length && read < maxChunks; read += 1) {
    const length = content.readUInt32BE(at)
    const type = content.toString('latin1', at + 4, at + 8)
    const data = Buffer.from(content.subarray(at + 8, at + 8 + length))
    const before = found.get(type)
    if (before === undefined) found.set(type, [data])
    else before.push(data)
    at += 12 + length
  }
  return found
}

/** The filtered rows, each preceded by the number of its filter. */
async function* unfolded({ data, rows, channels, depth }: Picture): AsyncGenerator<Uint8Array> {
  const bytesOf = (at: number) => new Uint8Array(1 + Math.ceil(((rows[at]?.pixels ?? 0) * channels * depth) / 8))
  let [done, filled, row] = [0, 0, bytesOf(0)]
  for await (const part of data.stream().pipeThrough(new DecompressionStream('deflate-raw')))
    for (let at = 0; at < part.length; ) {
      const taken = part.subarray(at, at + row.length - filled)
      row.set(taken, filled)
      at += taken.length
      filled += taken.length
      if (filled < row.length) continue
      yield row
      done += 1
      if (done === rows.length) return
      ;[filled, row] = [0, bytesOf(done)]
    }
}

/** Reverses the filter of a row (§9.2). The first byte of the row is the number of its filter. */
function unfilter(row: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  const filter = row[0]
  if (filter === 0) return
  for (let at = 1; at < row.length; at += 1) {
    const left = at > pixelBytes ? (row[at - pixelBytes] ?? 0) : 0
    const up = above[at] ?? 0
    const leftUp = at > pixelBytes ? (above[at - pixelBytes] ?? 0) : 0
    const guess = filter === 1 ? left : filter === 2 ? up : filter === 3 ? (left + up) >> 1 : nearest(left, up, leftUp)
    row[at] = (row[at] ?? 0) + guess
  }
}

/** The predictor of the Paeth filter (§9.4). */
function nearest(left: number, up: number, leftUp: number): number {
  const guess = left + up - leftUp
  const [byLeft, byUp, byBoth] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - leftUp)]
  if (byLeft <= byUp && byLeft <= byBoth) return left
  return byUp <= byBoth ? up : leftUp
}

/** One value of a row, with `depth` bits. */
function sample(row: Uint8Array, at: number, depth: number): number {
  if (depth === 8) return row[1 + at] ?? 0
  if (depth === 16) return ((row[1 + 2 * at] ?? 0) << 8) | (row[2 + 2 * at] ?? 0)
  const bit = at * depth
  return ((row[1 + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & (2 ** depth - 1)
}

type Test = (valueAt: (channel: number) => number) => boolean

/** Whether a pixel is visible: its colour channel furthest from white decides. */
function inkTest({ depth, colour, channels, palette, transparency }: Picture): Test {
  const most = 2 ** depth - 1
  const isSeen = (darkest: number, alpha: number) => (1 - darkest) * alpha >= visible
  if (colour === 3) {
    const seen = Array.from({ length: palette.length / 3 }, (_, at) =>
      isSeen(Math.min(...palette.subarray(3 * at, 3 * at + 3)) / 255, (transparency[at] ?? 255) / 255),
    )
    return (valueAt) => seen[valueAt(0)] ?? false
  }
  const hasAlpha = colour >= 4
  const colours = hasAlpha ? channels - 1 : channels
  const clear = transparency.length === 2 * colours ? transparency : null
  return (valueAt) => {
    let darkest = most
    let isClear = clear !== null
    for (let channel = 0; channel < colours; channel += 1) {
      const value = valueAt(channel)
      darkest = Math.min(darkest, value)
      isClear &&= clear?.readUInt16BE(2 * channel) === value
    }
    return !isClear && isSeen(darkest / most, hasAlpha ? valueAt(channels - 1) / most : 1)
  }
}
