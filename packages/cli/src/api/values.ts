import { openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { usageError } from '../cli-error.ts'
import type { Input } from '../cli-io.ts'
import type { Field, FieldKind } from './field.ts'

/** The raw value of one option from commander: texts, or true for a switch without a value. */
export type Given = string | readonly string[] | true

/** Parses a typed value into the value to send. @throws CliError if it is invalid. */
export async function readValue(
  field: Field,
  flag: string,
  given: Given,
  stdin: Input,
): Promise<unknown> {
  const texts = typeof given === 'string' ? [given] : given === true ? ['true'] : given
  if (field.kind === 'list') return readList(field, flag, texts, stdin)
  if (field.kind === 'map') return readMap(flag, texts)
  return readOne(field.kind, field.words, flag, texts[0] ?? '', stdin)
}

async function readList(
  { item, words, takesCommas }: Field,
  flag: string,
  texts: readonly string[],
  stdin: Input,
): Promise<unknown> {
  // The server splits a single text itself, since it knows which commas are separators.
  if (item === 'text' && takesCommas && texts.length === 1) {
    return readOne(item, words, flag, texts[0] ?? '', stdin)
  }
  const splits = takesCommas && item !== 'text' && item !== 'json'
  const parts = splits ? texts.flatMap((text) => text.split(',')) : texts
  const values = await Promise.all(parts.map((part) => readOne(item, words, flag, part, stdin)))
  // JSON is one element, or an array of several.
  return item === 'json' ? values.flat() : values
}

function readMap(flag: string, texts: readonly string[]): Record<string, string> {
  const pairs = texts.map((text) => {
    const split = text.indexOf('=')
    if (split < 1) throw usageError(`${flag} must be key=value, not ${quote(text)}`)
    return [text.slice(0, split), text.slice(split + 1)]
  })
  return Object.fromEntries(pairs)
}

async function readOne(
  kind: FieldKind,
  words: readonly string[],
  flag: string,
  text: string,
  stdin: Input,
): Promise<unknown> {
  if (kind === 'text') return readFileOrText(flag, text, stdin)
  if (kind === 'file') return openFile(flag, text)
  if (kind === 'json') return parseJson(flag, await readFileOrText(flag, text, stdin))
  if (kind === 'boolean') return readBoolean(flag, text)
  if (kind === 'word') return readWord(flag, text, words)
  return readNumber(kind, flag, text)
}

function readNumber(kind: FieldKind, flag: string, text: string): number {
  const pattern = kind === 'integer' ? /^[+-]?\d{1,15}$/ : /^[+-]?\d+(?:\.\d+)?$/
  if (pattern.test(text.trim())) return Number(text)
  const noun = kind === 'integer' ? 'a whole number' : 'a number'
  throw usageError(`${flag} must be ${noun}, not ${quote(text)}`)
}

function readBoolean(flag: string, text: string): boolean {
  const word = text.toLowerCase()
  if (word === 'true' || word === 'yes') return true
  if (word === 'false' || word === 'no') return false
  throw usageError(`${flag} must be true or false, not ${quote(text)}`)
}

function readWord(flag: string, text: string, words: readonly string[]): string {
  if (words.includes(text)) return text
  throw usageError(`${flag} must be one of ${words.join(', ')}, not ${quote(text)}`)
}

function parseJson(flag: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw usageError(`${flag} must be JSON, or @file with JSON in it`)
  }
}

/** `@file` reads the file, `@-` reads stdin, `@@x` is the text `@x`. */
async function readFileOrText(flag: string, text: string, stdin: Input): Promise<string> {
  if (!text.startsWith('@') || text === '@') return text
  if (text.startsWith('@@')) return text.slice(1)
  if (text === '@-') return readText(stdin)
  try {
    return await readFile(text.slice(1), 'utf8')
  } catch {
    throw usageError(
      `${flag} names the file ${quote(text.slice(1))}, which cannot be read (write @@ for text that begins with @)`,
    )
  }
}

/** The file is streamed while it is sent: its size costs no memory. */
async function openFile(flag: string, path: string): Promise<File> {
  try {
    const blob = await openAsBlob(path)
    return new File([blob], basename(path), { type: 'application/octet-stream' })
  } catch {
    throw usageError(`${flag}: the file ${quote(path)} cannot be read`)
  }
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
