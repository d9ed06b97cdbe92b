import { maxNameLength, maxUrlLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'

const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:'])

/**
 * Validates a release link; returns errors by field, or undefined. Allowed are http, https and ftp,
 * without a password, which would be public.
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
  if (isLongerThan(name, maxNameLength)) return tooLong(maxNameLength)
  return undefined
}

function urlError(text: string): string | undefined {
  // In bytes: both databases index full URLs.
  if (new TextEncoder().encode(text).length > maxUrlLength) return tooLong(maxUrlLength)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && !schemes.has(url.protocol)) {
    return 'is blocked: only http, https and ftp are allowed'
  }
  // Parsers tolerate white space or a missing slash, which other software may parse differently.
  const isPlain = /^[a-z]+:\/\/[^/]/i.test(text) && !/[\s\p{Cc}\\]/u.test(text)
  if (url === undefined || !isPlain) return 'must be a valid URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  return undefined
}

/** Finds duplicate names and URLs in a list of links; returns errors by field, or undefined. */
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

/** Whether a URL leads outside of the project with the given web URL. */
export function isExternal(url: string, projectUrl: string): boolean {
  if (!url.startsWith(projectUrl)) return true
  return !['', '/', '?', '#'].includes(url.charAt(projectUrl.length))
}
