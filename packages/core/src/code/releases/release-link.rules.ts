import { linkUrlError } from '../../platform/contract/link-url.rules.ts'
import { maxNameLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'

/** The schemes that links may have. */
export const linkSchemes = ['http', 'https', 'ftp'] as const

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
  const url = link.url === undefined ? undefined : linkUrlError(link.url, linkSchemes)
  if (name !== undefined) errors.name = [name]
  if (url !== undefined) errors.url = [url]
  return Object.keys(errors).length > 0 ? errors : undefined
}

function nameError(name: string): string | undefined {
  if (name.trim() === '') return "can't be blank"
  if (isLongerThan(name, maxNameLength)) return tooLong(maxNameLength)
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
