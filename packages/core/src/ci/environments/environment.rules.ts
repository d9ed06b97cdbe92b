import type { TextOptions } from '../../platform/contract/fields.ts'
import { linkUrlError } from '../../platform/contract/link-url.rules.ts'
import { maxNameLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'
import { trimEndCharacters } from '../../platform/text/trim.rules.ts'

export const environmentStates = ['available', 'stopped'] as const
export type EnvironmentState = (typeof environmentStates)[number]

/** Maximum length of a slug, which becomes a label of host names and Kubernetes objects. */
const maxSlugLength = 24

/** Length of the random end of a slug that is not the name itself. */
export const slugSuffixLength = 6

/** The characters of the random end of a slug. */
export const slugSuffixCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** The valid names: not blank, and neither the first nor the last character is a slash. */
const validName =
  /^(?: *[a-zA-Z0-9_${}.-](?:[a-zA-Z0-9_/${}. -]*[a-zA-Z0-9_${}. -])?| +\/[a-zA-Z0-9_/${}. -]*[a-zA-Z0-9_${}. -])$/

/** The name of an environment. */
export const environmentNameText: TextOptions = {
  rules: { minLength: 1, maxLength: maxNameLength, pattern: validName.source },
}

/** The schemes that external URLs may have. */
export const externalUrlSchemes = ['http', 'https'] as const

/** What was sent of an environment; null and blank addresses mean none. */
export interface EnvironmentFields {
  name?: string | undefined
  slug?: unknown
  external_url?: string | null | undefined
}

/** Validates the fields of an environment; returns errors by field, or undefined. */
export function environmentErrors(fields: EnvironmentFields): FieldErrors | undefined {
  const { name, slug, external_url: url } = fields
  const errors: FieldErrors = {}
  const nameError = name === undefined ? undefined : environmentNameError(name)
  if (nameError !== undefined) errors.name = [nameError]
  if (slug !== undefined) errors.slug = ['is automatically generated and cannot be changed']
  const urlError = url ? externalUrlError(url) : undefined
  if (urlError !== undefined) errors.external_url = [urlError]
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** What is wrong with the name of an environment; undefined if nothing is. */
export function environmentNameError(name: string): string | undefined {
  if (name.trim() === '') return "can't be blank"
  if (isLongerThan(name, maxNameLength)) return tooLong(maxNameLength)
  if (validName.test(name)) return undefined
  return (
    "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, " +
    "but it cannot start or end with '/'"
  )
}

function externalUrlError(url: string): string | undefined {
  if (isLongerThan(url, maxNameLength)) return tooLong(maxNameLength)
  return linkUrlError(url, externalUrlSchemes)
}

/**
 * The slug of an environment: up to 24 characters of `a-z0-9-` that start with a letter and don't
 * end with `-`. It is the name itself if that is such a slug; otherwise, or if `isTaken`, it ends
 * with `suffix`.
 * @param suffix `slugSuffixLength` of `slugSuffixCharacters`
 */
export function environmentSlug(name: string, suffix: string, isTaken = false): string {
  const lower = name.toLowerCase().replace(/[^a-z0-9]/g, '-')
  const started = /^[a-z]/.test(lower) ? lower : `env-${lower}`
  const squeezed = started.replace(/-{2,}/g, '-')
  const slug = trimEndCharacters(squeezed.slice(0, maxSlugLength), '-')
  if (slug === name && !isTaken) return slug
  return `${trimEndCharacters(slug.slice(0, maxSlugLength - slugSuffixLength - 1), '-')}-${suffix}`
}

/** The ref that keeps the commit of a successful deployment. */
export function deploymentRef(slug: string, iid: number): string {
  return `${environmentRefs(slug)}/deployments/${iid}`
}

/** The folder of the refs of an environment. */
export function environmentRefs(slug: string): string {
  return `refs/environments/${slug}`
}
