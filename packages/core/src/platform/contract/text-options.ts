import type { TextOptions } from './fields.ts'
import { webUrlPattern } from './web-urls.ts'

/** Maximum length of names and titles, in characters. */
export const maxNameLength = 255

/** Maximum length of the full path of a project: twenty levels of groups, and its own segment. */
export const maxFullPathLength = 21 * (maxNameLength + 1)

/** Maximum length of descriptions, comments and other Markdown, in characters. */
export const maxProseLength = 1_000_000

/** Maximum length of the path of a file, in characters; no file system takes a longer one. */
const maxFilePathLength = 4096

/** Maximum length of URLs, in characters. */
export const maxUrlLength = 2048

/**
 * Maximum length of a parameter in the path, in characters: a full path, each character of which is
 * percent-encoded. Longer ones match no route.
 */
export const maxPathParameterLength = 3 * maxFullPathLength

/** Something other than white space. */
export const notBlank = String.raw`\S`

/** Without control characters, so also without line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
export const singleLine = /^[^\x00-\x1f\x7f]*$/

/** A short text, such as the place where a user lives. */
export const shortText: TextOptions = { rules: { maxLength: maxNameLength } }

/** A name or title. */
export const nameText: TextOptions = {
  rules: { minLength: 1, maxLength: maxNameLength, pattern: notBlank },
}

/** A pattern of a word in upper and lower case, which JSON Schema has no flag for. */
function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

/** The last segment of the path of a group, project or user. */
export const pathText: TextOptions = {
  rules: {
    minLength: 1,
    maxLength: maxNameLength,
    pattern: `^(?!.*[.](?:${anyCase('git')}|${anyCase('atom')})?$)[A-Za-z0-9_.][A-Za-z0-9_.-]*$`,
  },
}

/** The id or the full path of a project, group or namespace. */
export const fullPathText: TextOptions = { max: maxFullPathLength }

/** A description, which may be blank. */
export const proseText: TextOptions = { rules: { maxLength: maxProseLength } }

/** A comment, which may not be blank. */
export const noteText: TextOptions = {
  rules: { minLength: 1, maxLength: maxProseLength, pattern: notBlank },
}

/** The path of a file in a repository. */
export const filePathText: TextOptions = { max: maxFilePathLength }

/** The path of a file that is written. */
export const writtenPathText: TextOptions = {
  rules: { minLength: 1, maxLength: maxFilePathLength, not: { pattern: pathFaults() } },
}

/** What no such path has: empty segments, `.`, `..`, a backslash, and what could be git's own folder. */
function pathFaults(): string {
  // Some file systems ignore these characters, and dots and blanks at the end.
  const ignored = String.raw`\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff`
  const spelled = (parts: readonly string[]) => parts.join(`[${ignored}]*`)
  const git = ['[gG]', '[iI]', '[tT]']
  const names = [spelled(['', '[.]', ...git]), spelled(['', ...git, '~', '[1-9]'])]
  const gitFolder = String.raw`(?:${names.join('|')})[. ${ignored}]*(?::[^/\n\r\u2028\u2029]*)?`
  return String.raw`[\\\0]|(?:^|/)(?:[.]{0,2}|${gitFolder})(?:/|$)`
}

/** An address on the web. */
export const webUrlText: TextOptions = {
  rules: { maxLength: maxUrlLength, format: 'uri', pattern: webUrlPattern },
}

/** An e-mail address. */
export const emailText: TextOptions = { rules: { maxLength: maxNameLength, format: 'email' } }
