/** A photo that was chosen, and not sent yet. */
export interface Picture {
  readonly name: string
  readonly content: Blob
}

const maxBytes = 5 * 1024 * 1024
/** The longer side in pixels: more is not printed, and takes long to send from a customer's kitchen. */
const maxPixels = 2048
const taken = ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif']

/** As the API takes it; what is larger is made smaller. Null: it is no picture that this browser, or the API, can read. */
export async function pictureOf(file: File): Promise<Picture | null> {
  const isTaken = taken.includes(file.type) && file.size <= maxBytes
  // What a camera gives is a file that may be gone when it is sent.
  const original = new Blob([await file.arrayBuffer()], { type: file.type })
  // What this browser cannot draw, such as HEIC, goes as it is.
  const image = await createImageBitmap(original).catch(() => null)
  if (image === null) return isTaken ? { name: file.name, content: original } : null
  const scale = Math.min(1, maxPixels / Math.max(image.width, image.height))
  const content = isTaken && scale === 1 ? original : await redrawn(image, scale)
  image.close()
  return content.size <= maxBytes ? { name: file.name, content } : null
}

async function redrawn(image: ImageBitmap, scale: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale))
  const pen = canvas.getContext('2d')
  if (pen === null) throw new Error('this browser draws no pictures')
  // A JPEG has no transparency: what is transparent would be black.
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 })
}

/** As the API takes it. */
export const dataUriOf = ({ content }: Picture): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(content)
  })

/** The pictures among what was dropped or pasted. */
export const filesIn = (transfer: DataTransfer | null): File[] =>
  [...(transfer?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
