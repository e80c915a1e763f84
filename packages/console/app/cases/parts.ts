/** A used part, as typed: `2 Charnière 110° [CH-110]`. */
interface Part {
  readonly designation: string
  readonly quantite: number
  readonly reference: string | null
}

/** Reads one part per line: the quantity (default: one), the name, and the number in brackets. */
export const partsOf = (text: string): Part[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [counted = '', count = '1'] = /^(\d{1,4})(?:\s*[x×])?\s+/.exec(line) ?? []
      const named = line.slice(counted.length)
      const [bracketed = '', reference] = /\[([^[\]]+)\]$/.exec(named) ?? []
      const designation = named.slice(0, named.length - bracketed.length).trim()
      if (designation === '') return { designation: named, quantite: Number(count), reference: null }
      return { designation, quantite: Number(count), reference: reference?.trim() || null }
    })
