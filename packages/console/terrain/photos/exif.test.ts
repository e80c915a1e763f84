import { describe, expect, it } from 'vitest'
import { takenOf, withTaken } from './exif.js'

/** The shortest JPEG with a segment before the EXIF one. */
const plain = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xda, 0, 2, 9, 9, 0xff, 0xd9]).buffer

const at = '2026:03:16 09:12:44'

/** EXIF as phones write it: little-endian, with the camera's name and place first. */
function fromCamera(taken: string): ArrayBuffer {
  const tiff = new DataView(new ArrayBuffer(160))
  const entry = (place: number, tag: number, type: number, count: number, value: number) => {
    tiff.setUint16(place, tag, true)
    tiff.setUint16(place + 2, type, true)
    tiff.setUint32(place + 4, count, true)
    tiff.setUint32(place + 8, value, true)
  }
  tiff.setUint32(0, 0x002a4949, true)
  tiff.setUint32(4, 8, true)
  tiff.setUint16(8, 3, true)
  entry(10, 0x010f, 2, 6, 100)
  entry(22, 0x8769, 4, 1, 60)
  entry(34, 0x8825, 4, 1, 140)
  tiff.setUint16(60, 1, true)
  entry(62, 0x9003, 2, 20, 110)
  for (const [index, letter] of [...`${taken}\0`].entries()) tiff.setUint8(110 + index, letter.charCodeAt(0))
  const head = [0xff, 0xd8, 0xff, 0xe1, 0, 168, 0x45, 0x78, 0x69, 0x66, 0, 0]
  return new Uint8Array([...head, ...new Uint8Array(tiff.buffer), 0xff, 0xda, 0, 2, 9, 0xff, 0xd9]).buffer
}

describe('the time at which a photo was taken', () => {
  it('is read as written by the camera', () => {
    expect(takenOf(fromCamera(at))).toEqual({ at, offset: null })
  })

  it.each([null, '+01:00'])('is the only data kept in the reduced photo, with the offset %s', (offset) => {
    const smaller = withTaken(plain, { at, offset })
    expect(takenOf(smaller)).toEqual({ at, offset })
    expect([...new Uint8Array(smaller)].slice(-14)).toEqual([...new Uint8Array(plain)].slice(2))
  })

  it.each([
    ['no EXIF', plain],
    ['a format other than JPEG', new TextEncoder().encode('GIF89a').buffer],
    ['an invalid time', fromCamera('0000:00:00 00:00:0x')],
    ['a missing end', fromCamera(at).slice(0, 90)],
  ])('is null if the file has %s', (_, file) => {
    expect(takenOf(file)).toBeNull()
  })
})
