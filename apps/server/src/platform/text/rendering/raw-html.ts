import { type OpenElements, trackTag } from './open-elements.ts'

/**
 * Elements that span the following blocks until they are closed: no void elements, none that the
 * next block closes, and no unknown names, as in `List<T>`.
 */
const spanning = new Set(
  (
    'a abbr b blockquote cite code del details dfn div dl em i ins kbd mark ol pre q s samp section small ' +
    'span strike strong sub summary sup table tt u ul var ' +
    'iframe noembed noframes noscript option plaintext script style textarea title xmp'
  ).split(' '),
)

/** Raw HTML in complete tags, and the number of spanning elements that it leaves open. */
export interface RawHtml {
  html: string
  opened: number
}

/**
 * Keeps complete tags, removes comments and declarations, and escapes incomplete tags, so that
 * nothing that follows can become part of them. Linear time.
 * @param open elements left open by the preceding texts; tags nested too deeply are escaped as well
 */
export function escapeIncompleteTags(text: string, open: OpenElements): RawHtml {
  const endOfSpecial = specialReader(text)
  let html = ''
  let opened = 0
  let from = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', from)) {
    html += text.slice(from, at)
    const special = endOfSpecial(at)
    const end = special === -1 ? endOfTag(text, at) : special
    const tag = text.slice(at, end + 1)
    from = end + 1
    if (special !== -1) continue
    const { name, closes } = readTag(tag)
    if (end === -1 || !trackTag(open, name, closes)) {
      html += '&lt;'
      from = at + 1
      continue
    }
    if (spanning.has(name)) opened += closes ? -1 : 1
    html += tag
  }
  return { html: html + text.slice(from), opened }
}

/**
 * Finds where a comment, declaration or processing instruction ends that starts at an offset; -1
 * for none.
 */
function specialReader(text: string): (at: number) => number {
  // One without an end after some offset has none after a later one either.
  const missing = new Set<string>()
  return (at) => {
    const comment = text.startsWith('<!--', at)
    if (!comment && !/[!?]/.test(text.charAt(at + 1))) return -1
    const closer = comment ? '-->' : '>'
    if (missing.has(closer)) return -1
    const end = text.indexOf(closer, at + (comment ? 4 : 2))
    if (end === -1) missing.add(closer)
    return end === -1 ? -1 : end + closer.length - 1
  }
}

function readTag(tag: string): { name: string; closes: boolean } {
  const [, slash, name = ''] = /^<(\/?)([a-z][a-z0-9-]*)/i.exec(tag) ?? []
  return { name: name.toLowerCase(), closes: slash === '/' }
}

const tagStart = /<\/?[a-z][^\s"'<>/=]*/iy
const blanks = /[\s/]*/y
const attributeName = /[^\s"'<>/=]+/y
const assignment = /\s*=\s*/y
const plainValue = /[^\s"'<>]+/y

/**
 * Finds the `>` of a tag that starts at `at`; -1 when the tag is incomplete, or parsers disagree on
 * its end.
 */
function endOfTag(text: string, at: number): number {
  let next = skip(tagStart, text, at)
  if (next === at) return -1
  for (;;) {
    next = skip(blanks, text, next)
    if (text[next] === '>') return next
    const named = skip(attributeName, text, next)
    if (named === next) return -1
    next = endOfValue(text, named)
    if (next === -1) return -1
  }
}

function endOfValue(text: string, at: number): number {
  const next = skip(assignment, text, at)
  if (next === at) return at
  const quote = text[next]
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, next + 1)
    return end === -1 ? -1 : end + 1
  }
  const end = skip(plainValue, text, next)
  return end === next ? -1 : end
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
