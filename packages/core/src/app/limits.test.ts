import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Contract, EndpointSpec } from '../platform/contract/endpoint.ts'
import { fieldMeta } from '../platform/contract/fields.ts'
import { contracts } from './registry.ts'

interface Text {
  field: z.ZodType
  /** In characters, as documented. */
  maxLength: number
}

function textOf(field: z.ZodType): Text | undefined {
  const { type, maxLength } = fieldMeta(field)?.wire ?? {}
  const isText = type === 'string' || (Array.isArray(type) && type.includes('string'))
  return isText && maxLength !== undefined ? { field, maxLength } : undefined
}

const texts = Object.values<Contract>(contracts)
  .flatMap<EndpointSpec>((contract) => Object.values(contract))
  .flatMap(({ method, path, query, body }) =>
    Object.entries({ ...query?.shape, ...body?.shape }).flatMap(([name, field]) => {
      const found = textOf(field as z.ZodType)
      return found === undefined ? [] : [{ name: `${name} of ${method} ${path}`, ...found }]
    }),
  )

/** Longer by more than the rules of a field are left to say so themselves. */
const tolerance = 1001

describe('every text parameter', () => {
  it.each(texts)('$name refuses a text far beyond its limit', ({ field, maxLength }) => {
    const { success, error } = field.safeParse('x'.repeat(maxLength + tolerance))
    expect(success).toBe(false)
    expect(error?.issues[0]).toMatchObject({ code: expect.stringMatching(/too_big|union/) })
  })

  it.each(texts)('$name accepts a text of its limit', ({ field, maxLength }) => {
    for (const character of ['x', '😀']) {
      expect(field.safeParse(character.repeat(maxLength)).success).toBe(true)
    }
  })
})
