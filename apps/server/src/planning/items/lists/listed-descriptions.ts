import { type ListedDescription, maxListedDescription, readDescription } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { laterText } from '../../../platform/http/later-text.ts'

interface DescribedRow extends ListedDescription {
  id: number
  description: string | null
}

/**
 * The rows of a list with their descriptions, of which long ones are read when they are written.
 * @param maxLength what descriptions are cut to, in characters
 */
export function withDescriptions<R extends DescribedRow>(
  app: App,
  table: Parameters<typeof readDescription>[1],
  rows: readonly R[],
  maxLength?: number,
): readonly R[] {
  if (maxLength === undefined && !rows.some(isLong)) return rows
  return rows.map((row) => ({ ...row, description: described(app, table, row, maxLength) }))
}

function isLong({ descriptionBytes }: DescribedRow): boolean {
  return (descriptionBytes ?? 0) > maxListedDescription
}

function described(
  app: App,
  table: Parameters<typeof readDescription>[1],
  row: DescribedRow,
  maxLength = Number.POSITIVE_INFINITY,
): string | null {
  if (!isLong(row)) return cut(row.description, maxLength)
  if (maxLength === 0) return ''
  const bytes = row.descriptionBytes ?? 0
  const read = async () => cut(await readDescription(app.db, table, row.id), maxLength)
  return laterText(bytes, read)
}

/** Never ends in the middle of a character. */
function cut(text: string | null, maxLength: number): string | null {
  if (text === null || text.length <= maxLength) return text
  const start = text.slice(0, maxLength)
  return /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start
}
