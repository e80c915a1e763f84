/**
 * Black or white, whichever is easier to read on a colour: `#rrggbb`. One of them always has a contrast of 4.58 or more
 * (WCAG 2.2).
 */
export function inkOn(colour: string): '#000' | '#fff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return (luminance + 0.05) ** 2 > 1.05 * 0.05 ? '#000' : '#fff'
}
