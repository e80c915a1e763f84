import sharp from 'sharp'

/** A JPEG of 4 MB and 12 megapixels, as phones make them. */
export function photo(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
  return sharp({ create: { width: 4000, height: 3000, channels: 3, background: 'gray', noise } })
    .jpeg({ quality: 84 })
    .toBuffer()
}

/** Another file of the same picture: it has a comment of its own (ITU T.81 §B.2.4.5). */
export function retaken(jpeg: Buffer, n: number): Buffer {
  const comment = Buffer.from([0xff, 0xfe, 0, 6, 0, 0, 0, 0])
  comment.writeUInt32BE(n, 4)
  return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)])
}

/** A signature, as a canvas gives it. */
export function signature(): Promise<Buffer> {
  const line = '<path d="M20 120C120 20 160 200 260 90S420 40 560 130" fill="none" stroke="black" stroke-width="5"/>'
  return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200">${line}</svg>`))
    .png()
    .toBuffer()
}
