/** As the API takes a signature. */
const most = { width: 2000, height: 1000, bytes: 512 * 1024 }

/** What is drawn on a sheet, and `margin` pixels around it, as a PNG that the API takes; null where nothing is. */
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
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if (data[(y * width + x) * 4 + 3] !== 0) {
        left = Math.min(left, x)
        right = Math.max(right, x)
        top = Math.min(top, y)
        bottom = y
      }
  return right < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 }
}
