import { chooseColumns, fitColumns, gap } from './columns.ts'
import { cellOf, type Json, type View } from './render.ts'

/** A list of objects as a table with the first columns that fit. */
export async function renderTable(rows: readonly Json[], view: View): Promise<string> {
  const { default: widthOf } = await import('string-width')
  const columns = chooseColumns(rows).map((name) => {
    const cells = [name, ...rows.map((row) => cellOf(row[name], view))]
    const width = cells.reduce((widest, cell) => Math.max(widest, widthOf(cell)), 0)
    return { name, cells, width }
  })
  const shown = fitColumns(columns, view.width).map(({ name, width }) => ({
    width,
    cells: columns.find((column) => column.name === name)?.cells ?? [],
  }))
  const lines = ['', ...rows].map((_, index) =>
    shown
      .map(({ cells, width }) => {
        const cell = truncate(cells[index] ?? '', width, widthOf)
        return cell + ' '.repeat(width - widthOf(cell) + gap)
      })
      .join('')
      .trimEnd(),
  )
  return lines.join('\n')
}

/** Cuts between grapheme clusters, so that accents and emoji sequences stay complete. */
function truncate(text: string, width: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let left = width - 1
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    left -= widthOf(segment)
    if (left < 0) break
    kept += segment
  }
  return `${kept}…`
}
