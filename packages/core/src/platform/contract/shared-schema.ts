import type { z } from 'zod'

/**
 * A function that returns the same schema for equal arguments, which are plain data. Schemas never
 * change; each takes one to ten kilobytes of memory, and thousands of fields need a few hundred.
 */
export function shared<Arguments extends readonly unknown[], Schema extends z.ZodType>(
  make: (...args: Arguments) => Schema,
): (...args: Arguments) => Schema {
  const made = new Map<string, Schema>()
  return (...args) => {
    const key = JSON.stringify(args)
    const schema = made.get(key) ?? make(...args)
    made.set(key, schema)
    return schema
  }
}
