import type { TransportService } from '@stithy/git'

/** What an SSH client asks for. */
export type SshCommand =
  | { kind: TransportService; path: string }
  /** Anything but a fetch or push. */
  | { kind: 'unsupported' }

/** Longest full path of a project, twenty groups and the project, with quotes and `.git`. */
const maxLength = 21 * 256 + 64

/**
 * Parses the command line of `git clone` and `git push` over SSH: `git-upload-pack '<path>'`, in
 * the quoting of git's client (sq_quote), with or without the leading slash and `.git`.
 */
export function parseCommand(line: string): SshCommand {
  if (line.length > maxLength) return { kind: 'unsupported' }
  const [, service, argument = ''] =
    /^(?:git-|git )(upload-pack|receive-pack) (\S[^\0]*)$/.exec(line) ?? []
  const path = unquote(argument)
  if (service === undefined || path === undefined || !path.isWellFormed()) {
    return { kind: 'unsupported' }
  }
  const start = path.startsWith('/') ? 1 : 0
  const end = path.endsWith('.git') ? path.length - '.git'.length : path.length
  return { kind: service as TransportService, path: path.slice(start, end) }
}

/** A word, quoted with `'a'\''b'` and `'a'\!'b'` as git does, or bare; undefined for anything else. */
function unquote(text: string): string | undefined {
  if (!text.startsWith("'")) return /^[^\s'"\\$`;&|<>]+$/.test(text) ? text : undefined
  let word = ''
  let at = 0
  while (at < text.length) {
    const end = text.indexOf("'", at + 1)
    if (text[at] !== "'" || end === -1) return undefined
    word += text.slice(at + 1, end)
    at = end + 1
    if (text[at] !== '\\') continue
    const escaped = text[at + 1]
    if (escaped !== "'" && escaped !== '!') return undefined
    word += escaped
    at += 2
  }
  return word
}
