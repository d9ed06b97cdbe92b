/**
 * Renders a Markdown table, aligned as the formatter does; cells are Markdown without line breaks.
 */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = head.map((_, column) =>
    [head, ...rows].reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 3),
  )
  const line = (cells: readonly string[], fill: string) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |\n`
  const rule = head.map(() => '')
  return [line(head, ' '), line(rule, '-'), ...rows.map((row) => line(row, ' '))].join('')
}
