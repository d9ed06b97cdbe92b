import { z } from 'zod'
import { loose } from '../../platform/contract/fields.ts'

/** One condition under which a feature is on. */
export const FeatureGate = z.union([
  z.object({ key: z.literal('boolean'), value: z.boolean() }),
  /** In percent. */
  z.object({ key: z.literal('percentage_of_time'), value: z.int() }),
  /** Names of groups of callers; or `User:1`, `Group:2`, `Project:3`. */
  z.object({ key: z.enum(['groups', 'actors']), value: z.array(z.string()) }),
])
export type FeatureGate = z.output<typeof FeatureGate>

/** A switch, which clients set and read; the server itself does nothing with it. */
export const Feature = z.object({
  name: z.string(),
  /** `conditional` if it is on for some. */
  state: z.enum(['on', 'off', 'conditional']),
  gates: z.array(FeatureGate),
})
export type Feature = z.output<typeof Feature>

function readFeatureValue(value: unknown): unknown {
  if (value === 0) return false
  if (typeof value !== 'string') return value
  const word = value.trim().toLowerCase()
  if (word === 'true') return true
  if (word === 'false' || word === '0') return false
  return /^\d{1,3}$/.test(word) ? Number(word) : value
}

/** `true`, `false` or a percentage; 0 is `false`. */
export function featureValue(): z.ZodType<boolean | number, boolean | number> {
  return loose(readFeatureValue, z.union([z.boolean(), z.int().min(1).max(100)]), {
    anyOf: [{ type: 'boolean' }, { type: 'integer', minimum: 0, maximum: 100 }],
  })
}
