/** What JSON writes in another way than an array of PostgreSQL. */
const escapedOtherwise = /\\[bfnrtu]/

/**
 * An array of PostgreSQL as text. `JSON.stringify` writes most of them alike but for the brackets, in half the time that it
 * takes to write them one by one.
 */
export function arrayText(cells: readonly unknown[]): string {
  const json = JSON.stringify(cells)
  if (!escapedOtherwise.test(json)) return `{${json.slice(1, -1)}}`
  const texts = cells.map((cell) =>
    typeof cell === 'string' ? `"${cell.replaceAll(/["\\]/g, '\\$&')}"` : JSON.stringify(cell),
  )
  return `{${texts.join()}}`
}
