import type { FieldMeta } from '@stithy/core'
import * as core from '@stithy/core'
import { z } from 'zod'

export type Json = Record<string, unknown>

/** The shapes of responses by the name that the domain model exports them by: `Issue`, `Note`. */
const shapes: ReadonlyMap<unknown, string> = new Map(
  Object.entries(core)
    .filter(([name, value]) => /^[A-Z]/.test(name) && value instanceof z.ZodType)
    .map(([name, value]) => [value, name]),
)

/** The JSON schema of a response, which refers to named shapes. */
export function responseSchema(schema: z.ZodType): Json {
  const name = shapes.get(schema)
  return name === undefined ? jsonSchema(schema, 'output') : reference(name)
}

/** The named shapes that the schemas in a document refer to, and those that they refer to. */
export function referredShapes(document: unknown): Record<string, Json> {
  const byName = new Map([...shapes].map(([schema, name]) => [name, schema as z.ZodType]))
  const found: Record<string, Json> = {}
  const pending: unknown[] = [document]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const name of referencesIn(next)) {
      const schema = byName.get(name)
      if (schema === undefined || found[name] !== undefined) continue
      found[name] = jsonSchema(schema, 'output')
      pending.push(found[name])
    }
  }
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const prefix = '#/components/schemas/'

function reference(name: string): Json {
  return { $ref: prefix + name }
}

function referencesIn(value: unknown): string[] {
  const text = JSON.stringify(value)
  return Array.from(
    text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g),
    ([, name = '']) => name,
  )
}

/**
 * The JSON schema of a zod type. Fields whose wire format is looser than their type state it
 * themselves; whole numbers are bounded, since larger ones are not exact.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: target, path }) => {
      const name = io === 'output' && path.length > 0 ? shapes.get(zodSchema) : undefined
      const wire = (zodSchema as unknown as z.ZodType).meta() as Partial<FieldMeta> | undefined
      const own = name === undefined ? wire?.wire && boundIntegers(wire.wire) : reference(name)
      if (own === undefined) return
      const kept = 'default' in target ? { default: target.default } : {}
      for (const key of Object.keys(target)) delete (target as Json)[key]
      Object.assign(target, own, kept)
    },
  })
  return rest as Json
}

function boundIntegers(wire: object): Json {
  const schema: Json = { ...wire }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  if (types.includes('integer') && schema.enum === undefined) {
    schema.minimum ??= Number.MIN_SAFE_INTEGER
    schema.maximum ??= Number.MAX_SAFE_INTEGER
  }
  if (Array.isArray(schema.anyOf)) schema.anyOf = schema.anyOf.map(boundIntegers)
  if (typeof schema.items === 'object' && schema.items !== null) {
    schema.items = boundIntegers(schema.items)
  }
  return schema
}

/** The members of an object, and the names of those that are required. */
export function objectMembers(schema: z.ZodObject): {
  properties: Record<string, Json>
  required: readonly string[]
} {
  const { properties = {}, required = [] } = jsonSchema(schema, 'input')
  return { properties: properties as Record<string, Json>, required: required as string[] }
}
