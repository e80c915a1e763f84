/** A part that was used, as somebody types it: `2 Charnière 110° [CH-110]`. */
interface Part {
  readonly designation: string
  readonly quantite: number
  readonly reference: string | null
}

/** One a line: how many (one unless said), what, and its number in brackets. */
export const partsOf = (text: string): Part[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, count, named = line, reference] = /^(?:(\d{1,4})\s*[x×]?\s+)?(.+?)(?:\s*\[([^\]]+)\])?$/.exec(line) ?? []
      return { designation: named, quantite: Number(count ?? 1), reference: reference?.trim() || null }
    })
