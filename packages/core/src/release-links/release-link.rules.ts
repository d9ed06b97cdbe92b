import type { FieldErrors } from '../errors.ts'

const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:'])
const maxNameLength = 255
/** In bytes; both databases index whole addresses. */
const maxUrlLength = 2048

/**
 * What is wrong with a link of a release, by field; undefined where nothing is. Allowed are http, https
 * and ftp (document 1, Release link), without a password that everybody would read.
 */
export function releaseLinkErrors(link: {
  name?: string | undefined
  url?: string | undefined
}): FieldErrors | undefined {
  const errors: FieldErrors = {}
  const name = link.name === undefined ? undefined : nameError(link.name)
  const url = link.url === undefined ? undefined : urlError(link.url)
  if (name !== undefined) errors.name = [name]
  if (url !== undefined) errors.url = [url]
  return Object.keys(errors).length > 0 ? errors : undefined
}

function nameError(name: string): string | undefined {
  if (name.trim() === '') return "can't be blank"
  if (name.length > maxNameLength) return `is too long (maximum is ${maxNameLength} characters)`
  return undefined
}

function urlError(text: string): string | undefined {
  if (new TextEncoder().encode(text).length > maxUrlLength) {
    return `is too long (maximum is ${maxUrlLength} characters)`
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && !schemes.has(url.protocol)) {
    return 'is blocked: only http, https and ftp are allowed'
  }
  // What a parser forgives (white space, one slash too few) others may read as something else.
  const isPlain = /^[a-z]+:\/\/[^/]/i.test(text) && !/[\s\p{Cc}\\]/u.test(text)
  if (url === undefined || !isPlain) return 'must be a valid URL'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  return undefined
}

/**
 * What occurs twice in a list of links, by field: neither a name nor an address may
 * (catalogue: repository, 9). Undefined where nothing does.
 */
export function duplicateErrors(
  links: readonly { name: string; url: string }[],
): FieldErrors | undefined {
  const errors: FieldErrors = {}
  for (const field of ['name', 'url'] as const) {
    if (new Set(links.map((link) => link[field])).size < links.length) {
      errors[field] = ['has already been taken']
    }
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** Whether an address leads out of a project, whose own web address is given. */
export function isExternal(url: string, projectUrl: string): boolean {
  if (!url.startsWith(projectUrl)) return true
  return !['', '/', '?', '#'].includes(url.charAt(projectUrl.length))
}
