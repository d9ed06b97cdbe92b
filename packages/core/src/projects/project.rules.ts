import { isWiderThan, type Visibility } from '../access/level.ts'
import type { FeatureLevel } from '../access/project-policy.ts'
import type { FieldErrors } from '../errors.ts'
import { collectErrors, nameErrors, pathErrors } from '../namespaces/path.rules.ts'

/** Descriptions of projects are at most this long (catalogue: projects, Create / edit parameters). */
export const maxDescriptionLength = 2000
const maxTags = 100
const maxTagLength = 255

/** What a rule needs to know of the things around a project. */
export interface ProjectSurroundings {
  namespace: { kind: 'user' | 'group'; visibility: Visibility }
  /** The visibility of the project that this one is a fork of. */
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

/** What is wrong with new values of a project, by field; undefined when nothing is. */
export function projectErrors(
  values: ProjectValues,
  around: ProjectSurroundings,
): FieldErrors | undefined {
  const { name, path, description, visibility, tagList = [], buildCoverageRegex } = values
  return collectErrors({
    name: name === undefined ? [] : nameErrors(name),
    path: path === undefined ? [] : pathErrors(path, 'below'),
    description: (description?.length ?? 0) > maxDescriptionLength ? [tooLong()] : [],
    visibility_level: visibility === undefined ? [] : visibilityErrors(visibility, around),
    tag_list: tagErrors(tagList),
    build_coverage_regex:
      (buildCoverageRegex?.length ?? 0) > maxTagLength
        ? [`is too long (maximum is ${maxTagLength} characters)`]
        : [],
  })
}

function tooLong(): string {
  return `is too long (maximum is ${maxDescriptionLength} characters)`
}

/** No project shows more than its group or its fork's source (catalogue: projects, Rules). */
function visibilityErrors(visibility: Visibility, around: ProjectSurroundings): string[] {
  const { namespace, forkSource } = around
  const errors: string[] = []
  if (namespace.kind === 'group' && isWiderThan(visibility, namespace.visibility)) {
    errors.push(`${visibility} is not allowed in a ${namespace.visibility} group.`)
  }
  if (forkSource !== undefined && isWiderThan(visibility, forkSource)) {
    errors.push(`${visibility} is not allowed since the fork source project has lower visibility.`)
  }
  return errors
}

/** Addresses that a repository could be imported from: scheme, credentials, host, path. */
const importPattern = /^(?:https?|git|ssh):\/\/(?:[^\s/?#]*@)?[^\s/?#@:]+(?::\d+)?(?:[/?#]\S*)?$/i

/**
 * What is wrong with `import_url`; empty for none or a blank one. The texts never repeat the address,
 * which may hold a password.
 */
export function importUrlErrors(url: string | undefined): string[] {
  if (url === undefined || url.trim() === '') return []
  if (!importPattern.test(url.trim())) {
    return ['is invalid: it has to be an http, https, ssh or git address']
  }
  return ['cannot be used: this server does not import from addresses yet']
}

/** The sentence for a personal namespace that holds as many projects as its user may have. */
export function projectLimitText(limit: number): string {
  if (limit === 0) return 'This account may not have personal projects.'
  const projects = limit === 1 ? '1 personal project' : `${limit} personal projects`
  return `This account may have ${projects} at most, and has them already.`
}

function tagErrors(tags: readonly string[]): string[] {
  if (tags.length > maxTags) return [`has too many entries (maximum is ${maxTags})`]
  const long = tags.some((tag) => tag.length > maxTagLength)
  return long ? [`has an entry that is too long (maximum is ${maxTagLength} characters)`] : []
}

/**
 * A feature's level after a change: the level itself where it is sent, else the older boolean, which
 * switches between `enabled` and `disabled`. Undefined leaves the feature as it is.
 */
export function featureLevel(
  level: FeatureLevel | undefined,
  enabled: boolean | undefined,
): FeatureLevel | undefined {
  if (level !== undefined) return level
  if (enabled === undefined) return undefined
  return enabled ? 'enabled' : 'disabled'
}

/** Tags as they are kept: trimmed, each once, in the order of their first appearance. */
export function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
}
