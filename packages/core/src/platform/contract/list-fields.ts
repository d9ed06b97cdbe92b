import { z } from 'zod'
import {
  boundedString,
  fieldMeta,
  loose,
  readInteger,
  type TextOptions,
  textBounds,
} from './fields.ts'
import { shared } from './shared-schema.ts'

/** Maximum number of elements in array parameters. */
export const maxArrayLength = 1000

/** Undefined for a list with too many elements: they are refused before each is looked at. */
export function shortList<T>(list: readonly T[], max = maxArrayLength): readonly T[] | undefined {
  return list.length > max ? undefined : list
}

function readList(value: unknown): unknown {
  if (value === '' || value === null) return []
  if (Array.isArray(value)) return shortList(value)
  if (typeof value !== 'string') return typeof value === 'number' ? [value] : value
  return shortList(value.split(',', maxArrayLength + 1))?.map((word) => word.trim())
}

function dropEmpty(value: unknown): unknown {
  const list = readList(value)
  return Array.isArray(list) ? list.filter((entry) => entry !== '') : list
}

/** Texts as `a,b`, as `name[]=a&name[]=b` or as a JSON array; empty ones are dropped. */
export const textList = shared(
  (options: TextOptions = {}): z.ZodType<string[], string[] | string> => {
    const bounds = textBounds(options)
    return loose<string[], string[] | string>(
      dropEmpty,
      z.array(boundedString(bounds)).max(maxArrayLength),
      { type: 'array', items: bounds.wire, maxItems: maxArrayLength },
    )
  },
)

interface TextsOptions {
  /** Maximum number of texts. */
  maxItems: number
  /** Maximum length of each, in characters. */
  max: number
}

/** Texts in their order, also empty ones, as `name[]=a&name[]=b` or as a JSON array. */
export function orderedTexts({ maxItems, max }: TextsOptions): z.ZodType<string[], string[]> {
  const bounds = textBounds({ max })
  return loose<string[], string[]>(
    (value) => (Array.isArray(value) ? shortList(value, maxItems) : value),
    z.array(boundedString(bounds)).max(maxItems),
    { type: 'array', items: bounds.wire, maxItems },
  )
}

/** As `textList`, or `null` or an empty list to clear it. */
export function clearableTextList(
  options: TextOptions = {},
): z.ZodType<string[] | null, string[] | string | null> {
  const bounds = textBounds(options)
  return loose<string[] | null, string[] | string | null>(
    (value) => {
      const list = dropEmpty(value)
      return Array.isArray(list) && list.length === 0 ? null : list
    },
    z.array(boundedString(bounds)).max(maxArrayLength).nullable(),
    { type: ['array', 'null'], items: bounds.wire, maxItems: maxArrayLength },
  )
}

/** Whole numbers as `name[]=1&name[]=2`, as `1,2` or as a JSON array. */
export const integerList = shared((): z.ZodType<number[], number[]> => {
  return loose<number[], number[]>(
    (value) => {
      const list = dropEmpty(value)
      return Array.isArray(list) ? list.map(readInteger) : list
    },
    z.array(z.number().int()).max(maxArrayLength),
    { type: 'array', items: { type: 'integer' }, maxItems: maxArrayLength },
  )
})

/**
 * A list of enumeration values, comma-separated or as an array.
 * @param rules what its service checks
 */
export function oneOfList<const T extends readonly string[]>(
  words: T,
  rules: { minItems?: number } = {},
): z.ZodType<T[number][], T[number][]> {
  return loose<T[number][], T[number][]>(dropEmpty, z.array(z.enum(words)).max(maxArrayLength), {
    type: 'array',
    items: { type: 'string', enum: words },
    ...rules,
    maxItems: maxArrayLength,
  }) as z.ZodType<T[number][], T[number][]>
}

/** A list of objects with the fields of `element`, as `name[][field]=value` or as a JSON array. */
export function objectList<S extends z.ZodObject>(
  element: S,
): z.ZodType<z.output<S>[], z.input<S>[]> {
  const { $schema: _, ...items } = z.toJSONSchema(element, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const wire = fieldMeta(zodSchema)?.wire
      if (wire === undefined) return
      // Zod copies all that it knows of the field.
      for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Record<string, unknown>)[key]
      Object.assign(jsonSchema, wire)
    },
  })
  return loose<z.output<S>[], z.input<S>[]>(readObjects, z.array(element).max(maxArrayLength), {
    type: 'array',
    items,
    maxItems: maxArrayLength,
  })
}

function readObjects(value: unknown): unknown {
  if (value === '' || value === null) return []
  return Array.isArray(value) ? shortList(value) : value
}
