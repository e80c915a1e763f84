/** The limits of the API for a signature. */
const most = { width: 2000, height: 1000, bytes: 512 * 1024 }

/** How much darker than white paper a pixel must be, out of 255, to count as ink: the API refuses blank images. */
const visible = 16

/**
 * The drawing on a sheet, with `margin` pixels around it, as a PNG for the API. Null if it is blank, also if a browser
 * shows the strokes but returns a blank picture, against fingerprinting or for lack of memory.
 */
export function inkOf(sheet: HTMLCanvasElement, margin: number): string | null {
  const box = boxOfInk(sheet)
  if (box === null) return null
  const width = box.width + 2 * margin
  const height = box.height + 2 * margin
  const cut = document.createElement('canvas')
  for (let scale = Math.min(1, most.width / width, most.height / height); ; scale *= 0.8) {
    cut.width = Math.floor(width * scale)
    cut.height = Math.floor(height * scale)
    const pen = cut.getContext('2d')
    if (pen === null) return null
    pen.imageSmoothingQuality = 'high'
    pen.scale(scale, scale)
    pen.drawImage(sheet, margin - box.left, margin - box.top)
    if (boxOfInk(cut) === null) return null
    const png = cut.toDataURL('image/png')
    if (lengthOf(png) <= most.bytes) return png
  }
}

const lengthOf = (dataUri: string): number => atob(dataUri.slice(dataUri.indexOf(',') + 1)).length

function boxOfInk(sheet: HTMLCanvasElement) {
  const { width, height } = sheet
  const { data } = sheet.getContext('2d')?.getImageData(0, 0, width, height) ?? {}
  if (data === undefined) return null
  let [left, top, right, bottom] = [width, height, -1, -1]
  const isInk = (at: number) => {
    const [red = 255, green = 255, blue = 255, alpha = 0] = data.subarray(at, at + 4)
    return ((255 - Math.min(red, green, blue)) * alpha) / 255 >= visible
  }
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if (isInk((y * width + x) * 4)) {
        left = Math.min(left, x)
        right = Math.max(right, x)
        top = Math.min(top, y)
        bottom = y
      }
  return right < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 }
}
