import { imageTypeOf } from './image-type.js'

/** A photo that was chosen but not sent yet. */
export interface Picture {
  readonly name: string
  readonly content: Blob
}

const maxBytes = 5 * 1024 * 1024
/** The maximum of the longer side, in pixels. Reports print no more than that, and more takes long to send on site. */
const maxPixels = 2048
/** What the file chooser offers. Windows does not know that the listed extensions are images. */
export const offered = 'image/*,.heic,.heif,.jfif'

/**
 * A photo as the API accepts it, reduced if it is too large. Null: this browser or the API cannot read the file. The
 * content decides its type: names and types of files are unreliable, and Windows reports no type for HEIC.
 */
export async function pictureOf(file: File): Promise<Picture | null> {
  // Read now, because a file on a camera may be gone when the form is sent. A folder has no content.
  const content = await file.arrayBuffer().catch(() => null)
  if (content === null) return null
  const type = imageTypeOf(new Uint8Array(content))
  const isTaken = type !== null && file.size <= maxBytes
  const original = new Blob([content], { type: type ?? file.type })
  // What this browser cannot draw, such as HEIC, is sent unchanged.
  const image = await createImageBitmap(original).catch(() => null)
  if (image === null) return isTaken ? { name: file.name, content: original } : null
  const scale = Math.min(1, maxPixels / Math.max(image.width, image.height))
  const sent = isTaken && scale === 1 ? original : await redrawn(image, scale)
  image.close()
  return sent.size <= maxBytes ? { name: file.name, content: sent } : null
}

async function redrawn(image: ImageBitmap, scale: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale))
  const pen = canvas.getContext('2d')
  if (pen === null) throw new Error('this browser cannot draw pictures')
  // A JPEG has no transparency: transparent parts would be black.
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 })
}

/** The picture as a data URI, as the API accepts it. */
export const dataUriOf = ({ content }: Picture): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(content)
  })

/** Dropped or pasted files, pictures or not. */
export const filesIn = (transfer: DataTransfer | null): File[] => [...(transfer?.files ?? [])]
