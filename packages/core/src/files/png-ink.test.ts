import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { showsInk } from './png-ink.js'

type Pixel = readonly number[]

interface Drawing {
  readonly colour: number
  readonly depth: number
  readonly interlaced?: boolean
  readonly filter?: number
  readonly width?: number
  readonly height?: number
  readonly chunks?: readonly Buffer[]
  readonly pixelAt: (x: number, y: number) => Pixel
}

const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** Where each pass begins, and the distance of its pixels. Without interlacing there is one pass. */
const passes = (interlaced: boolean) =>
  interlaced
    ? ['0088', '4088', '0448', '2044', '0224', '1022', '0112'].map((each) => [...each].map(Number))
    : [[0, 0, 1, 1]]

/** The samples of a row in bytes, most significant bits first. */
function packed(samples: readonly number[], depth: number): Buffer {
  const bits = samples.map((value) => value.toString(2).padStart(depth, '0')).join('')
  return Buffer.from((bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)))
}

/** Filters 0 to 4, written from the specification, §9. */
function filtered(row: Buffer, above: Buffer, filter: number, step: number): Buffer {
  const [a, b, c] = [
    (at: number) => row[at - step] ?? 0,
    (at: number) => above[at] ?? 0,
    (at: number) => above[at - step] ?? 0,
  ]
  const paeth = (at: number) =>
    [a(at), b(at), c(at)].reduce((best, each) => {
      const far = (value: number) => Math.abs(a(at) + b(at) - c(at) - value)
      return far(each) < far(best) ? each : best
    })
  const guesses = [() => 0, a, b, (at: number) => Math.floor((a(at) + b(at)) / 2), paeth]
  const guess = guesses[filter] ?? (() => 0)
  return Buffer.from([filter, ...row.map((value, at) => (value - guess(at)) & 0xff)])
}

function rowsOf({ colour, depth, interlaced = false, filter = 0, width = 13, height = 9, pixelAt }: Drawing): Buffer {
  const step = Math.max(1, ((channelsOf[colour] ?? 0) * depth) / 8)
  const rows: Buffer[] = []
  for (const [x0 = 0, y0 = 0, dx = 1, dy = 1] of passes(interlaced)) {
    let above: Buffer = Buffer.alloc(0)
    for (let y = y0; y < height && x0 < width; y += dy) {
      const samples: number[] = []
      for (let x = x0; x < width; x += dx) samples.push(...pixelAt(x, y))
      const row = packed(samples, depth)
      rows.push(filtered(row, above, filter, step))
      above = row
    }
  }
  return Buffer.concat(rows)
}

function png(drawing: Drawing, data = deflateSync(rowsOf(drawing))): Buffer {
  const { colour, depth, interlaced = false, width = 13, height = 9, chunks = [] } = drawing
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, colour, 0, 0, Number(interlaced)], 8)
  const parts = [chunk('IHDR', header), ...chunks, chunk('IDAT', data), chunk('IEND')]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
}

const plain = { colour: 0, depth: 8 } as const
const palette = chunk('PLTE', Buffer.from([255, 255, 255, 20, 30, 60]))

/** The samples of a white pixel and of an ink pixel, in every kind of PNG (§11.2.1). */
const kinds = [
  ...[1, 2, 4, 8, 16].map((depth) => ({ colour: 0, depth, white: [2 ** depth - 1], ink: [0] })),
  ...[1, 2, 4, 8].map((depth) => ({ colour: 3, depth, white: [0], ink: [1], chunks: [palette] })),
  ...[8, 16].flatMap((depth) => {
    const most = 2 ** depth - 1
    return [
      { colour: 2, depth, white: [most, most, most], ink: [most, most, 0] },
      { colour: 4, depth, white: [most, most], ink: [0, most] },
      { colour: 6, depth, white: [most, most, most, most], ink: [0, 0, 0, most] },
    ]
  }),
]

describe.each(kinds)('a PNG of colour type $colour and depth $depth', ({ white, ink, ...kind }) => {
  test.each([false, true])('shows ink if one pixel does, with every filter (interlaced: %s)', async (interlaced) => {
    for (const filter of [0, 1, 2, 3, 4]) {
      const blank = { ...kind, interlaced, filter, pixelAt: () => white }
      expect(await showsInk(png(blank))).toBe(false)
      // Each pass over an interlaced picture contains one of these pixels.
      for (const [inkX, inkY] of passes(true)) {
        const pixelAt = (x: number, y: number) => (x === inkX && y === inkY ? ink : white)
        expect(await showsInk(png({ ...blank, pixelAt }))).toBe(true)
      }
    }
  })
})

test.each<[string, boolean, Drawing]>([
  ['a transparent sheet of black', false, { colour: 6, depth: 8, pixelAt: () => [0, 0, 0, 0] }],
  ['a sheet that is all but transparent', false, { colour: 4, depth: 8, pixelAt: () => [0, 9] }],
  ['a grey that is invisible on paper', false, { ...plain, pixelAt: () => [245] }],
  ['a light grey', true, { ...plain, pixelAt: () => [225] }],
  [
    'a sheet of the transparent colour',
    false,
    { ...plain, chunks: [chunk('tRNS', Buffer.from([0, 7]))], pixelAt: () => [7] },
  ],
  [
    'another colour beside the transparent one',
    true,
    { ...plain, chunks: [chunk('tRNS', Buffer.from([0, 7]))], pixelAt: (x) => [7 + x] },
  ],
  [
    'a transparent colour of a palette',
    false,
    { colour: 3, depth: 1, chunks: [palette, chunk('tRNS', Buffer.from([255, 0]))], pixelAt: () => [1] },
  ],
])('%s is ink: %s', async (_, ink, drawing) => {
  expect(await showsInk(png(drawing))).toBe(ink)
})

const blank: Drawing = { ...plain, width: 300, height: 200, pixelAt: () => [255] }
const data = deflateSync(rowsOf(blank))

test.each<[string, boolean | null, Buffer]>([
  ['whose data end before its rows', null, png({ ...blank, height: 201 }, data)],
  ['without data', null, png(blank, Buffer.alloc(0))],
  ['whose data are not deflate', null, png(blank, Buffer.alloc(400, 'x'))],
  ['of an unknown depth', null, png({ ...blank, depth: 3 }, data)],
  ['of an unknown colour type', null, png({ ...blank, colour: 5 }, data)],
  ['with a wrong checksum', false, png(blank, Buffer.concat([data.subarray(0, -4), Buffer.alloc(4)]))],
  ['with more rows than it declares', false, png({ ...blank, height: 50 }, data)],
])('a blank PNG %s: %s', async (_, ink, content) => {
  expect(await showsInk(content)).toBe(ink)
})
