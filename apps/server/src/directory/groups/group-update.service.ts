import {
  type BodyOf,
  decideOnProject,
  groupErrors,
  type groupsContract,
  notFound,
  type Visibility,
  validationFailed,
  visibilities,
} from '@stithy/core'
import {
  findVisibilitiesInside,
  isNamespaceWithin,
  isPathTaken,
  isUniqueViolation,
  lockNamespace,
  type NamespaceChanges,
  type NamespaceRow,
  type Queries,
  renameBelow,
  type Transaction,
  toFlag,
  updateNamespace,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { attributeChanges } from '../../platform/changes/attribute-change.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { assertNotRestricted } from '../../platform/settings/restricted-visibility.ts'
import { avatarChange, withAvatar } from '../namespaces/avatar.service.ts'
import { loadProject } from '../projects/project-subject.ts'
import type { GroupRow } from './group-subject.ts'

type GroupEditBody = BodyOf<typeof groupsContract.update>

/**
 * Updates a group; a new path or name is applied to all descendants in the same transaction.
 * @throws DomainError `validation_failed`
 */
export async function updateGroup(
  app: App,
  caller: Caller,
  group: GroupRow,
  body: GroupEditBody,
  sent: ReadonlySet<string>,
): Promise<void> {
  await checkTemplateProject(app, caller, group, body.file_template_project_id)
  await withAvatar(app, avatarChange(body.avatar, sent), group.avatar, (avatar) =>
    app.db.transaction(async (tx) => {
      const parent = group.parentId === null ? undefined : await lockNamespace(tx, group.parentId)
      const row = await lockNamespace(tx, group.id)
      if (row === undefined) throw notFound('Group')
      const changes = changesOf(caller, row, parent, body)
      const { visibility = row.visibility } = changes
      if (visibility !== row.visibility) assertNotRestricted(app, caller, visibility)
      await checkChanges(tx, row, parent, changes)
      const now = app.now()
      await updateNamespace(tx, row.id, { ...changes, ...avatar, updatedAt: now })
      await recordUpdate(tx, row, changes, now)
      if (changes.fullPath === undefined && changes.fullName === undefined) return
      await renameBelow(tx, {
        groupId: row.id,
        oldPath: row.fullPath,
        newPath: changes.fullPath ?? row.fullPath,
        oldName: row.fullName,
        newName: changes.fullName ?? row.fullName,
      })
      if (changes.fullPath === undefined) return
      const renamed = { groupId: row.id, oldPath: row.path, oldFullPath: row.fullPath }
      const by = { userId: caller.facts.userId, at: now, now }
      await recordChange(tx, { kind: 'group.renamed', ...by, ...renamed })
    }),
  ).catch((error: unknown) => {
    throw isUniqueViolation(error) ? validationFailed({ path: taken }) : error
  })
}

const taken = ['has already been taken']

/** The settings that say who may see or do what, and names. */
const auditedColumns = [
  'name',
  'path',
  'visibility',
  'requestAccessEnabled',
  'membershipLock',
  'shareWithGroupLock',
  'requireTwoFactorAuthentication',
  'twoFactorGracePeriod',
] as const

async function recordUpdate(
  tx: Transaction,
  row: NamespaceRow,
  changes: NamespaceChanges,
  now: number,
): Promise<void> {
  const changed = attributeChanges(row, changes, auditedColumns)
  if (changed.length === 0) return
  const updated = { groupId: row.id, changes: changed }
  await recordChange(tx, { kind: 'group.updated', ...changeByCaller(now), ...updated })
}

/**
 * Requires a project within the group or its descendants that the caller can read.
 * @throws DomainError `validation_failed`
 */
async function checkTemplateProject(
  app: App,
  caller: Caller,
  group: GroupRow,
  projectId: number | null | undefined,
): Promise<void> {
  if (projectId === undefined || projectId === null) return
  const project = await loadProject(app, String(projectId), caller)
  const isUsable =
    project !== undefined &&
    decideOnProject('read_project', caller.facts, project.facts).allowed &&
    (await isNamespaceWithin(app.db, { id: project.row.namespaceId, ancestorId: group.id }))
  if (isUsable) return
  throw validationFailed({ file_template_project_id: ['is not a project of this group'] })
}

function changesOf(
  caller: Caller,
  row: NamespaceRow,
  parent: NamespaceRow | undefined,
  body: GroupEditBody,
): NamespaceChanges {
  const flag = (value: boolean | undefined) => (value === undefined ? undefined : toFlag(value))
  const { name, path } = body
  const join = (prefix: string | undefined, separator: string, last: string) =>
    prefix === undefined ? last : `${prefix}${separator}${last}`
  const renamed = name !== undefined && name !== row.name
  const moved = path !== undefined && path !== row.path
  const limits = caller.facts.admin
    ? {
        sharedRunnersMinutesLimit: body.shared_runners_minutes_limit,
        extraSharedRunnersMinutesLimit: body.extra_shared_runners_minutes_limit,
      }
    : {}
  return {
    ...(renamed ? { name, fullName: join(parent?.fullName, ' / ', name) } : {}),
    ...(moved ? { path, fullPath: join(parent?.fullPath, '/', path) } : {}),
    description: body.description,
    visibility: body.visibility,
    lfsEnabled: flag(body.lfs_enabled),
    requestAccessEnabled: flag(body.request_access_enabled),
    membershipLock: flag(body.membership_lock),
    shareWithGroupLock: flag(body.share_with_group_lock),
    requireTwoFactorAuthentication: flag(body.require_two_factor_authentication),
    twoFactorGracePeriod: body.two_factor_grace_period,
    fileTemplateProjectId: body.file_template_project_id,
    ...limits,
  }
}

async function checkChanges(
  q: Queries,
  row: NamespaceRow,
  parent: NamespaceRow | undefined,
  changes: NamespaceChanges,
): Promise<void> {
  const { name, path, description, visibility, fullPath } = changes
  const inside =
    visibility === undefined || visibility === row.visibility
      ? { subgroups: [], projects: [] }
      : await findVisibilitiesInside(q, { groupId: row.id })
  const errors = groupErrors(
    { name, path, description, visibility },
    {
      parent: parent && { visibility: parent.visibility, depth: 0 },
      widestSubgroup: widest(inside.subgroups),
      widestProject: widest(inside.projects),
    },
  )
  if (errors !== undefined) throw validationFailed(errors)
  const isMoved = fullPath !== undefined && fullPath.toLowerCase() !== row.fullPath.toLowerCase()
  if (isMoved && (await isPathTaken(q, fullPath))) throw validationFailed({ path: taken })
}

function widest(found: readonly Visibility[]): Visibility | undefined {
  return visibilities.findLast((visibility) => found.includes(visibility))
}
