import { isWiderThan, type Visibility } from '../../platform/access/level.ts'
import { maxNameLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'
import { collectErrors, nameErrors, pathErrors } from '../namespaces/path.rules.ts'

/** Maximum depth of nested groups, including the top-level group. */
export const maxGroupDepth = 20

/** The groups and projects context a group, which its rules depend on. */
export interface GroupContext {
  /** Undefined for a top-level group. */
  parent?: { visibility: Visibility; depth: number } | undefined
  /** The widest visibility among its direct subgroups; undefined without any. */
  widestSubgroup?: Visibility | undefined
  /** The widest visibility among its own projects; undefined without any. */
  widestProject?: Visibility | undefined
}

export interface GroupValues {
  name?: string | undefined
  path?: string | undefined
  description?: string | undefined
  visibility?: Visibility | undefined
}

/** Validates new values of a group; returns errors by field, or undefined. */
export function groupErrors(values: GroupValues, context: GroupContext): FieldErrors | undefined {
  const { name, path, description = '', visibility } = values
  const level = context.parent === undefined ? 'top' : 'below'
  return collectErrors({
    name: name === undefined ? [] : nameErrors(name),
    path: path === undefined ? [] : pathErrors(path, level),
    description: isLongerThan(description, maxNameLength) ? [tooLong(maxNameLength)] : [],
    visibility_level: visibility === undefined ? [] : visibilityErrors(visibility, context),
  })
}

/** Errors for `parent_id` of a group that would be nested too deeply. */
export function depthErrors(parentDepth: number): FieldErrors | undefined {
  if (parentDepth < maxGroupDepth) return undefined
  return { parent_id: [`is nested too deeply (maximum is ${maxGroupDepth} levels)`] }
}

function visibilityErrors(visibility: Visibility, context: GroupContext): string[] {
  const { parent, widestSubgroup, widestProject } = context
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

/** The message of a failed group creation. */
export function failedToSaveGroup(fields: FieldErrors): string {
  return `Failed to save group ${inspect(fields)}`
}

/** `{:path=>["has already been taken"]}`: v4 clients parse this format. */
function inspect(fields: FieldErrors): string {
  const entries = Object.entries(fields).map(([field, texts]) => {
    return `:${field}=>[${texts.map((text) => JSON.stringify(text)).join(', ')}]`
  })
  return `{${entries.join(', ')}}`
}
