import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { photo, photoFile, sentImage, signature } from './attachments.js'

const MiB = 1024 * 1024
const KiB = 1024

const dataUri = (mediaType: string, content: Uint8Array) =>
  `data:${mediaType};base64,${Buffer.from(content).toString('base64')}`

/** `start`, padded with zeros to `size` bytes. */
function padded(start: Uint8Array, size = start.length): Buffer {
  return Buffer.concat([start, Buffer.alloc(size - start.length)])
}

const images = {
  'image/jpeg': Buffer.from('ffd8ffe000104a46494600010100', 'hex'),
  'image/png': png({ width: 3, height: 2 }),
  'image/webp': Buffer.from('524946461a000000574542505650384c0d0000002f000000', 'hex'),
  'image/heic': Buffer.concat([Buffer.from([0, 0, 0, 0x18]), Buffer.from('ftypheic\0\0\0\0mif1heic', 'latin1')]),
} as const

const refusedContent = {
  gif: Buffer.from('GIF89a\x01\0\x01\0\0\0\0', 'latin1'),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  html: Buffer.from('<!doctype html><script>alert(1)</script>'),
  pdf: Buffer.from('%PDF-1.7\n'),
  wav: Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'),
  avif: Buffer.concat([Buffer.from([0, 0, 0, 0x18]), Buffer.from('ftypavif\0\0\0\0mif1avif', 'latin1')]),
  mp4: Buffer.concat([Buffer.from([0, 0, 0, 0x18]), Buffer.from('ftypisom\0\0\0\0isommp41', 'latin1')]),
  'one byte': Buffer.from([0xff]),
} as const

/** A whole PNG, black unless another byte fills its rows; a text chunk fills it up to `size` bytes. */
function png({
  width,
  height,
  size,
  fill = 0,
}: {
  width: number
  height: number
  size?: number
  fill?: number
}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const row = Buffer.from([0, ...Buffer.alloc(Math.ceil(width / 8), fill)])
  const pixels = deflateSync(Buffer.concat(Array<Buffer>(height).fill(row)))
  const parts = [Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND')]
  const missing = (size ?? 0) - Buffer.concat(parts).length
  if (missing > 0) parts.splice(2, 0, chunk('tEXt', Buffer.alloc(missing - 12, 'a')))
  return Buffer.concat(parts)
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** Why the schema refuses the value; undefined if it does not. */
async function refusal(
  schema: ReturnType<typeof photo | typeof photoFile | typeof signature>,
  value: unknown,
): Promise<string | undefined> {
  const { error } = await schema.safeParseAsync(value)
  return error?.issues.map(({ message }) => message).join('; ')
}

describe.each([
  ['a photo of a creation', photo()],
  ['a photo of a close', photoFile()],
])('%s', (_, schema) => {
  it.each(Object.entries(images))('is kept byte for byte: %s', async (mediaType, content) => {
    const file = await schema.parseAsync(dataUri(mediaType, content))
    expect(file).toEqual({
      sha256: createHash('sha256').update(content).digest('hex'),
      media_type: mediaType,
      content: expect.any(Uint8Array),
    })
    expect('content' in file && Buffer.compare(file.content, content)).toBe(0)
  })

  it.each(['heic', 'heix', 'mif1'])('may be HEIC of the brand %s', async (brand) => {
    const content = Buffer.concat([Buffer.from([0, 0, 0, 0x18]), Buffer.from(`ftyp${brand}\0\0\0\0`, 'latin1')])
    expect(await refusal(schema, dataUri('image/heic', content))).toBeUndefined()
  })

  it('must have the declared type', async () => {
    for (const declared of Object.keys(images))
      for (const [actual, content] of Object.entries(images))
        expect((await refusal(schema, dataUri(declared, content))) === undefined).toBe(declared === actual)
  })

  it.each([
    ['image/jpg', 'image/jpeg'],
    ['image/pjpeg', 'image/jpeg'],
    ['image/heif', 'image/heic'],
    ['IMAGE/JPG', 'image/jpeg'],
    ['image/jpeg;charset=utf-8', 'image/jpeg'],
    ['image/png;name="photo.png";charset=US-ASCII', 'image/png'],
  ] as const)('declared as %s is kept as %s', async (declared, meant) => {
    expect(await schema.parseAsync(dataUri(declared, images[meant]))).toMatchObject({ media_type: meant })
    const [type = ''] = declared.toLowerCase().split(';')
    expect(await refusal(schema, dataUri(declared, images['image/webp']))).toContain(`declared as ${type},`)
  })

  it('is refused in a message that quotes only the beginning of a long media type', async () => {
    expect((await refusal(schema, dataUri(`image/${'x'.repeat(5000)}`, images['image/png'])))?.length).toBeLessThan(300)
  })

  it.each(Object.entries(refusedContent))('cannot be %s declared as an accepted type', async (_, content) => {
    for (const declared of Object.keys(images))
      expect(await refusal(schema, dataUri(declared, content))).toContain('image_content_unknown')
  })

  it.each(['image/svg+xml', 'image/gif', 'image/avif', 'text/html', 'application/pdf', 'application/octet-stream'])(
    'cannot be declared as %s, and the refusal names what can be sent',
    async (declared) => {
      for (const content of [images['image/png'], refusedContent.svg, refusedContent.pdf])
        expect(await refusal(schema, dataUri(declared, content))).toMatch(
          /image\/jpeg.*image\/png.*image\/webp.*image\/heic/,
        )
    },
  )

  it.each([
    [5 * MiB, undefined],
    [5 * MiB + 1, expect.stringContaining(`${5 * MiB}`)],
    [6 * MiB, expect.stringContaining(`${5 * MiB}`)],
  ])('of %i bytes is refused only beyond the limit, which the refusal names: %s', async (size, expected) => {
    expect(await refusal(schema, dataUri('image/jpeg', padded(images['image/jpeg'], size)))).toEqual(expected)
  })

  const encoded = images['image/jpeg'].toString('base64')
  const withAt4 = (character: string) => `${encoded.slice(0, 4)}${character}${encoded.slice(5)}`
  it.each([
    ['nothing', ''],
    ['no padding', encoded.replace(/=+$/, '')],
    ['too much padding', `${encoded}=`],
    ['padding alone', '===='],
    ['padding in the middle', `/9j/4A==${encoded}`],
    ['the URL alphabet', encoded.replaceAll('/', '_')],
    ['a space', withAt4(' ')],
    ['a letter that is none of base64', withAt4('É')],
  ])('with %s instead of base64 is refused', async (_, bad) => {
    expect(await refusal(schema, `data:image/jpeg;base64,${bad}`)).toContain('image_not_base64')
  })

  it.each([
    ['text', 'une photo'],
    ['an empty string', ''],
    ['base64 alone', encoded],
    ['a data URI with a parameter of nothing', `data:image/jpeg;charset=;base64,${encoded}`],
    ['a data URI without base64', 'data:image/png,%89PNG'],
    ['a data URI without a type', `data:;base64,${encoded}`],
    ['a data URI of any image', `data:image/*;base64,${encoded}`],
    ['a data URI that begins late', ` ${dataUri('image/jpeg', images['image/jpeg'])}`],
    ['a number', 5],
    ['an object', { url: 'https://photos.example/1.jpg' }],
    ['javascript:', 'javascript:alert(1)'],
    ['ftp:', 'ftp://photos.example/1.jpg'],
    ['a path', '/photos/1.jpg'],
  ])('cannot be %s', async (_, value) => {
    expect(await refusal(schema, value)).toMatch(/image_not_data_uri|^Invalid input: expected string/)
  })
})

describe('a link to a photo', () => {
  it('is suggested for a text that is neither an image nor a link, but not for a bad image', async () => {
    expect(await refusal(photo(), 'photo.jpg')).toContain(', or an http(s) URL')
    const bad = await refusal(photo(), dataUri('image/png', images['image/jpeg']))
    expect(bad).toContain('declared as image/png')
    expect(bad).not.toContain('URL')
  })

  const ofLength = (length: number) => 'https://photos.example/'.padEnd(length, 'a')

  it.each([
    'https://photos.example/1.jpg',
    'http://photos.example/1.jpg',
    'HTTPS://photos.example/1.jpg',
    'https://photos.example:8443/a/b.png?taille=2#bas',
    'https://photos.example/caf%C3%A9.jpg',
    ofLength(2048),
  ])('is kept as sent: %s', async (url) => {
    expect(await photo().parseAsync(url)).toEqual({ url })
  })

  it('has at most 2048 characters', async () => {
    expect(await refusal(photo(), ofLength(2049))).toContain('2048')
  })

  it.each([
    'https://',
    'http:///',
    'https://photos.example/a b.jpg',
    'https://photos.example/\0',
    'https://[::1',
    'https://a\ud800.example/',
  ])('that is no URL is refused: %j', async (url) => {
    expect(await refusal(photo(), url)).toContain('url_invalid')
  })
})

describe('the pixels of a photo', () => {
  /** A tiny PNG that declares these dimensions. */
  function sized(width: number, height: number): Buffer {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(width, 0)
    header.writeUInt32BE(height, 4)
    header[8] = 8
    const signature = Buffer.from('89504e470d0a1a0a', 'hex')
    return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(1))), chunk('IEND')])
  }

  it.each([
    [20_000, 10_000, true],
    [20_001, 1, false],
    [1, 20_001, false],
    [20_000, 10_001, false],
    [30_000, 30_000, false],
  ])('%i×%i is accepted: %s', async (width, height, accepted) => {
    for (const schema of [photo(), photoFile()])
      expect((await refusal(schema, dataUri('image/png', sized(width, height)))) === undefined).toBe(accepted)
  })

  it('beyond the limits are refused, and the refusal names both limits', async () => {
    const refused = await refusal(photo(), dataUri('image/png', sized(20_000, 10_001)))
    expect(refused).toMatch(/200 megapixels.*20000×20000.*20000×10001/)
  })

  /** A JPEG whose dimensions follow after `segments` full segments of metadata. */
  function jpeg(segments: number, frame: string): Buffer {
    const metadata = Buffer.alloc(65_535 + 2)
    metadata.writeUInt32BE(0xffe1ffff)
    return Buffer.concat([
      Buffer.from('ffd8', 'hex'),
      ...Array<Buffer>(segments).fill(metadata),
      Buffer.from(`${frame}000b08753075300101110000`, 'hex'),
    ])
  }

  it.each([
    [0, 'ffc0'],
    [1, 'ffc2'],
    [70, 'ffffffc9'],
  ])('of a JPEG are found behind %i segments of metadata, in frame %s', async (segments, frame) => {
    expect(await refusal(photo(), dataUri('image/jpeg', jpeg(segments, frame)))).toContain('30000×30000')
  })

  it('are not checked in a file that ends before its dimensions', async () => {
    const begun = Buffer.from('ffd8ffe000104a46494600010100', 'hex')
    expect(await refusal(photoFile(), dataUri('image/jpeg', begun))).toBeUndefined()
  })
})

describe("the customer's signature", () => {
  const signed = (image: Parameters<typeof png>[0]) => refusal(signature(), dataUri('image/png', png(image)))

  it.each([
    [1, 1, true],
    [2000, 1000, true],
    [2001, 1000, false],
    [2000, 1001, false],
    [1000, 2000, false],
    [0, 100, false],
    [100, 0, false],
  ])('of %i×%i pixels is accepted: %s', async (width, height, accepted) => {
    expect((await signed({ width, height })) === undefined).toBe(accepted)
  })

  it('is refused with its size and the limit if it is too large', async () => {
    expect(await signed({ width: 2001, height: 7 })).toMatch(/2000×1000.*2001×7/)
  })

  it.each([
    [512 * KiB, true],
    [512 * KiB + 1, false],
  ])('of %i bytes is accepted: %s', async (size, accepted) => {
    const image = png({ width: 600, height: 200, size })
    expect(image).toHaveLength(size)
    expect((await refusal(signature(), dataUri('image/png', image))) === undefined).toBe(accepted)
  })

  it('that ends within its header is refused', async () => {
    const whole = png({ width: 600, height: 200 })
    for (let length = 0; length <= 32; length += 1)
      expect(await refusal(signature(), dataUri('image/png', whole.subarray(0, length)))).toMatch(
        /image_not_base64|image_content_unknown|image_damaged/,
      )
  })

  it('whose first chunk is not its header is refused', async () => {
    const [mark, header, rest] = [0, 8, 33].map((from, index) =>
      png({ width: 6, height: 2 }).subarray(from, [8, 33][index]),
    )
    const image = Buffer.concat(
      [mark ?? [], chunk('tEXt', Buffer.from('Comment\0x')), header ?? [], rest ?? []].map(Buffer.from),
    )
    expect(await refusal(signature(), dataUri('image/png', image))).toContain('image_content_unknown')
  })

  it.each(['image/jpeg', 'image/webp', 'image/heic'] as const)('must be a PNG: %s is refused', async (mediaType) => {
    expect(await refusal(signature(), dataUri(mediaType, images[mediaType]))).toContain('image/png')
    expect(await refusal(signature(), dataUri('image/png', images[mediaType]))).toContain('image_type_differs')
  })

  it.each([
    ['without ink', 'no ink', png({ width: 600, height: 200, fill: 0xff })],
    ['with unreadable rows', 'damaged', png({ width: 600, height: 200, fill: 0xff }).fill(0, 50, 60)],
  ])('%s is refused, as data URI and as bytes', async (_, why, image) => {
    expect(await refusal(signature(), dataUri('image/png', image))).toContain(why)
    expect(await sentImage(image, 'signature')).toMatchObject({ message: expect.stringContaining(why) })
    expect(await refusal(photo(), dataUri('image/png', image))).toBeUndefined()
  })
})
