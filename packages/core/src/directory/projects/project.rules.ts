import { isWiderThan, type Visibility } from '../../platform/access/level.ts'
import { maxNameLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'
import { collectErrors, nameErrors, pathErrors } from '../namespaces/path.rules.ts'
import type { FeatureLevel } from './project-policy.ts'

/** Maximum length of project descriptions, in characters. */
export const maxDescriptionLength = 2000
const maxTags = 100

/** The group and the fork source, which the rules of a project depend on. */
export interface ProjectContext {
  namespace: { kind: 'user' | 'group'; visibility: Visibility }
  /** Visibility of the project that this one was forked from. */
  forkSource?: Visibility | undefined
}

export interface ProjectValues {
  name?: string | undefined
  path?: string | undefined
  description?: string | null | undefined
  visibility?: Visibility | undefined
  tagList?: readonly string[] | undefined
  buildCoverageRegex?: string | null | undefined
}

/** Validates new values of a project; returns errors by field, or undefined. */
export function projectErrors(
  values: ProjectValues,
  context: ProjectContext,
): FieldErrors | undefined {
  const { name, path, description, visibility, tagList = [], buildCoverageRegex } = values
  return collectErrors({
    name: name === undefined ? [] : nameErrors(name),
    path: path === undefined ? [] : pathErrors(path, 'below'),
    description: isLongerThan(description, maxDescriptionLength)
      ? [tooLong(maxDescriptionLength)]
      : [],
    visibility_level: visibility === undefined ? [] : visibilityErrors(visibility, context),
    tag_list: tagErrors(tagList),
    build_coverage_regex: isLongerThan(buildCoverageRegex, maxNameLength)
      ? [tooLong(maxNameLength)]
      : [],
  })
}

/** A project can't be more visible than its group or its fork source. */
function visibilityErrors(visibility: Visibility, context: ProjectContext): string[] {
  const { namespace, forkSource } = context
  const errors: string[] = []
  if (namespace.kind === 'group' && isWiderThan(visibility, namespace.visibility)) {
    errors.push(`${visibility} is not allowed in a ${namespace.visibility} group.`)
  }
  if (forkSource !== undefined && isWiderThan(visibility, forkSource)) {
    errors.push(`${visibility} is not allowed since the fork source project has lower visibility.`)
  }
  return errors
}

/** URLs that a repository can be imported from: scheme, credentials, host, path. */
const importPattern =
  /^https?:\/\/(?:[^\s/?#]*@)?(?:\[[\da-f:.]+\]|[^\s/?#@:[\]]+)(?::\d+)?(?:\/[^\s?#]*)?$/i

/**
 * Errors of `import_url`; empty when it is absent or blank. The messages never contain the URL,
 * which may include a password.
 */
export function importUrlErrors(url: string | undefined): string[] {
  const trimmed = url?.trim() ?? ''
  if (trimmed === '') return []
  const isValid = importPattern.test(trimmed) && URL.canParse(trimmed)
  return isValid ? [] : ['is invalid: must be an http or https URL']
}

/** The message for a personal namespace that has reached its project limit. */
export function projectLimitText(limit: number): string {
  if (limit === 0) return 'This account cannot have personal projects.'
  const projects = limit === 1 ? '1 personal project' : `${limit} personal projects`
  return `This account has reached its limit of ${projects}.`
}

function tagErrors(tags: readonly string[]): string[] {
  if (tags.length > maxTags) return [`has too many entries (maximum is ${maxTags})`]
  const long = tags.some((tag) => isLongerThan(tag, maxNameLength))
  return long ? [`has an entry that ${tooLong(maxNameLength)}`] : []
}

/**
 * The access level of a feature after an update: the level if it was sent, else derived from the
 * older boolean parameter, as `enabled` or `disabled`. Undefined keeps the current level.
 */
export function featureLevel(
  level: FeatureLevel | undefined,
  enabled: boolean | undefined,
): FeatureLevel | undefined {
  if (level !== undefined) return level
  if (enabled === undefined) return undefined
  return enabled ? 'enabled' : 'disabled'
}

/** Normalizes tags for storage: trimmed, without duplicates, in order of first appearance. */
export function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
}
