import { takenOf, withTaken } from './exif.js'

/** The maximum of the longer side, in pixels. Reports print no more than that, and more takes long to send on site. */
const maxPixels = 2048
/** The service's limit for a photo. */
const maxBytes = 5 * 1024 * 1024

/** A JPEG of at most 2048 pixels with only the time when it was taken; null: this browser cannot read the picture. */
export async function reduced(original: ArrayBuffer, type: string): Promise<ArrayBuffer | null> {
  const image = await createImageBitmap(new Blob([original], { type })).catch(() => null)
  if (image === null) return null
  const scale = Math.min(1, maxPixels / Math.max(image.width, image.height))
  const canvas = canvasOf(Math.round(image.width * scale), Math.round(image.height * scale))
  const pen = canvas.getContext('2d')
  if (pen === null) return null
  // JPEG has no transparency: without this, transparent parts would be black.
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(image, 0, 0, canvas.width, canvas.height)
  image.close()
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.82))
  if (blob === null || blob.size > maxBytes) return null
  const jpeg = await blob.arrayBuffer()
  const taken = takenOf(original)
  return taken === null ? jpeg : withTaken(jpeg, taken)
}

/** Not an OffscreenCanvas, since Safari 16 cannot draw on one. */
function canvasOf(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  return canvas
}
