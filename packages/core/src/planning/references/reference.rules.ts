import { isWellFormedFullPath } from '../../directory/namespaces/path.rules.ts'
import type { Reference, ReferenceTarget } from './reference.schema.ts'
import { parseReferenceUrl } from './reference-url.rules.ts'
import { withoutCode } from './without-code.rules.ts'

/** Characters of words, paths and hashes: a reference can't start within such a run. */
const run = /[\p{L}\p{M}\p{N}_.\-/]+/uy
const number = /([1-9]\d{0,14})(?![\p{L}\p{M}\p{N}_])/uy
const quoted = /"([^"\r\n]{1,255})"/uy
const titleWord = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.\-?&:]*/uy
const sha = /^[0-9a-f]{7,40}$/i
const shaRange = /^([0-9a-f]{7,40})(\.{2,3})([0-9a-f]{7,40})$/i
const url = /:\/\/[^\s<>"`]*/uy

const numbered = { '#': 'issue', '!': 'merge_request', $: 'snippet', '&': 'epic' } as const
const signs = '#!$&%~@'

/** What was parsed at a position: the target, and where it ends. */
interface Found {
  target: ReferenceTarget
  end: number
}

/**
 * Scans the references in a text, in order: `#1`, `!1`, `$1`, `&1`, `%1`, `%name`, `%"two words"`,
 * the same with `~`, `@name`, each but the last with an optional path before its sign; commit
 * hashes and ranges, alone or as `path@hash`; URLs of the service below `webUrl`. Code, comments,
 * words, e-mail addresses and other URLs are skipped. Linear time.
 */
export function scanReferences(text: string, options: { webUrl?: string } = {}): Reference[] {
  const readable = withoutCode(text)
  const references: Reference[] = []
  const keep = (start: number, found: Found) => {
    const span = { start, end: found.end, text: text.slice(start, found.end) }
    references.push({ ...found.target, ...span } as Reference)
  }
  let at = 0
  while (at < readable.length) {
    const end = endOf(run, readable, at) ?? at
    if (readable.startsWith('://', end)) {
      const urlEnd = trimUrl(readable, end, endOf(url, readable, end) ?? end + 3)
      const target = parseReferenceUrl(readable.slice(at, urlEnd), options.webUrl)
      if (target !== undefined) keep(at, { target, end: urlEnd })
      at = urlEnd
    } else if (signs.includes(readable.charAt(end)) && end < readable.length) {
      const prefix = prefixOf(readable, at, end)
      const found = prefix && readSigned(readable, end, prefix.path)
      if (found) keep(prefix.start, found)
      at = found ? found.end : end + 1
    } else {
      const found = isAfterSign(readable, at) ? undefined : readHashes(readable, at, end, null)
      if (found) keep(at + readable.slice(at, end).search(/[^.\-/]/), found)
      at = end + 1
    }
  }
  return references
}

/** Formats a title as a reference: `%name`, or `%"two words"` when it is not a single word. */
export function titleReference(sign: '%' | '~', title: string): string {
  const plain = endOfTitleWord(title, 0) === title.length && !/^\d+$/.test(title)
  return plain ? `${sign}${title}` : `${sign}"${title}"`
}

/**
 * Parses what directly precedes a sign: a path, or nothing but punctuation. Undefined where the
 * sign is part of a word or of an entity (`&#39;`), or is escaped (`\#1`).
 */
function prefixOf(
  text: string,
  start: number,
  end: number,
): { path: string | null; start: number } | undefined {
  const whole = text.slice(start, end)
  if (start === end && isAfterSign(text, start)) return undefined
  if (/^[.\-/]*$/.test(whole)) return { path: null, start: end }
  const path = whole.replace(/^[-/]+/, '')
  if (!isWellFormedFullPath(path) || isAfterSign(text, start)) return undefined
  return { path, start: end - path.length }
}

function isAfterSign(text: string, at: number): boolean {
  return at > 0 && `${signs}\\`.includes(text.charAt(at - 1))
}

function readSigned(text: string, at: number, path: string | null): Found | undefined {
  const sign = text.charAt(at)
  if (sign === '@') return path === null ? readUser(text, at) : readCommits(text, at + 1, path)
  if (sign === '%' || sign === '~') return readTitled(text, at, path)
  const digits = match(number, text, at + 1)
  if (digits === undefined) return undefined
  const kind = numbered[sign as keyof typeof numbered]
  return { target: { kind, path, id: Number(digits[1]) }, end: number.lastIndex }
}

function readTitled(text: string, at: number, path: string | null): Found | undefined {
  const kind = text.charAt(at) === '%' ? 'milestone' : 'label'
  const title = match(quoted, text, at + 1)?.[1]
  if (title !== undefined) return { target: { kind, path, title }, end: quoted.lastIndex }
  const end = endOfTitleWord(text, at + 1)
  if (end === undefined) return undefined
  const word = text.slice(at + 1, end)
  const isId = /^[1-9]\d{0,14}$/.test(word)
  return { target: { kind, path, ...(isId ? { id: Number(word) } : { title: word }) }, end }
}

/** Trailing punctuation belongs to the sentence. */
function endOfTitleWord(text: string, at: number): number | undefined {
  const end = endOf(titleWord, text, at)
  return end === undefined ? undefined : endBefore('.-?&:', text, end)
}

function readUser(text: string, at: number): Found | undefined {
  const runEnd = endOf(run, text, at + 1)
  if (runEnd === undefined || text.charAt(runEnd) === '@') return undefined
  const end = endBefore('./', text, runEnd)
  const name = text.slice(at + 1, end)
  return isWellFormedFullPath(name) ? { target: { kind: 'user', name }, end } : undefined
}

function readCommits(text: string, at: number, path: string): Found | undefined {
  const end = endOf(run, text, at)
  if (end === undefined || text.charAt(end) === '@') return undefined
  return /^[0-9a-f]/i.test(text.charAt(at)) ? readHashes(text, at, end, path) : undefined
}

/**
 * Parses a hash, or a range of two, that spans the run from `start` to `end` except for punctuation
 * around it.
 */
function readHashes(
  text: string,
  start: number,
  end: number,
  path: string | null,
): Found | undefined {
  if (end - start < 7) return undefined
  const runText = text.slice(start, end).replace(/^[.\-/]+/, '')
  const last = endBefore('.-/', text, end)
  const word = runText.slice(0, runText.length - (end - last))
  if (word.length > 83) return undefined
  if (sha.test(word))
    return { target: { kind: 'commit', path, sha: word.toLowerCase() }, end: last }
  const [, from, dots, to] = shaRange.exec(word.toLowerCase()) ?? []
  if (from === undefined || to === undefined) return undefined
  const target = { kind: 'commit_range', path, from, to, dots: dots === '..' ? 2 : 3 } as const
  return { target, end: last }
}

/** The end of a URL without the trailing punctuation of its sentence. */
function trimUrl(text: string, start: number, end: number): number {
  return Math.max(start + 3, endBefore(".,;:!?'*_~()[]{}|", text, end))
}

function endBefore(punctuation: string, text: string, end: number): number {
  let last = end
  while (last > 0 && punctuation.includes(text.charAt(last - 1))) last -= 1
  return last
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  return match(pattern, text, at) === undefined ? undefined : pattern.lastIndex
}
