import sharp from 'sharp'
import { expect, test } from 'vitest'
import { storedFile } from '../test/sample.js'
import { drawInk, drawPhoto } from './photos.js'

/** A picture with noise everywhere, so that a missing part is visible. */
const drawing = (format: 'jpeg' | 'png' | 'webp', options = {}) =>
  sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="640" height="480" fill="#e9e4da"/></svg>',
    ),
  )
    .composite([
      {
        input: {
          create: {
            width: 640,
            height: 480,
            channels: 3,
            background: '#888',
            noise: { type: 'gaussian', mean: 150, sigma: 30 },
          },
        },
        blend: 'multiply',
      },
    ])
    .toFormat(format, options)
    .toBuffer()

const jpeg = await drawing('jpeg')
const progressive = await drawing('jpeg', { progressive: true })
const png = await drawing('png')
const webp = await drawing('webp')

const end = Buffer.from('ffd9', 'hex')
const scanOf = (image: Buffer) => image.indexOf(Buffer.from('ffda', 'hex'))
const half = (image: Buffer) => image.subarray(0, image.length / 2)
const withBytes = (image: Buffer, at: number, bytes: Buffer) =>
  Buffer.concat([image.subarray(0, at), bytes, image.subarray(at)])
function changed(image: Buffer, at: number, change: (byte: number) => number): Buffer {
  const copy = Buffer.from(image)
  copy[at] = change(copy[at] ?? 0)
  return copy
}

/** Writes 0 to 0 instead of the baseline's 0 to 63 into the scan header, as some cameras do. */
const scanHeader = (image: Buffer) => {
  const at = scanOf(image)
  return changed(image, at + image.readUInt16BE(at + 2), () => 0)
}
/** A picture whose colour profile has a single part, numbered 5 of 2. */
const badProfile = withBytes(jpeg, 2, Buffer.from('\xff\xe2\x00\x12ICC_PROFILE\0\x05\x02xx', 'latin1'))
const adobe = withBytes(jpeg, 2, Buffer.from('\xff\xee\x00\x0eAdobe\0\x64\0\0\0\0\x07', 'latin1'))

test.each([
  ['a scan header of another kind', 'image/jpeg', scanHeader(jpeg)],
  ['a colour profile of parts that do not fit', 'image/jpeg', badProfile],
  ['an unknown colour transform', 'image/jpeg', adobe],
  ['stray bytes before its scan', 'image/jpeg', withBytes(jpeg, scanOf(jpeg), Buffer.from('stray'))],
  ['stray bytes before its end', 'image/jpeg', withBytes(jpeg, jpeg.length - 2, Buffer.alloc(50))],
  ['stray bytes behind its end', 'image/jpeg', Buffer.concat([jpeg, Buffer.alloc(2000)])],
  ['no end marker', 'image/jpeg', jpeg.subarray(0, -2)],
  ['half an end marker', 'image/jpeg', jpeg.subarray(0, -1)],
  ['no end marker, in several scans', 'image/jpeg', progressive.subarray(0, -2)],
  ['no end marker and another scan header', 'image/jpeg', scanHeader(jpeg).subarray(0, -2)],
  ['a wrong checksum', 'image/png', changed(png, png.length - 13, (byte) => byte ^ 1)],
  ['stray bytes behind its end', 'image/png', Buffer.concat([png, Buffer.from('stray')])],
  ['no end chunk', 'image/png', png.subarray(0, -12)],
  ['stray bytes behind its end', 'image/webp', Buffer.concat([webp, Buffer.from('stray')])],
])('a complete photo with %s is drawn (%s)', async (_, type, content) => {
  expect(await drawPhoto(storedFile(content, type), 1e6)).toMatchObject({ width: 640, height: 480 })
})

test.each([
  ['its second half', 'image/jpeg', half(jpeg)],
  ['its second half, but with an end marker', 'image/jpeg', Buffer.concat([half(jpeg), end])],
  ['its second half, with another scan header', 'image/jpeg', half(scanHeader(jpeg))],
  ['its second half, with zeros instead', 'image/jpeg', Buffer.concat([half(jpeg), Buffer.alloc(jpeg.length / 2)])],
  ['its last 200 bytes', 'image/jpeg', jpeg.subarray(0, -200)],
  ['half of its scans', 'image/jpeg', half(progressive)],
  ['half of its scans, but with an end marker', 'image/jpeg', Buffer.concat([half(progressive), end])],
  ['its second half', 'image/png', half(png)],
  ['its second half, but with an end chunk', 'image/png', Buffer.concat([half(png), png.subarray(-12)])],
  ['its second half', 'image/webp', half(webp)],
])('a photo without %s is reported as damaged (%s)', async (_, type, content) => {
  const note = expect.stringContaining('Fichier endommagé ou illisible')
  expect(await drawPhoto(storedFile(content, type), 1e6)).toEqual({ note })
})

test('a logo with minor faults is accepted, as a photo is', async () => {
  expect(await drawInk(storedFile(jpeg.subarray(0, -2), 'image/jpeg'))).toMatchObject({ width: 400, height: 300 })
})
