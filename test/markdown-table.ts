/** The lines of a Markdown table, with aligned columns. The first line is the head. */
export function markdownTable(lines: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = lines
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`
  return [lineOf(head), lineOf(widths.map((width) => '-'.repeat(width))), ...rest.map(lineOf)].join('')
}
