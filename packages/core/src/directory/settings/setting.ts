import { z } from 'zod'
import { decimal } from '../../platform/contract/decimal-field.ts'
import {
  boolean,
  clearableInteger,
  clearableOneOf,
  clearableText,
  integer,
  oneOf,
  oneOfNumbers,
} from '../../platform/contract/fields.ts'
import {
  clearableTextList,
  integerList,
  oneOfList,
  textList,
} from '../../platform/contract/list-fields.ts'
import { maxUrlLength } from '../../platform/contract/text-options.ts'

/** What holds of a setting besides its type. */
export interface SettingTraits {
  /** Whether the server follows it; the others are kept for clients that set them. */
  acts?: true
  /** The settings that may not be blank while this one is true, or is set. */
  needs?: readonly string[]
  /** Encrypted at rest, and masked in responses. */
  secret?: true
  /** What is shown of a value whose secret is a part of it; default: nothing. */
  withoutSecret?(value: string): string
  /** Takes effect when the server starts again. */
  restart?: true
  tier?: 'premium'
  /**
   * What is wrong with a value that is not null, beyond its type: the end of a sentence that its
   * name starts. Undefined for nothing.
   */
  problem?(value: unknown): string | undefined
}

/** An instance setting: its value in requests, in responses and in a new instance. */
export interface Setting<T = unknown> extends SettingTraits {
  /** What it means, in a sentence or a phrase. */
  about: string
  /** In requests. */
  field: z.ZodType<T, T>
  /** In responses. */
  schema: z.ZodType<T>
  initial: T
}

export type SettingTable = Readonly<Record<string, Setting>>

/** The value of a setting; null where it may be unset. */
export type SettingValue<S> = S extends Setting<infer T> ? T : never

const maxNumber = 2 ** 31 - 1

/** Whole numbers from 0, as v4's databases hold them. */
export const natural = { min: 0, max: maxNumber }
/** Whole numbers from 1. */
export const positive = { min: 1, max: maxNumber }

/** Maximum length of Markdown and of certificates, in characters. */
const maxSettingLength = 262_144

/** Texts of a list: domains, names of providers. */
const listed = { max: 255 }

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
  return setting(clearableInteger(bounds), z.int().nullable(), { initial: null, about, ...traits })
}

/** A decimal number between two bounds, inclusive, of at most three digits after the point. */
export function fraction(
  initial: number,
  { min = 0, max = 1_000_000 }: Bounds,
  about: string,
  traits: SettingTraits = {},
): Setting<number> {
  const problem = (value: number) =>
    Math.abs(value * 1000 - Math.round(value * 1000)) > 1e-6
      ? 'must be a multiple of 0.001'
      : undefined
  return setting(decimal({ min, max }), z.number(), { initial, about, problem, ...traits })
}

/** A line of text or null; a blank one counts as null. */
export function line(
  about: string,
  { initial = null, ...traits }: SettingTraits & { initial?: string | null } = {},
): Setting<string | null> {
  return setting(clearableText(), z.string().nullable(), { initial, about, ...traits })
}

/** The address of a page or service, or a path of this server, or null. */
export function address(
  about: string,
  { initial = null, ...traits }: SettingTraits & { initial?: string | null } = {},
): Setting<string | null> {
  const field = clearableText({ max: maxUrlLength })
  const problem = addressProblem
  return setting(field, z.string().nullable(), { initial, about, problem, ...traits })
}

/** A path may not start with the name of a host: browsers take `//` and `/\` for one. */
function addressProblem(value: string): string | undefined {
  const here = 'http://here.invalid'
  const url = URL.parse(value, here)
  const isPath = value.startsWith('/') && url?.origin === here
  const isAddress = URL.canParse(value) && /^https?:$/.test(url?.protocol ?? '')
  return isPath || isAddress ? undefined : 'is not a valid URL'
}

/** Markdown or a certificate: a text of several lines, or null. */
export function longText(about: string, traits: SettingTraits = {}): Setting<string | null> {
  const field = clearableText({ max: maxSettingLength })
  return setting(field, z.string().nullable(), { initial: null, about, ...traits })
}

/** A list of texts. */
export function texts(
  about: string,
  { initial = [], ...traits }: SettingTraits & { initial?: string[] } = {},
): Setting<string[]> {
  return setting(textList(listed), z.array(z.string()), { initial, about, ...traits })
}

/** A list of texts, or null for no restriction; an empty one counts as null. */
export function optionalTexts(about: string, traits: SettingTraits = {}): Setting<string[] | null> {
  const schema = z.array(z.string()).nullable()
  return setting(clearableTextList(listed), schema, { initial: null, about, ...traits })
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
  const schema = z.enum(words).nullable() as unknown as z.ZodType<T[number] | null>
  const field = clearableOneOf(words, 'nil')
  return setting(field, schema, { initial: null, about, ...traits })
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

/** @param field reads more than it says: a list, for example, also from a comma-separated text */
function setting<T>(
  field: z.ZodType<T>,
  schema: z.ZodType<T>,
  described: Omit<Setting<T>, 'field' | 'schema'>,
): Setting<T> {
  return { field: field as z.ZodType<T, T>, schema, ...described }
}
