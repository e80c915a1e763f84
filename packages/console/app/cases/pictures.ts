/** A photo that was chosen, and not sent yet. */
export interface Picture {
  readonly name: string
  /** As the API takes it. */
  readonly dataUri: string
}

const maxBytes = 5 * 1024 * 1024
const maxSide = 2560
const taken = ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif']

/** As the API takes it; what is too large is made smaller. Null: it is no picture that this browser, or the API, can read. */
export async function pictureOf(file: File): Promise<Picture | null> {
  if (file.size <= maxBytes && taken.includes(file.type)) return { name: file.name, dataUri: await dataUriOf(file) }
  const smaller = await shrunk(file).catch(() => null)
  return smaller && { name: file.name, dataUri: await dataUriOf(smaller) }
}

async function shrunk(file: File): Promise<Blob | null> {
  const image = await createImageBitmap(file)
  const scale = Math.min(1, maxSide / Math.max(image.width, image.height))
  const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale))
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  image.close()
  const smaller = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 })
  return smaller.size <= maxBytes ? smaller : null
}

const dataUriOf = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })

/** The pictures among what was dropped or pasted. */
export const filesIn = (transfer: DataTransfer | null): File[] =>
  [...(transfer?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
