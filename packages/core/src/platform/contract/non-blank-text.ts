import type { z } from 'zod'
import { boundedString, loose, type TextOptions, textBounds } from './fields.ts'
import { shared } from './shared-schema.ts'

/** Text with something other than white space, which is removed around it. */
export const nonBlankText = shared((options: TextOptions = {}): z.ZodType<string, string> => {
  const bounds = textBounds(options)
  const wire = { ...bounds.wire, minLength: 1, pattern: String.raw`\S` }
  return loose(readTrimmed, boundedString(bounds).min(1), wire)
})

function readTrimmed(value: unknown): unknown {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  return typeof text === 'string' ? text.trim() : text
}
