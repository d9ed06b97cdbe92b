import { isCleanText, type TextOptions } from '../../platform/contract/fields.ts'
import { maxNameLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'
import { trimCharacters } from '../../platform/text/trim.rules.ts'

const pathPattern = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/
const namePattern =
  /^[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}_](?:[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}_.\-+ ()]|\u200d)*$/u

const pathText =
  "can contain only letters, digits, '_', '-' and '.'. " +
  "Cannot start with '-' or end in '.', '.git' or '.atom'."
const nameText =
  "can contain only letters, digits, emojis, '_', '.', '-', '+', '(', ')' and spaces. " +
  "It must start with a letter, digit, emoji or '_'."

/**
 * The name of a group or project. The pattern is that of `nameErrors` for ASCII, and admits every
 * other character, since few validators know the classes of Unicode.
 */
export const namespaceNameText: TextOptions = {
  rules: {
    minLength: 1,
    maxLength: maxNameLength,
    pattern: "^[^\\u0000-/:-@[-^`{-\\u007f][^\\u0000-\\u001f!-'*,/:-@[-^`{-\\u007f]*$",
  },
}

/** Top-level segments that are web paths of the service itself. */
const reservedAtTop: ReadonlySet<string> = new Set([
  '-',
  '.well-known',
  'admin',
  'api',
  'assets',
  'dashboard',
  'explore',
  'favicon.ico',
  'files',
  'groups',
  'health',
  'health_check',
  'help',
  'import',
  'invites',
  'jwt',
  'login',
  'metrics',
  'oauth',
  'profile',
  'projects',
  'public',
  'robots.txt',
  's',
  'search',
  'sign_in',
  'snippets',
  'static',
  'unsubscribes',
  'uploads',
  'users',
])

/** Segments below a namespace that are pages of a group or project. */
const reservedBelow: ReadonlySet<string> = new Set([
  '-',
  'badges',
  'blame',
  'blob',
  'builds',
  'commits',
  'create',
  'create_dir',
  'edit',
  'environments',
  'files',
  'find_file',
  'info',
  'labels',
  'merge_requests',
  'new',
  'preview',
  'raw',
  'refs',
  'tree',
  'update',
  'wikis',
])

/** The position of a path: at the top, or below a namespace. */
export type PathLevel = 'top' | 'below'

/** Whether a path is reserved for the service; case-insensitive. */
export function isReservedPath(path: string, level: PathLevel): boolean {
  return (level === 'top' ? reservedAtTop : reservedBelow).has(path.toLowerCase())
}

/** Errors of the path of a group, project or user; empty when valid. */
export function pathErrors(path: string, level: PathLevel): string[] {
  if (path === '') return ["can't be blank"]
  const errors: string[] = []
  if (isLongerThan(path, maxNameLength)) errors.push(tooLong(maxNameLength))
  else if (!isWellFormedPath(path)) errors.push(pathText)
  else if (isReservedPath(path, level)) errors.push(`${path} is a reserved name`)
  return errors
}

function isWellFormedPath(path: string): boolean {
  return pathPattern.test(path) && !/(?:\.|\.git|\.atom)$/i.test(path)
}

/**
 * Whether a text could be the full path of a group, project or user: segments, separated by
 * slashes.
 */
export function isWellFormedFullPath(path: string): boolean {
  return path.split('/').every((part) => part.length <= maxNameLength && isWellFormedPath(part))
}

/**
 * Parses what names a project, a group or a namespace: an id, or a full path in any case. Undefined
 * for a text that no path can be.
 */
export function parsePathOrId(ref: string): { id: number } | { fullPathLower: string } | undefined {
  if (/^\d{1,15}$/.test(ref)) return { id: Number(ref) }
  return isCleanText(ref) ? { fullPathLower: ref.toLowerCase() } : undefined
}

/** Errors of the name of a group or project; empty when valid. */
export function nameErrors(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"]
  const errors: string[] = []
  if (isLongerThan(name, maxNameLength)) errors.push(tooLong(maxNameLength))
  else if (!namePattern.test(name)) errors.push(nameText)
  return errors
}

/** `pathFromName('My Café Group')` is `my-cafe-group`; empty when no valid character is left. */
export function pathFromName(name: string): string {
  const slug = name
    .slice(0, maxNameLength)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/-{2,}/g, '-')
  return withoutSuffixes(trimCharacters(slug, '-.')).slice(0, maxNameLength)
}

function withoutSuffixes(path: string): string {
  const suffix = ['.git', '.atom'].find((end) => path.endsWith(end))
  return suffix === undefined ? path : withoutSuffixes(path.slice(0, -suffix.length))
}

/** Drops fields without errors; undefined when none is left. */
export function collectErrors(fields: FieldErrors): FieldErrors | undefined {
  const wrong = Object.entries(fields).filter(([, texts]) => texts.length > 0)
  return wrong.length === 0 ? undefined : Object.fromEntries(wrong)
}
