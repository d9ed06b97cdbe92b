import { linkUrlError } from '../../platform/contract/link-url.rules.ts'
import type { FieldErrors } from '../../platform/errors.ts'

/** The schemes that the URLs of badges may have. */
export const badgeSchemes = ['http', 'https'] as const

/** Maximum number of badges of a project or group. */
export const maxBadges = 100

/** Maximum length of a URL with its placeholders replaced, in characters. */
const maxRenderedLength = 8192

/** The URLs of a badge. */
export interface BadgeUrls {
  link_url: string
  image_url: string
}

/**
 * What the placeholders of URLs stand for in one project. One without a value is left as it is: an
 * empty repository has neither a default branch nor a commit.
 */
export interface BadgeValues {
  project_path: string
  project_id: string
  default_branch?: string | undefined
  commit_sha?: string | undefined
}

const placeholders = /%\{(project_path|project_id|default_branch|commit_sha)\}/g

/** Validates the URLs of a badge, which must be http or https; returns errors by field. */
export function badgeErrors(urls: Partial<BadgeUrls>): FieldErrors | undefined {
  const errors: FieldErrors = {}
  for (const field of ['link_url', 'image_url'] as const) {
    const url = urls[field]
    const error = url === undefined ? undefined : linkUrlError(url, badgeSchemes)
    if (error !== undefined) errors[field] = [error]
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** Whether any of the URLs has this placeholder. */
export function hasPlaceholder(
  name: keyof BadgeValues,
  badges: readonly { linkUrl: string; imageUrl: string }[],
): boolean {
  const text = `%{${name}}`
  return badges.some(({ linkUrl, imageUrl }) => linkUrl.includes(text) || imageUrl.includes(text))
}

/** Replaces the placeholders of a URL, as far as the result doesn't become too long. */
export function renderBadgeUrl(url: string, values: BadgeValues): string {
  let room = maxRenderedLength - url.length
  return url.replace(placeholders, (placeholder, name: keyof BadgeValues) => {
    const value = values[name]
    if (value === undefined) return placeholder
    const text = encodePath(value)
    const growth = text.length - placeholder.length
    if (growth > room) return placeholder
    room -= growth
    return text
  })
}

/** Percent-encodes what would end a path or a parameter; the names of branches may contain it. */
function encodePath(text: string): string {
  return encodeURIComponent(text).replaceAll('%2F', '/')
}
