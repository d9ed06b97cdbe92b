import { z } from 'zod'
import { boundedString, loose, type TextOptions, textBounds } from './fields.ts'

/**
 * A text, or a file of a multipart form with it; the reader checks what the file holds. A file has at
 * most as many bytes as a text has characters.
 */
export function fileOrText(options: TextOptions): z.ZodType<string | File, string | Blob> {
  const bounds = textBounds(options)
  const smallFile = z.instanceof(File).refine(({ size }) => size <= bounds.limit)
  return loose<string | File, string | Blob>(
    (value) => value,
    z.union([boundedString(bounds), smallFile]),
    bounds.wire,
  )
}
