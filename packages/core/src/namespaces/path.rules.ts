import type { FieldErrors } from '../errors.ts'

/** Names and paths are at most this long (catalogue: groups, Field limits; projects, Rules). */
export const maxNameLength = 255

const pathPattern = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/
const namePattern =
  /^[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}_](?:[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}_.\-+ ()]|\u200d)*$/u

const pathText =
  "can contain only letters, digits, '_', '-' and '.'. " +
  "Cannot start with '-' or end in '.', '.git' or '.atom'."
const nameText =
  "can contain only letters, digits, emojis, '_', '.', '-', '+', '(', ')' and spaces. " +
  "It must start with a letter, digit, emoji or '_'."
const tooLong = `is too long (maximum is ${maxNameLength} characters)`

/** First segments that belong to the web addresses of the service itself. */
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

/** Segments below a namespace that stand for pages of a group or a project. */
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

/** Where a path stands: alone at the top, or below a namespace. */
export type PathPlace = 'top' | 'below'

/** Whether a path is one that the service keeps for itself; letters count without their case. */
export function isReservedPath(path: string, place: PathPlace): boolean {
  return (place === 'top' ? reservedAtTop : reservedBelow).has(path.toLowerCase())
}

/** What is wrong with the path of a group, a project or a user; empty when nothing is. */
export function pathErrors(path: string, place: PathPlace): string[] {
  if (path === '') return ["can't be blank"]
  const errors: string[] = []
  if (path.length > maxNameLength) errors.push(tooLong)
  if (!isWellFormedPath(path)) errors.push(pathText)
  else if (isReservedPath(path, place)) errors.push(`${path} is a reserved name`)
  return errors
}

function isWellFormedPath(path: string): boolean {
  return pathPattern.test(path) && !/(?:\.|\.git|\.atom)$/i.test(path)
}

/** Whether a text could be the full path of a group, a project or a user: parts, with slashes in between. */
export function isWellFormedFullPath(path: string): boolean {
  return path.split('/').every((part) => part.length <= maxNameLength && isWellFormedPath(part))
}

/** What is wrong with the name of a group or a project; empty when nothing is. */
export function nameErrors(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"]
  const errors: string[] = []
  if (name.length > maxNameLength) errors.push(tooLong)
  if (!namePattern.test(name)) errors.push(nameText)
  return errors
}

/** `pathFromName('My Café Group')` is `my-cafe-group`; empty when nothing usable is left. */
export function pathFromName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .replace(/(?:\.git|\.atom)+$/g, '')
    .slice(0, maxNameLength)
}

/** Leaves out the fields that have nothing to say; undefined when none has. */
export function collectErrors(fields: FieldErrors): FieldErrors | undefined {
  const wrong = Object.entries(fields).filter(([, texts]) => texts.length > 0)
  return wrong.length === 0 ? undefined : Object.fromEntries(wrong)
}
