import { z } from 'zod'

/**
 * Fields as existing clients send them. OpenAPI shows the JSON schema of each; the SDK takes the
 * TypeScript input type.
 */
interface WireSchema {
  type?: string | string[]
  format?: string
  items?: object
  enum?: readonly unknown[]
  description?: string
  additionalProperties?: unknown
  anyOf?: object[]
  minimum?: number
  maximum?: number
}

/** Metadata of a field. */
export interface FieldMeta {
  /** The JSON schema of the wire format. */
  wire: WireSchema
  /** True when an empty string counts as absent. */
  blankIsAbsent: boolean
  /** The minimum tier for the parameter; lower tiers return 403. */
  tier?: 'premium' | 'ultimate'
}

/** A field whose wire format is looser than its type; `wire` documents it. */
export function loose<Out, In = Out>(
  read: (value: unknown) => unknown,
  schema: z.ZodType<Out>,
  wire: WireSchema,
  blankIsAbsent = false,
): z.ZodType<Out, In> {
  const meta: FieldMeta = { wire, blankIsAbsent }
  return z.preprocess(read, schema).meta({ ...meta }) as unknown as z.ZodType<Out, In>
}

/** The metadata of a field, also inside `optional()`, `nullable()` and `default()`. */
export function fieldMeta(schema: unknown): FieldMeta | undefined {
  for (let current = schema; current instanceof z.ZodType; ) {
    const meta = current.meta()
    if (meta !== undefined && 'wire' in meta) return meta as unknown as FieldMeta
    if (!(current instanceof z.ZodOptional || current instanceof z.ZodNullable)) {
      if (!(current instanceof z.ZodDefault)) return undefined
    }
    current = current.unwrap()
  }
  return undefined
}

/** A parameter of a paid feature. */
export function paid<S extends z.ZodType>(field: S, tier: 'premium' | 'ultimate' = 'premium'): S {
  return field.meta({ ...fieldMeta(field), tier }) as S
}

const trueValues = new Set(['true', '1', 't', 'yes', 'y', 'on'])
const falseValues = new Set(['false', '0', 'f', 'no', 'n', 'off'])

function readBoolean(value: unknown): unknown {
  if (value === 1 || value === 0) return value === 1
  if (typeof value !== 'string') return value
  const word = value.trim().toLowerCase()
  if (trueValues.has(word)) return true
  if (falseValues.has(word)) return false
  return value
}

/** `true`, `True`, `1`, `t`, `yes`, `on` and their opposites; an empty string counts as absent. */
export function boolean(): z.ZodType<boolean, boolean> {
  return loose(readBoolean, z.boolean(), { type: 'boolean' }, true)
}

function readInteger(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : value
}

/** A whole number, also as a string; an empty string counts as absent. */
export function integer(bounds: { min?: number; max?: number } = {}): z.ZodType<number, number> {
  const { schema, wire } = boundedInteger(bounds)
  return loose(readInteger, schema, wire, true)
}

/** A whole number, or `null` or an empty string to clear it. */
export function clearableInteger(
  bounds: { min?: number; max?: number } = {},
): z.ZodType<number | null, number | null> {
  const number = boundedInteger(bounds)
  const wire = { ...number.wire, type: ['integer', 'null'] }
  return loose(
    (value) => (value === '' ? null : readInteger(value)),
    number.schema.nullable(),
    wire,
  )
}

function boundedInteger(bounds: { min?: number; max?: number }) {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = bounds
  const wire: WireSchema = { type: 'integer' }
  if (bounds.min !== undefined) wire.minimum = bounds.min
  if (bounds.max !== undefined) wire.maximum = bounds.max
  return { schema: z.number().int().min(min).max(max), wire }
}

/** A decimal number, also as a string. */
export function decimal(): z.ZodType<number, number> {
  return loose(
    (value) => {
      if (typeof value !== 'string') return value
      return Number.isFinite(Number(value)) ? Number(value) : value
    },
    z.number(),
    { type: 'number' },
    true,
  )
}

/** Neither database can store a lone surrogate or a NUL byte faithfully. */
function isCleanText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Text; numbers and booleans in JSON bodies are converted to text. */
export function text(): z.ZodType<string, string> {
  return loose(
    (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
    z.string().refine(isCleanText),
    { type: 'string' },
  )
}

/** Non-empty text: an empty string counts as missing. */
export function nonEmptyText(): z.ZodType<string, string> {
  return loose(
    (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
    z.string().min(1).refine(isCleanText),
    { type: 'string' },
  )
}

/** An enumeration; an empty string counts as absent. */
export function oneOf<const T extends readonly string[]>(
  words: T,
): z.ZodType<T[number], T[number]> {
  return loose((value) => value, z.enum(words), { type: 'string', enum: words }, true) as z.ZodType<
    T[number],
    T[number]
  >
}

/** An enumeration of whole numbers, also as strings. */
export function oneOfNumbers<const T extends readonly number[]>(
  numbers: T,
): z.ZodType<T[number], T[number]> {
  const wire: WireSchema = { type: 'integer', enum: numbers }
  return loose(readInteger, z.literal(numbers), wire, true) as z.ZodType<T[number], T[number]>
}

/** Maximum number of elements in array parameters. */
export const maxArrayLength = 1000

function readList(value: unknown): unknown {
  if (value === '' || value === null) return []
  if (typeof value === 'string') return value.split(',').map((word) => word.trim())
  return typeof value === 'number' ? [value] : value
}

function dropEmpty(value: unknown): unknown {
  const list = readList(value)
  return Array.isArray(list) ? list.filter((entry) => entry !== '') : list
}

/** Texts as `a,b`, as `name[]=a&name[]=b` or as a JSON array; empty ones are dropped. */
export function textList(): z.ZodType<string[], string[] | string> {
  return loose<string[], string[] | string>(
    dropEmpty,
    z.array(z.string().refine(isCleanText)).max(maxArrayLength),
    { type: 'array', items: { type: 'string' } },
  )
}

/** Whole numbers as `name[]=1&name[]=2`, as `1,2` or as a JSON array. */
export function integerList(): z.ZodType<number[], number[]> {
  return loose<number[], number[]>(
    (value) => {
      const list = dropEmpty(value)
      return Array.isArray(list) ? list.map(readInteger) : list
    },
    z.array(z.number().int()).max(maxArrayLength),
    { type: 'array', items: { type: 'integer' } },
  )
}

/** A list of enumeration values, comma-separated or as an array. */
export function oneOfList<const T extends readonly string[]>(
  words: T,
): z.ZodType<T[number][], T[number][]> {
  return loose<T[number][], T[number][]>(dropEmpty, z.array(z.enum(words)).max(maxArrayLength), {
    type: 'array',
    items: { type: 'string', enum: words },
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
      Object.assign(jsonSchema, fieldMeta(zodSchema)?.wire)
    },
  })
  return loose<z.output<S>[], z.input<S>[]>(
    (value) => (value === '' || value === null ? [] : value),
    z.array(element).max(maxArrayLength),
    { type: 'array', items },
  )
}

/** `custom_attributes[key]=value`: a small map of texts. */
export function textMap(): z.ZodType<Record<string, string>, Record<string, string>> {
  return loose((value) => value, z.record(z.string().max(255), text()), {
    type: 'object',
    additionalProperties: { type: 'string' },
  })
}

/** A file of a multipart form: clients may send any `Blob`, the server gets a `File`. */
export function file(): z.ZodType<File, Blob> {
  const wire: WireSchema = { type: 'string', format: 'binary' }
  return loose<File, Blob>((value) => value, z.instanceof(File), wire, true)
}

/** Makes every field of a shape optional. */
export function optional<S extends Record<string, z.ZodType>>(
  shape: S,
): { [K in keyof S]: z.ZodOptional<S[K]> } {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, field.optional()]),
  ) as { [K in keyof S]: z.ZodOptional<S[K]> }
}

/** Parameters of lists with keyset pagination, besides their filters. */
export const keysetFields = optional({
  pagination: oneOf(['legacy', 'offset', 'keyset']),
  id_after: integer(),
  id_before: integer(),
})

/** A timestamp in a response: ISO 8601 in UTC with milliseconds, `2012-09-20T11:50:22.001Z`. */
export const timestamp = z.string().meta({ wire: { type: 'string', format: 'date-time' } })

/** A day in a response. */
export const day = z.string().meta({ wire: { type: 'string', format: 'date' } })
