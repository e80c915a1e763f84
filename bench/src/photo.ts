import sharp from 'sharp'

/** A JPEG of 4 MB and 12 megapixels, like those of phones. */
export function photo(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
  return sharp({ create: { width: 4000, height: 3000, channels: 3, background: 'gray', noise } })
    .jpeg({ quality: 84 })
    .toBuffer()
}
