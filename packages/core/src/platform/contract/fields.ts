import { z } from 'zod'
import { isLongerThan } from '../text/length.rules.ts'
import { shared } from './shared-schema.ts'

/**
 * Fields as existing clients send them. OpenAPI shows the JSON schema of each; the SDK takes the
 * TypeScript input type.
 */
export interface WireSchema {
  type?: string | string[]
  format?: string
  items?: object
  enum?: readonly unknown[]
  description?: string
  additionalProperties?: unknown
  anyOf?: object[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  maxItems?: number
  not?: object
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
  // `meta` would return a copy, and keep both.
  const field = z.preprocess(read, schema).register(z.globalRegistry, { ...meta })
  return field as unknown as z.ZodType<Out, In>
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
export const boolean = shared((): z.ZodType<boolean, boolean> => {
  return loose(readBoolean, z.boolean(), { type: 'boolean' }, true)
})

export function readInteger(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  const number = /^[+-]?\d{1,16}$/.test(text) ? Number(text) : undefined
  return Number.isSafeInteger(number) ? number : value
}

/** A whole number, also as a string; an empty string counts as absent. */
export const integer = shared(
  (bounds: { min?: number; max?: number } = {}): z.ZodType<number, number> => {
    const { schema, wire } = boundedInteger(bounds)
    return loose(readInteger, schema, wire, true)
  },
)

/** A whole number, or `null` or an empty string to clear it. */
export const clearableInteger = shared(
  (bounds: { min?: number; max?: number } = {}): z.ZodType<number | null, number | null> => {
    const { schema, wire } = boundedInteger(bounds)
    return loose((value) => (value === '' ? null : readInteger(value)), schema.nullable(), {
      ...wire,
      type: ['integer', 'null'],
    })
  },
)

function boundedInteger(bounds: { min?: number; max?: number }) {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = bounds
  const wire: WireSchema = { type: 'integer' }
  if (bounds.min !== undefined) wire.minimum = bounds.min
  if (bounds.max !== undefined) wire.maximum = bounds.max
  return { schema: z.number().int().min(min).max(max), wire }
}

/** Whether both databases can store a text: without lone surrogates and NUL bytes. */
export function isCleanText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Maximum length of texts that state none, in characters. */
export const defaultMaxLength = 1024

/**
 * How much longer than its rule a text may be for that rule to refuse it in its own words, in
 * characters; the schema refuses longer ones before anything reads them.
 */
const lengthTolerance = 1000

/** What a text must be like, in the keywords of JSON schema; lengths are in characters. */
export interface TextConstraints {
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  /** What it may not be like. */
  not?: { pattern: string }
}

export interface TextOptions {
  /** Maximum length in characters, checked by the schema; by default 1024. */
  max?: number
  /**
   * What the rules of the resource require and refuse in their own words: it is documented, but not
   * checked by the schema, except for a length far beyond the maximum.
   */
  rules?: TextConstraints
}

interface TextBounds {
  wire: WireSchema
  /** The documented maximum length. */
  maximum: number
  /** The length from which on the schema refuses the text. */
  limit: number
}

export function textBounds({ max, rules = {} }: TextOptions): TextBounds {
  const maximum = rules.maxLength ?? max ?? defaultMaxLength
  const limit = rules.maxLength === undefined ? maximum : maximum + lengthTolerance
  return { wire: { type: 'string', ...rules, maxLength: maximum }, maximum, limit }
}

/** A string that both databases can store; its length is checked first. */
export const boundedString = shared(({ maximum, limit }: TextBounds): z.ZodString => {
  return z.string().superRefine((value, context) => {
    if (isLongerThan(value, limit)) {
      context.addIssue({ code: 'too_big', origin: 'string', maximum, input: value })
    } else if (!isCleanText(value)) {
      context.addIssue({ code: 'custom', input: value })
    }
  })
})

function readText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

/** Text; numbers and booleans in JSON bodies are converted to text. */
export const text = shared((options: TextOptions = {}): z.ZodType<string, string> => {
  const bounds = textBounds(options)
  return loose(readText, boundedString(bounds), bounds.wire)
})

/** Text, or `null` or a blank text to clear it. */
export const clearableText = shared(
  (options: TextOptions = {}): z.ZodType<string | null, string | null> => {
    const bounds = textBounds(options)
    return loose(
      (value) => (isBlank(value) ? null : readText(value)),
      boundedString(bounds).nullable(),
      { ...bounds.wire, type: ['string', 'null'] },
    )
  },
)

/** Whether a value is a short text of white space; nobody means a long one. */
function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.length <= defaultMaxLength && value.trim() === ''
}

/** Non-empty text: an empty string counts as missing. */
export const nonEmptyText = shared((options: TextOptions = {}): z.ZodType<string, string> => {
  const bounds = textBounds(options)
  return loose(readText, boundedString(bounds).min(1), { ...bounds.wire, minLength: 1 })
})

/** An enumeration; an empty string counts as absent. */
export function oneOf<const T extends readonly string[]>(
  words: T,
): z.ZodType<T[number], T[number]> {
  return word(words) as z.ZodType<T[number], T[number]>
}

const word = shared((words: readonly string[]) => {
  return loose((value) => value, z.enum(words), { type: 'string', enum: words }, true)
})

/** An enumeration, or `null`, an empty string or the word `none` to clear it. */
export function clearableOneOf<const T extends readonly string[]>(
  words: T,
  none: string,
): z.ZodType<T[number] | null, T[number] | null> {
  return loose(
    (value) => (value === '' || value === none ? null : value),
    z.enum(words).nullable(),
    {
      type: 'string',
      enum: [...words, none],
    },
  ) as z.ZodType<T[number] | null, T[number] | null>
}

/** An enumeration of whole numbers, also as strings. */
export function oneOfNumbers<const T extends readonly number[]>(
  numbers: T,
): z.ZodType<T[number], T[number]> {
  const wire: WireSchema = { type: 'integer', enum: numbers }
  return loose(readInteger, z.literal(numbers), wire, true) as z.ZodType<T[number], T[number]>
}

/** `custom_attributes[key]=value`: a small map of texts. */
export function textMap(): z.ZodType<Record<string, string>, Record<string, string>> {
  const value = text()
  return loose((map) => map, z.record(z.string().max(255), value), {
    type: 'object',
    additionalProperties: fieldMeta(value)?.wire,
  })
}

/**
 * A file of a multipart form: clients may send any `Blob`, the server gets a `File`. An empty text is
 * no file, which removes the present one.
 */
export function file(): z.ZodType<File, Blob | ''> {
  const wire: WireSchema = { type: 'string', format: 'binary' }
  return loose<File, Blob | ''>((value) => value, z.instanceof(File), wire, true)
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
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ wire: { type: 'string', format: 'date-time' } })

/** A day in a response. */
export const day = z.iso.date().meta({ wire: { type: 'string', format: 'date' } })
