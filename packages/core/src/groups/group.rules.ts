import { isWiderThan, type Visibility } from '../access/level.ts'
import type { FieldErrors } from '../errors.ts'
import { collectErrors, maxNameLength, nameErrors, pathErrors } from '../namespaces/path.rules.ts'

/** A group may lie at most this deep, the top counted (catalogue: groups, Subgroups). */
export const maxGroupDepth = 20

/** What a rule needs to know of the things around a group. */
export interface GroupSurroundings {
  /** Undefined for a group at the top. */
  parent?: { visibility: Visibility; depth: number } | undefined
  /** The widest visibility among its direct subgroups; undefined when it has none. */
  widestSubgroup?: Visibility | undefined
  /** The widest visibility among its own projects; undefined when it has none. */
  widestProject?: Visibility | undefined
}

export interface GroupValues {
  name?: string | undefined
  path?: string | undefined
  description?: string | undefined
  visibility?: Visibility | undefined
}

/** What is wrong with new values of a group, by field; undefined when nothing is. */
export function groupErrors(
  values: GroupValues,
  around: GroupSurroundings,
): FieldErrors | undefined {
  const { name, path, description = '', visibility } = values
  const place = around.parent === undefined ? 'top' : 'below'
  return collectErrors({
    name: name === undefined ? [] : nameErrors(name),
    path: path === undefined ? [] : pathErrors(path, place),
    description:
      description.length > maxNameLength
        ? [`is too long (maximum is ${maxNameLength} characters)`]
        : [],
    visibility_level: visibility === undefined ? [] : visibilityErrors(visibility, around),
  })
}

/** Texts for the field `parent_id` of a group that would lie too deep. */
export function depthErrors(parentDepth: number): FieldErrors | undefined {
  if (parentDepth < maxGroupDepth) return undefined
  return { parent_id: [`is nested too deeply (maximum is ${maxGroupDepth} levels)`] }
}

function visibilityErrors(visibility: Visibility, around: GroupSurroundings): string[] {
  const { parent, widestSubgroup, widestProject } = around
  const errors: string[] = []
  if (parent !== undefined && isWiderThan(visibility, parent.visibility)) {
    errors.push(
      `${visibility} is not allowed since the parent group has a ${parent.visibility} visibility.`,
    )
  }
  if (widestProject !== undefined && isWiderThan(widestProject, visibility)) {
    errors.push(
      `${visibility} is not allowed since this group contains projects with higher visibility.`,
    )
  }
  if (widestSubgroup !== undefined && isWiderThan(widestSubgroup, visibility)) {
    errors.push(`${visibility} is not allowed since there are sub-groups with higher visibility.`)
  }
  return errors
}

/** The text that a refused new group answers with (catalogue: groups, Additions). */
export function failedToSaveGroup(fields: FieldErrors): string {
  return `Failed to save group ${inspect(fields)}`
}

/** `{:path=>["has already been taken"]}`: the spelling that v4 clients look for. */
function inspect(fields: FieldErrors): string {
  const entries = Object.entries(fields).map(([field, texts]) => {
    return `:${field}=>[${texts.map((text) => JSON.stringify(text)).join(', ')}]`
  })
  return `{${entries.join(', ')}}`
}
