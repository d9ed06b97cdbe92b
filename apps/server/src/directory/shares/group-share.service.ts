import {
  type BodyOf,
  conflict,
  DomainError,
  expiryErrors,
  type groupsContract,
  notFound,
  validationFailed,
} from '@stithy/core'
import {
  deleteGroupShare,
  findNamespaceLocks,
  type GroupRow,
  insertGroupShare,
  isGroupShared,
  isUniqueViolation,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireGroup } from '../groups/group-subject.ts'

/**
 * Shares a group with another one that the caller can read: its members, and those of its
 * ancestors, get at most `group_access` in the shared group and all below it.
 * @throws DomainError `not_found`, `bad_request`, `conflict`, `validation_failed`
 */
export async function shareGroup(
  app: App,
  caller: Caller,
  shared: GroupRow,
  body: BodyOf<typeof groupsContract.share>,
): Promise<void> {
  const { row: group } = await requireGroup(app, String(body.group_id), caller)
  const locks = await findNamespaceLocks(app.db, shared.id)
  if (locks.sharing) {
    throw new DomainError('bad_request', { message: 'The group sharing with group is disabled' })
  }
  const today = dayOf(app.now())
  const errors = expiryErrors(body.expires_at, today)
  if (errors !== undefined) throw validationFailed(errors)
  if (group.id === shared.id) {
    throw validationFailed({ base: ['Group cannot be shared with itself.'] })
  }
  const key = { sharedGroupId: shared.id, sharedWithGroupId: group.id }
  const taken = () => conflict('The group is already shared with this group')
  await app.db
    .transaction(async (tx) => {
      if (await isGroupShared(tx, { ...key, today })) throw taken()
      // An expired share may still exist.
      await deleteGroupShare(tx, key)
      await insertGroupShare(tx, {
        ...key,
        groupAccess: body.group_access,
        expiresOn: body.expires_at ?? null,
        createdAt: app.now(),
      })
      const source = { sourceKind: 'group', sourceId: shared.id } as const
      const created = { source, groupId: group.id, accessLevel: body.group_access }
      await recordChange(tx, { kind: 'share.created', ...changeByCaller(app.now()), ...created })
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? taken() : error
    })
}

/** @throws DomainError `not_found` when the group is not shared with the other. */
export async function unshareGroup(
  app: App,
  sharedGroupId: number,
  sharedWithGroupId: number,
): Promise<undefined> {
  const key = { sharedGroupId, sharedWithGroupId }
  const today = dayOf(app.now())
  await app.db.transaction(async (tx) => {
    if (!(await isGroupShared(tx, { ...key, today }))) throw notFound('Group Link')
    await deleteGroupShare(tx, key)
    const source = { sourceKind: 'group', sourceId: sharedGroupId } as const
    const deleted = { source, groupId: sharedWithGroupId }
    await recordChange(tx, { kind: 'share.deleted', ...changeByCaller(app.now()), ...deleted })
  })
  return undefined
}
