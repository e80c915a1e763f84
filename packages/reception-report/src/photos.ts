import type { StoredFile } from '@sav/core/ports'
import sharp, { type Sharp } from 'sharp'

/** Ready to be placed: JPEG or PNG without transparency. */
export interface Picture {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

/** A picture, or why there is none, in French and for print. */
export type Drawn = Picture | { readonly note: string }

// One thread of libvips at a time and nothing kept: the process has deliveries to make meanwhile.
sharp.concurrency(1)
sharp.cache(false)

/** More are not read: 100 million pixels are three times what a good telephone takes. */
const maxPixels = 100_000_000
const timeoutSeconds = 10

/** Tried in this order until a photo is small enough: its longest side in pixels, and JPEG's quality. */
const sizes = [
  { side: 1100, quality: 82 },
  { side: 1100, quality: 60 },
  { side: 800, quality: 50 },
  { side: 500, quality: 40 },
] as const

/** A photo, scaled for print and upright, of at most `maxBytes` where 500 pixels of it can be. */
export async function drawPhoto(file: StoredFile, maxBytes: number): Promise<Drawn> {
  return drawn(file, async (image) => {
    let smallest: Picture | undefined
    for (const { side, quality } of sizes) {
      const scaled = image.clone().resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      smallest = await pictureOf(scaled.flatten({ background: '#fff' }).toColourspace('srgb').jpeg({ quality }))
      if (smallest.bytes.length <= maxBytes) break
    }
    return smallest
  })
}

/** A logo or a signature on white: what is transparent must not become black. */
export async function drawInk(file: StoredFile): Promise<Drawn> {
  return drawn(file, (image) =>
    pictureOf(
      image
        .resize({ width: 600, height: 300, fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#fff' })
        .toColourspace('srgb')
        .png({ compressionLevel: 9 }),
    ),
  )
}

async function drawn(file: StoredFile, draw: (image: Sharp) => Promise<Picture | undefined>): Promise<Drawn> {
  if (file.media_type === 'image/heic')
    return { note: 'Photo au format HEIC : conservée au dossier, elle ne peut être imprimée.' }
  if (!/^image\/(jpeg|png|webp)$/.test(file.media_type))
    return { note: 'Ce format d’image ne peut être imprimé : le fichier est conservé au dossier.' }
  try {
    const image = sharp(file.content, { limitInputPixels: maxPixels, autoOrient: true }).timeout({
      seconds: timeoutSeconds,
    })
    return (await draw(image)) ?? { note: damaged }
  } catch {
    return { note: damaged }
  }
}

const damaged = 'Fichier endommagé ou illisible : conservé au dossier tel qu’il a été reçu.'

async function pictureOf(image: Sharp): Promise<Picture> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}
