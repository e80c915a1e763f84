import { expect, it } from 'vitest'
import { contentTypeOf } from '../../../core/src/files/image-head.js'
import { imageTypeOf } from './image-type.js'

const ftyp = (brand: string) => `\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic`
const png = '\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01'

it.each<[string | null, string]>([
  ['image/jpeg', '\xff\xd8\xff\xe0\0\x10JFIF\0'],
  ['image/png', png],
  ['image/webp', 'RIFF\x24\0\0\0WEBPVP8 '],
  ...['heic', 'heix', 'hevc', 'hevx', 'mif1', 'msf1'].map((brand): [string, string] => ['image/heic', ftyp(brand)]),
  [null, '\xff\xd8\xff\xf7'],
  [null, png.slice(0, 12)],
  [null, 'RIFF\x24\0\0\0WAVEfmt '],
  [null, ftyp('avif')],
  [null, 'GIF89a\x01\0\x01\0'],
  [null, '%PDF-1.7'],
  [null, ''],
])('%s is recognised by its first bytes, in the browser as by the service: %j', (type, begins) => {
  const content = Buffer.from(begins, 'latin1')
  expect([imageTypeOf(content), contentTypeOf(content)]).toEqual([type, type])
})
