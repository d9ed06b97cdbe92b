import { type OpenElements, takeTag } from './open-elements.ts'

/**
 * Elements that go on over the blocks behind them until they are closed: not those that have no end or are
 * closed by the next block, and not what is no element of HTML, as in `List<T>`.
 */
const lasting = new Set(
  (
    'a abbr b blockquote cite code del details dfn div dl em i ins kbd mark ol pre q s samp section small ' +
    'span strike strong sub summary sup table tt u ul var ' +
    'iframe noembed noframes noscript option plaintext script style textarea title xmp'
  ).split(' '),
)

/** HTML that somebody wrote, in whole tags, and how many lasting elements it opens beyond those it closes. */
export interface RawHtml {
  html: string
  opened: number
}

/**
 * Keeps whole tags as they are, takes out comments and declarations, and escapes what only begins as a tag:
 * so nothing that follows can become a part of it. Takes time in proportion to the text.
 * @param open what the texts before it left open; tags that would nest too deeply are escaped as well
 */
export function wholeTags(text: string, open: OpenElements): RawHtml {
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
    if (end === -1 || !takeTag(open, name, closes)) {
      html += '&lt;'
      from = at + 1
      continue
    }
    if (lasting.has(name)) opened += closes ? -1 : 1
    html += tag
  }
  return { html: html + text.slice(from), opened }
}

/** Tells where a comment, a declaration or an instruction that begins at a place ends; -1 for none. */
function specialReader(text: string): (at: number) => number {
  // What has no end from one place on has none from a later one.
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

/** Where the tag that begins at `at` ends: its `>`; -1 where it does not, or not as every reader would agree. */
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
