import type { StoredFile } from '@sav/core/ports'
import sharp, { type Sharp } from 'sharp'
import { withTwoEnds } from './jpeg-end.js'

/** A JPEG, or a PNG without transparency. */
export interface Picture {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

/** A picture, or a French note to print that says why there is none. */
export type DrawnPicture = Picture | { readonly note: string }

// libvips gets one thread and no cache, since other processes need the machine.
sharp.concurrency(1)
sharp.cache(false)

/** Pictures with more pixels are not read. The pictures of a good phone have a third of this. */
const maxPixels = 100_000_000

/** The longest side in pixels and the JPEG quality of a photo, tried in this order until it is small enough. */
const sizes = [
  { side: 1100, quality: 82 },
  { side: 1100, quality: 60 },
  { side: 800, quality: 50 },
  { side: 500, quality: 40 },
  { side: 320, quality: 40 },
] as const

const white = { background: '#fff' } as const
const whole = { resolveWithObject: true } as const

const within = (image: Sharp, side: number): Sharp =>
  image.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })

/** Scales a photo for print and turns it upright. It takes at most `maxBytes`, unless even 320 pixels take more. */
export async function drawPhoto(file: StoredFile, maxBytes: number): Promise<DrawnPicture> {
  return drawn(file, async (image) => {
    // Decoding may take seconds, so the photo is decoded once, at the largest size.
    const { data, info } = await within(image, sizes[0].side).flatten(white).toColourspace('srgb').raw().toBuffer(whole)
    const raw = { width: info.width, height: info.height, channels: info.channels }
    let smallest: Picture | undefined
    for (const { side, quality } of sizes) {
      smallest = await pictureOf(within(sharp(data, { raw }), side).jpeg({ quality }))
      if (smallest.bytes.length <= maxBytes) break
    }
    return smallest
  })
}

/** Draws a logo or a signature on white, since transparent parts would become black. */
export async function drawInk(file: StoredFile): Promise<DrawnPicture> {
  return drawn(file, (image) =>
    pictureOf(
      image
        .resize({ width: 600, height: 300, fit: 'inside', withoutEnlargement: true })
        .flatten(white)
        .toColourspace('srgb')
        .png({ compressionLevel: 9 }),
    ),
  )
}

async function drawn(file: StoredFile, draw: (image: Sharp) => Promise<Picture | undefined>): Promise<DrawnPicture> {
  if (file.media_type === 'image/heic')
    return { note: 'Photo au format HEIC : conservée au dossier, elle ne peut être imprimée.' }
  if (!/^image\/(jpeg|png|webp)$/.test(file.media_type))
    return { note: 'Ce format d’image ne peut être imprimé : le fichier est conservé au dossier.' }
  const from = (content: Uint8Array, failOn: FailOn) =>
    draw(sharp(content, { limitInputPixels: maxPixels, autoOrient: true, failOn }))
  try {
    return (await from(file.content, 'warning').catch(() => leniently(file, from))) ?? { note: damaged }
  } catch {
    return { note: damaged }
  }
}

type FailOn = 'warning' | 'truncated' | 'none'

/** The picture, if browsers show it although a decoder warns about the file; undefined if a part of it is missing. */
async function leniently(
  { content, media_type }: StoredFile,
  from: (content: Uint8Array, failOn: FailOn) => Promise<Picture | undefined>,
): Promise<Picture | undefined> {
  if (media_type !== 'image/jpeg') return from(content, 'truncated')
  const [one, other] = withTwoEnds(content)
  const picture = await from(one, 'none')
  const same = await from(other, 'none')
  return picture !== undefined && same?.bytes.equals(picture.bytes) ? picture : undefined
}

const damaged = 'Fichier endommagé ou illisible : conservé au dossier tel qu’il a été reçu.'

async function pictureOf(image: Sharp): Promise<Picture> {
  const { data, info } = await image.toBuffer(whole)
  return { bytes: data, width: info.width, height: info.height }
}
