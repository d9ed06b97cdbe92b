import { z } from 'zod'
import { integer } from './fields.ts'

type Numbers<Name extends string> = z.ZodObject<Record<Name, z.ZodType<number, number>>>

/** Path parameters that are positive integers: ids and iids, by name. */
export function pathNumbers<const Name extends string>(names: readonly Name[]): Numbers<Name> {
  const fields = names.map((name) => [name, integer({ min: 1 })])
  return z.object(Object.fromEntries(fields) as Record<Name, z.ZodType<number, number>>)
}
