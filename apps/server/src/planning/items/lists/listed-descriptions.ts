import { type ListedDescription, readDescription } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { listedText } from '../../../platform/http/listed-text.ts'

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
  return rows.map((row) => {
    const { description: text, descriptionBytes: bytes } = row
    const read = () => readDescription(app.db, table, row.id)
    return { ...row, description: listedText({ text, bytes, read }, maxLength) }
  })
}
