import {
  type BodyOf,
  conflict,
  DomainError,
  expiryErrors,
  notFound,
  type ProjectShare,
  type projectsContract,
  validationFailed,
} from '@stithy/core'
import {
  deleteShare,
  findNamespaceLocks,
  insertShare,
  isShared,
  isUniqueViolation,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireGroup } from '../groups/group-subject.ts'
import type { ProjectRow } from '../projects/project-subject.ts'

/**
 * Shares a project with a group that the caller can read.
 * @throws DomainError `not_found`, `bad_request`, `conflict`, `validation_failed`
 */
export async function shareProject(
  app: App,
  caller: Caller,
  row: ProjectRow,
  body: BodyOf<typeof projectsContract.share>,
): Promise<ProjectShare> {
  const group = await requireGroup(app, String(body.group_id), caller)
  const locks = await findNamespaceLocks(app.db, row.namespaceId)
  if (locks.sharing) {
    const message = 'The project sharing with group is disabled'
    throw new DomainError('bad_request', { message })
  }
  const today = dayOf(app.now())
  const errors = expiryErrors(body.expires_at, today)
  if (errors !== undefined) throw validationFailed(errors)
  if (group.row.id === row.namespaceId) {
    throw validationFailed({ base: ['Project cannot be shared with the group it is in.'] })
  }
  const link = {
    projectId: row.id,
    groupId: group.row.id,
    groupAccess: body.group_access,
    expiresOn: body.expires_at ?? null,
  }
  const taken = () => conflict('The project is already shared with this group')
  const { projectId, groupId } = link
  const id = await app.db
    .transaction(async (tx) => {
      if (await isShared(tx, { projectId, groupId, today })) throw taken()
      // An expired share may still exist.
      await deleteShare(tx, { projectId, groupId })
      const shareId = await insertShare(tx, { ...link, createdAt: app.now() })
      const source = { sourceKind: 'project', sourceId: projectId } as const
      const created = { source, groupId, accessLevel: link.groupAccess }
      await recordChange(tx, { kind: 'share.created', ...changeByCaller(app.now()), ...created })
      return shareId
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? taken() : error
    })
  return {
    id,
    project_id: link.projectId,
    group_id: link.groupId,
    group_access: link.groupAccess,
    expires_at: link.expiresOn,
  }
}

/** @throws DomainError `not_found` when the project is not shared with the group. */
export async function unshareProject(
  app: App,
  projectId: number,
  groupId: number,
): Promise<undefined> {
  const today = dayOf(app.now())
  await app.db.transaction(async (tx) => {
    if (!(await isShared(tx, { projectId, groupId, today }))) throw notFound('Group Link')
    await deleteShare(tx, { projectId, groupId })
    const deleted = { source: { sourceKind: 'project', sourceId: projectId }, groupId } as const
    await recordChange(tx, { kind: 'share.deleted', ...changeByCaller(app.now()), ...deleted })
  })
  return undefined
}
