import { cutText } from './cut-text.ts'

/** An author, committer or tagger with their local time. */
export interface Signature {
  name: string
  email: string
  /** ISO 8601 with milliseconds and the person's own offset: `2019-03-01T12:00:00.000+02:00`. */
  date: string
}

/** A parsed commit object, all text in Unicode. */
export interface Commit {
  oid: string
  tree: string
  /** The first 100. */
  parents: string[]
  /** Set if there are more parents. */
  hasMoreParents?: true
  author: Signature
  committer: Signature
  /**
   * Unchanged, including its last line break; cut, and then ending in an ellipsis, if it is longer
   * than the reader asked for.
   */
  message: string
  /** The first line of the message; cut after 1000 characters. */
  title: string
}

/** An annotated tag. */
export interface Tag {
  oid: string
  name: string
  /** The object that it points to. */
  target: string
  targetType: string
  /** Absent in very old tags. */
  tagger?: Signature
  message: string
}

const separator = Buffer.from('\n\n')
// The last second of the year 9999: later ones have no ISO 8601 form with four digits.
const lastSecond = 253_402_300_799

/** Enough for any number of seconds and an offset. */
const maxTimeLength = 42

function decoderFor(encoding: string | undefined): (bytes: Buffer) => string {
  if (!encoding || /^utf-?8$/i.test(encoding)) return (bytes) => bytes.toString('utf8')
  try {
    const decoder = new TextDecoder(encoding)
    return (bytes) => decoder.decode(bytes)
  } catch {
    return (bytes) => bytes.toString('utf8')
  }
}

/** Seconds since the epoch and an offset such as `+0230`, as ISO 8601. */
export function formatDate(seconds: number, offset: string): string {
  const timestamp = Number.isFinite(seconds) && Math.abs(seconds) <= lastSecond ? seconds : 0
  const [, sign = '+', hours = '00', minutes = '00'] = /^([+-])(\d\d)(\d\d)$/.exec(offset) ?? []
  const valid = Number(hours) < 24 && Number(minutes) < 60
  const shift = valid ? (Number(hours) * 60 + Number(minutes)) * 60 : 0
  const local = new Date((timestamp + (sign === '-' ? -shift : shift)) * 1000).toISOString()
  return `${local.slice(0, -1)}${valid && shift > 0 ? `${sign}${hours}:${minutes}` : '+00:00'}`
}

/**
 * Parses `Name <email> seconds offset`; missing parts are empty, or the epoch. Cuts a name or
 * address of over 1000 characters.
 */
export function parseSignature(line: string): Signature {
  const open = line.indexOf('<')
  const close = line.lastIndexOf('>')
  const name = (open < 0 ? line : line.slice(0, open)).trim()
  const email = open < 0 || close < open ? '' : line.slice(open + 1, close).trim()
  const { seconds, offset } = parseTime(close < 0 ? '' : line.slice(close + 1))
  const [shownName, shownEmail] = [name, email].map((text) => cutText(text, textLimits.fieldLength))
  return {
    name: shownName ?? '',
    email: shownEmail ?? '',
    date: formatDate(Number(seconds), offset),
  }
}

/** `1551434400 +0230`; the epoch for anything else. */
function parseTime(text: string): { seconds: string; offset: string } {
  const words = text.trimEnd().slice(-maxTimeLength).trimStart().split(' ')
  const last = words.at(-1) ?? ''
  const hasOffset = words.length > 1 && /^[+-]\d+$/.test(last)
  const seconds = hasOffset ? (words.at(-2) ?? '') : last
  return {
    seconds: /^-?\d+$/.test(seconds) ? seconds : '0',
    offset: hasOffset ? last : '+0000',
  }
}

/** What is read of a commit or tag; the rest is left out. */
export const textLimits = {
  /** Parents of a commit. */
  parents: 100,
  /** Characters of a name, an e-mail address or a title. */
  fieldLength: 1000,
  /** Bytes of the headers other than parents; signatures count. */
  headerBytes: 1024 * 1024,
} as const

interface RawObject {
  /** The first value of each header that is read, in the bytes of its encoding. */
  headers: Map<string, string>
  parents: string[]
  hasMoreParents: boolean
  message: string
}

/** The headers of commits and tags that are used here. */
const usedHeaders: ReadonlySet<string> = new Set([
  ...['tree', 'author', 'committer', 'encoding'],
  ...['object', 'type', 'tag', 'tagger'],
])

const lineFeed = 0x0a

type RawHeaders = Omit<RawObject, 'message'>

/** Reads headers up to a position; damage leaves some out. */
function readHeaders(content: Buffer, end: number): RawHeaders {
  const found: RawHeaders = { headers: new Map(), parents: [], hasMoreParents: false }
  let others = 0
  for (let at = 0; at < end && others < textLimits.headerBytes; ) {
    const next = content.indexOf(lineFeed, at)
    const lineEnd = next < 0 ? end : Math.min(next, end)
    if (!readHeader(found, content, at, lineEnd)) others += lineEnd + 1 - at
    at = lineEnd + 1
  }
  return found
}

const parentPrefix = 'parent '
const parentLength = parentPrefix.length + 40

/** Reads one line; whether it was a parent. */
function readHeader(found: RawHeaders, content: Buffer, at: number, end: number): boolean {
  // Continuation lines, which start with a space, belong to signatures: those are not needed here.
  const line = startAndEnd(content, at, end)
  if (line.startsWith(parentPrefix)) {
    if (found.parents.length === textLimits.parents) found.hasMoreParents = true
    else found.parents.push(line.slice(parentPrefix.length, parentLength))
    return true
  }
  const key = line.slice(0, Math.max(0, line.indexOf(' ')))
  if (usedHeaders.has(key) && !found.headers.has(key)) {
    found.headers.set(key, line.slice(key.length + 1))
  }
  return false
}

/** A name and an address of four bytes a character, and more. */
const maxHeaderStart = 2 * 4 * textLimits.fieldLength + 100
/** The end has the time, and what fits of the address before it. */
const headerEndLength = 500

/** A line as Latin-1, without the middle of one that is absurdly long. */
function startAndEnd(content: Buffer, at: number, end: number): string {
  if (end - at <= maxHeaderStart + headerEndLength) return content.toString('latin1', at, end)
  const start = content.toString('latin1', at, at + maxHeaderStart)
  return start + content.toString('latin1', end - headerEndLength, end)
}

function parseObject(content: Buffer, maxMessageBytes: number): RawObject {
  const end = content.indexOf(separator)
  const raw = readHeaders(content, end < 0 ? content.length : end)
  const decode = decoderFor(raw.headers.get('encoding'))
  const headers = new Map<string, string>()
  for (const [key, value] of raw.headers) headers.set(key, decode(Buffer.from(value, 'latin1')))
  const start = end < 0 ? content.length : end + separator.length
  const bytes = content.subarray(start, start + maxMessageBytes)
  const isWhole = start + bytes.length === content.length
  const text = decode(bytes)
  return { ...raw, headers, message: isWhole ? text : `${withoutPartialEnd(text)}…` }
}

/** Without what a cut within a character left of it: at most three bytes. */
function withoutPartialEnd(text: string): string {
  let end = text.length
  while (end > text.length - 3 && text[end - 1] === '\ufffd') end -= 1
  return text.slice(0, end)
}

/** The first non-empty line. */
export function titleOf(message: string): string {
  return message.trimStart().split(/\r?\n/, 1)[0]?.trimEnd() ?? ''
}

/**
 * Parses the content of a commit object; damage gives empty fields, never an error. Cuts a message
 * over `maxMessageBytes`.
 */
export function parseCommit(
  oid: string,
  content: Buffer,
  maxMessageBytes = Number.POSITIVE_INFINITY,
): Commit {
  const { headers, parents, hasMoreParents, message } = parseObject(content, maxMessageBytes)
  const commit: Commit = {
    oid,
    tree: headers.get('tree') ?? '',
    parents,
    author: parseSignature(headers.get('author') ?? ''),
    committer: parseSignature(headers.get('committer') ?? ''),
    message,
    title: cutText(titleOf(message), textLimits.fieldLength),
  }
  return hasMoreParents ? { ...commit, hasMoreParents } : commit
}

/** Parses the content of a tag object; see `parseCommit`. */
export function parseTag(
  oid: string,
  content: Buffer,
  maxMessageBytes = Number.POSITIVE_INFINITY,
): Tag {
  const { headers, message } = parseObject(content, maxMessageBytes)
  const tagger = headers.get('tagger')
  const tag: Tag = {
    oid,
    name: headers.get('tag') ?? '',
    target: headers.get('object') ?? '',
    targetType: headers.get('type') ?? '',
    message,
  }
  return tagger === undefined ? tag : { ...tag, tagger: parseSignature(tagger) }
}
