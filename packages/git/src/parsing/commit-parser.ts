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
  parents: string[]
  author: Signature
  committer: Signature
  /** Unchanged, including its last line break. */
  message: string
  /** The first line of the message. */
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

/** Parses `Name <email> seconds offset`; missing parts are empty, or the epoch. */
export function parseSignature(line: string): Signature {
  const open = line.indexOf('<')
  const close = line.lastIndexOf('>')
  const name = (open < 0 ? line : line.slice(0, open)).trim()
  const email = open < 0 || close < open ? '' : line.slice(open + 1, close).trim()
  const { seconds, offset } = parseTime(close < 0 ? '' : line.slice(close + 1))
  return { name, email, date: formatDate(Number(seconds), offset) }
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

interface RawObject {
  headers: Map<string, string[]>
  message: string
}

function parseHeaders(content: Buffer): RawObject {
  const end = content.indexOf(separator)
  const head = end < 0 ? content : content.subarray(0, end)
  const [, encoding] = /^encoding (\S+)$/m.exec(head.toString('latin1')) ?? []
  const decode = decoderFor(encoding)
  const headers = new Map<string, string[]>()
  for (const line of decode(head).split('\n')) {
    // Continuation lines belong to signatures, which are not needed here.
    if (line.startsWith(' ')) continue
    const space = line.indexOf(' ')
    if (space < 0) continue
    const key = line.slice(0, space)
    const values = headers.get(key)
    if (values) values.push(line.slice(space + 1))
    else headers.set(key, [line.slice(space + 1)])
  }
  return { headers, message: end < 0 ? '' : decode(content.subarray(end + 2)) }
}

function only(headers: RawObject['headers'], key: string): string {
  return headers.get(key)?.[0] ?? ''
}

/** The first non-empty line. */
export function titleOf(message: string): string {
  return message.trimStart().split(/\r?\n/, 1)[0]?.trimEnd() ?? ''
}

/** Parses the content of a commit object; damage gives empty fields, never an error. */
export function parseCommit(oid: string, content: Buffer): Commit {
  const { headers, message } = parseHeaders(content)
  return {
    oid,
    tree: only(headers, 'tree'),
    parents: headers.get('parent') ?? [],
    author: parseSignature(only(headers, 'author')),
    committer: parseSignature(only(headers, 'committer')),
    message,
    title: titleOf(message),
  }
}

/** Parses the content of a tag object; damage gives empty fields, never an error. */
export function parseTag(oid: string, content: Buffer): Tag {
  const { headers, message } = parseHeaders(content)
  const tagger = headers.get('tagger')?.[0]
  const tag: Tag = {
    oid,
    name: only(headers, 'tag'),
    target: only(headers, 'object'),
    targetType: only(headers, 'type'),
    message,
  }
  return tagger === undefined ? tag : { ...tag, tagger: parseSignature(tagger) }
}
