import {
  type AccessEntry,
  type AccessGrant,
  AccessLevel,
  type BodyOf,
  type FieldErrors,
  type protectedBranchesContract,
  validationFailed,
} from '@stithy/core'
import { filterProjectMembers, filterSharedGroups, type ProtectedRefLevel } from '@stithy/store'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import type { App } from '../../../platform/app.ts'
import { dayOf } from '../../../platform/calendar/day.ts'

export type ProtectionBody = BodyOf<typeof protectedBranchesContract.protect>

const actions = ['push', 'merge', 'unprotect'] as const

/** The entry that grants access from a level up. */
export function levelEntry(accessLevel: number): AccessEntry {
  return { accessLevel, userId: null, groupId: null }
}

/**
 * The entries that a request asks for, without duplicates; maintainers if it names none.
 * @throws DomainError `validation_failed` when a user has no access to the project, or it is not
 * shared with a group.
 */
export async function requestedLevels(
  app: App,
  { row }: ProjectSubject,
  body: ProtectionBody,
): Promise<ProtectedRefLevel[]> {
  const scope = { projectId: row.id, namespaceId: row.namespaceId, today: dayOf(app.now()) }
  const grants = actions.flatMap((action) => body[`allowed_to_${action}`] ?? [])
  const userIds = grants.flatMap(({ user_id }) => user_id ?? [])
  const groupIds = grants.flatMap(({ group_id }) => group_id ?? [])
  const users =
    userIds.length === 0 ? none : await filterProjectMembers(app.db, { ...scope, userIds })
  const groups =
    groupIds.length === 0 ? none : await filterSharedGroups(app.db, { ...scope, groupIds })
  const errors: FieldErrors = {}
  for (const action of actions) {
    const texts = (body[`allowed_to_${action}`] ?? []).flatMap((grant) =>
      grantError(grant, users, groups),
    )
    if (texts.length > 0) errors[`allowed_to_${action}`] = [...new Set(texts)]
  }
  if (Object.keys(errors).length > 0) throw validationFailed(errors)
  return actions.flatMap((action) => {
    return entriesOf(body, action).map((entry) => ({ ...entry, action }))
  })
}

const none: ReadonlySet<number> = new Set()

function grantError(
  { user_id, group_id }: AccessGrant,
  users: ReadonlySet<number>,
  groups: ReadonlySet<number>,
): string[] {
  if (user_id !== undefined && !users.has(user_id)) {
    return [`user ${user_id} has no access to the project`]
  }
  if (group_id !== undefined && !groups.has(group_id)) {
    return [`the project is not shared with group ${group_id}`]
  }
  return []
}

function entriesOf(body: ProtectionBody, action: (typeof actions)[number]): AccessEntry[] {
  const level = body[`${action}_access_level`]
  const grants = body[`allowed_to_${action}`] ?? []
  const fallback = grants.length === 0 ? AccessLevel.maintainer : undefined
  const entries = grants.map(({ user_id, group_id, access_level }): AccessEntry => {
    return {
      accessLevel: access_level ?? null,
      userId: user_id ?? null,
      groupId: group_id ?? null,
    }
  })
  const first = level ?? fallback
  const all = first === undefined ? entries : [levelEntry(first), ...entries]
  return [...new Map(all.map((entry) => [Object.values(entry).join(), entry])).values()]
}
