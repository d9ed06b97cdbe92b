import { z } from 'zod'
import { loose, type WireSchema } from './fields.ts'
import { shared } from './shared-schema.ts'

/** A decimal number, also as a string; an empty string counts as absent. */
export const decimal = shared(
  (bounds: { min?: number; max?: number } = {}): z.ZodType<number, number> => {
    const { min = -Number.MAX_VALUE, max = Number.MAX_VALUE } = bounds
    const wire: WireSchema = { type: 'number' }
    if (bounds.min !== undefined) wire.minimum = bounds.min
    if (bounds.max !== undefined) wire.maximum = bounds.max
    return loose(readDecimal, z.number().min(min).max(max), wire, true)
  },
)

/** Reads no other notations of JavaScript, of which a blank text is 0. */
function readDecimal(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  const isDecimal = /^[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})(e[+-]?\d{1,2})?$/i.test(text)
  return isDecimal ? Number(text) : value
}
