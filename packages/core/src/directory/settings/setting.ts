import { z } from 'zod'
import {
  boolean,
  decimal,
  integer,
  oneOf,
  oneOfNumbers,
  type TextOptions,
  text,
} from '../../platform/contract/fields.ts'
import { integerList, oneOfList, textList } from '../../platform/contract/list-fields.ts'
import { maxProseLength, maxUrlLength } from '../../platform/contract/text-options.ts'

/** What holds of a setting besides its type. */
export interface SettingTraits {
  /** Whether the server follows it; the others are kept for clients that set them. */
  acts?: true
  /** The settings that may not be blank while this one is true, or is set. */
  needs?: readonly string[]
  /** Encrypted at rest, and masked in responses. */
  secret?: true
  /** Takes effect when the server starts again. */
  restart?: true
  tier?: 'premium'
}

/** An instance setting: its value in requests, in responses and in a new instance. */
export interface Setting<T = unknown> extends SettingTraits {
  /** What it means, in a sentence or a phrase. */
  about: string
  /** In requests. */
  field: z.ZodType<T>
  /** In responses. */
  schema: z.ZodType<T>
  initial: T
}

export type SettingTable = Readonly<Record<string, Setting>>

/** The value of a setting; null where it may be unset. */
export type SettingValue<S> = S extends Setting<infer T> ? T : never

/** Whole numbers from 0. */
export const natural = { min: 0 }
/** Whole numbers from 1. */
export const positive = { min: 1 }

interface Bounds {
  min?: number
  max?: number
}

/** A switch. */
export function flag(initial: boolean, about: string, traits: SettingTraits = {}) {
  return setting(boolean(), z.boolean(), { initial, about, ...traits })
}

/** A whole number. */
export function number(
  initial: number,
  bounds: Bounds,
  about: string,
  traits: SettingTraits = {},
): Setting<number> {
  return setting(integer(bounds), z.int(), { initial, about, ...traits })
}

/** A whole number, or null for none. */
export function optionalNumber(
  bounds: Bounds,
  about: string,
  traits: SettingTraits = {},
): Setting<number | null> {
  return clearable(integer(bounds), z.int(), { initial: null, about, ...traits })
}

/** A decimal number between two bounds, inclusive. */
export function fraction(
  initial: number,
  { min = 0, max = 1_000_000 }: Bounds,
  about: string,
  traits: SettingTraits = {},
): Setting<number> {
  return setting(decimal({ min, max }), z.number(), { initial, about, ...traits })
}

/** A line of text or null; a blank one counts as null. */
export function line(
  about: string,
  { initial = null, ...traits }: SettingTraits & { initial?: string | null } = {},
): Setting<string | null> {
  return clearable(text(), z.string(), { initial, about, ...traits })
}

/** The address of a page or service, or null. */
export function address(
  about: string,
  { initial = null, ...traits }: SettingTraits & { initial?: string | null } = {},
): Setting<string | null> {
  return clearable(text({ max: maxUrlLength }), z.string(), { initial, about, ...traits })
}

/** Markdown or a certificate: a text of several lines, or null. */
export function longText(about: string, traits: SettingTraits = {}): Setting<string | null> {
  const options: TextOptions = { rules: { maxLength: maxProseLength } }
  return clearable(text(options), z.string(), { initial: null, about, ...traits })
}

/** A list of texts. */
export function texts(about: string, traits: SettingTraits = {}): Setting<string[]> {
  return setting(textList(), z.array(z.string()), { initial: [], about, ...traits })
}

/** A list of texts, or null for no restriction; an empty one counts as null. */
export function optionalTexts(about: string, traits: SettingTraits = {}): Setting<string[] | null> {
  const field = textList().transform((list) => (list.length === 0 ? null : list))
  return setting<string[] | null>(field, z.array(z.string()).nullable(), {
    initial: null,
    about,
    ...traits,
  })
}

/** A list of whole numbers. */
export function numbers(about: string, traits: SettingTraits = {}): Setting<number[]> {
  return setting(integerList(), z.array(z.int()), { initial: [], about, ...traits })
}

/** One word of several, or null, also as a blank text or as `nil`. */
export function optionalChoice<const T extends readonly string[]>(
  words: T,
  about: string,
  traits: SettingTraits = {},
): Setting<T[number] | null> {
  const field = oneOf(['nil', ...words]).transform((word) => (word === 'nil' ? null : word))
  const schema = z.enum(words).nullable() as unknown as z.ZodType<T[number] | null>
  return setting<T[number] | null>(field.nullable() as typeof schema, schema, {
    initial: null,
    about,
    ...traits,
  })
}

/** One word of several. */
export function choice<const T extends readonly string[]>(
  words: T,
  initial: T[number],
  about: string,
  traits: SettingTraits = {},
): Setting<T[number]> {
  return setting(oneOf(words), z.enum(words) as z.ZodType<T[number]>, { initial, about, ...traits })
}

/** One number of several. */
export function numberChoice<const T extends readonly number[]>(
  allowed: T,
  initial: T[number],
  about: string,
  traits: SettingTraits = {},
): Setting<T[number]> {
  const schema = z.literal(allowed) as unknown as z.ZodType<T[number]>
  return setting(oneOfNumbers(allowed), schema, { initial, about, ...traits })
}

/** Any of several words. */
export function choices<const T extends readonly string[]>(
  words: T,
  initial: T[number][],
  about: string,
  traits: SettingTraits = {},
): Setting<T[number][]> {
  const schema = z.array(z.enum(words)) as unknown as z.ZodType<T[number][]>
  return setting(oneOfList(words), schema, { initial, about, ...traits })
}

type Described<T> = Omit<Setting<T>, 'field' | 'schema'>

function setting<T>(
  field: z.ZodType<T>,
  schema: z.ZodType<T>,
  described: Described<T>,
): Setting<T> {
  return { field, schema, ...described }
}

/** Null and a blank text clear it. */
function clearable<T>(
  field: z.ZodType<T>,
  schema: z.ZodType<T>,
  described: Described<T | null>,
): Setting<T | null> {
  return { field: field.nullable(), schema: schema.nullable(), ...described }
}
