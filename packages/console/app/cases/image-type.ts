/** Major brands of a HEIC (ISO/IEC 23008-12 §10), for a single picture and for several. */
const heicBrands: readonly string[] = ['heic', 'heix', 'hevc', 'hevx', 'mif1', 'msf1']

/**
 * The type of an image by its first 16 bytes; null: the API does not accept such a file. The service decides the same
 * way (`contentTypeOf` in the core): a test compares the two.
 */
export function imageTypeOf(content: Uint8Array): string | null {
  const text = (from: number, to: number) => String.fromCharCode(...content.subarray(from, to))
  if (text(0, 3) === '\xff\xd8\xff' && content[3] !== 0xf7) return 'image/jpeg'
  if (text(0, 16) === '\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR') return 'image/png'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp'
  if (text(4, 8) === 'ftyp' && heicBrands.includes(text(8, 12))) return 'image/heic'
  return null
}
