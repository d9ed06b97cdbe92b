import { GitError } from '../git-error.ts'

/** A text to search for. */
export interface SearchedText {
  text: string
  ignoreCase: boolean
}

/** How git is told to find a text as it is. */
export interface GrepPattern {
  /** Options of `git grep`. */
  grepArgs: string[]
  /** Options of `git log` and `git rev-list`. */
  logArgs: string[]
  env: Record<string, string>
}

/** PCRE compiles a pattern to at most 64 KiB, of which a letter takes two bytes. */
const maxTextBytes = 16 * 1024

/** Characters with a meaning in basic regular expressions (POSIX). */
const special = /[\\^$.*[\]]/g

/**
 * The pattern that matches a text as it is; undefined if no line can contain it: a text with a line
 * break, which git would split into alternatives, and one with a NUL. An empty one is not searched.
 * @throws GitError `invalid` for over 16 KiB.
 */
export function grepPattern({ text, ignoreCase }: SearchedText): GrepPattern | undefined {
  if (Buffer.byteLength(text) > maxTextBytes) {
    throw new GitError('invalid', `a text of over ${maxTextBytes} bytes`)
  }
  if (text === '' || /[\n\0]/.test(text)) return undefined
  // Git quotes fixed texts for PCRE between `\Q` and `\E`, so what follows a `\E` of the text would
  // be a regular expression.
  const isFixed = !text.includes('\\E')
  const pattern = isFixed ? text : text.replace(special, '\\$&')
  const kind = isFixed ? '--fixed-strings' : '--basic-regexp'
  return {
    grepArgs: [kind, ...(ignoreCase ? ['--ignore-case'] : []), '-e', pattern],
    logArgs: [kind, ...(ignoreCase ? ['--regexp-ignore-case'] : []), `--grep=${pattern}`],
    // In the locale C only ASCII letters have a case; the other one is slower.
    env: ignoreCase && !isAscii(text) ? { LC_ALL: 'C.UTF-8' } : {},
  }
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}
