import {
  type BodyOf,
  DomainError,
  decideOnGroup,
  decideOnInstance,
  depthErrors,
  type FieldErrors,
  failedToSaveGroup,
  groupErrors,
  type groupsContract,
  notFound,
} from '@stithy/core'
import {
  insertGroup,
  insertMember,
  isPathTaken,
  isUniqueViolation,
  lockNamespace,
  type NamespaceRow,
  type NewGroup,
  namespaceDepth,
  type Queries,
  toFlag,
  updateNamespace,
} from '@stithy/store'
import type { App } from '../app.ts'
import { enforce, requireGroup } from '../http/authorize.ts'
import type { Caller } from '../http/call.ts'
import { avatarChange, withAvatar } from '../namespaces/avatar.service.ts'
import { requireCaller } from '../projects/require-caller.ts'
import type { GroupRow } from './group-subject.ts'

type NewGroupBody = BodyOf<typeof groupsContract.create>

const noNames: ReadonlySet<string> = new Set()

/** `default_group_visibility` (document 3, Instance settings). */
const defaultVisibility = 'private'

/**
 * Creates a group, or a subgroup of one that the caller owns, and makes the caller its owner; answers
 * its id (document 3, Groups; catalogue: groups).
 * @throws DomainError `forbidden`, `not_found`, `bad_request`
 */
export async function createGroup(app: App, caller: Caller, body: NewGroupBody): Promise<number> {
  const user = requireCaller(caller)
  const seen = await requireParent(app, caller, body.parent_id)
  return withAvatar(app, avatarChange(body.avatar, noNames), null, (avatar) =>
    app.db.transaction(async (tx) => {
      const parent = seen && (await lockNamespace(tx, seen.id))
      if (parent === undefined && seen !== undefined) throw notFound('Group')
      const group = newGroup(app, caller, parent, body)
      await checkNewGroup(tx, parent, group)
      const id = await insertGroup(tx, group)
      if (avatar.avatar) await updateNamespace(tx, id, avatar)
      await insertMember(tx, {
        userId: user.id,
        sourceKind: 'group',
        sourceId: id,
        accessLevel: 50,
        expiresOn: null,
        createdById: user.id,
        createdAt: group.createdAt,
      })
      return id
    }),
  ).catch((error: unknown) => {
    throw isUniqueViolation(error) ? failedToSave({ path: taken }) : error
  })
}

const taken = ['has already been taken']

function failedToSave(fields: FieldErrors): DomainError {
  return new DomainError('bad_request', { message: failedToSaveGroup(fields) })
}

/** Groups at the top are for those who may create them, subgroups for the parent's owners. */
async function requireParent(
  app: App,
  caller: Caller,
  parentId: number | undefined,
): Promise<GroupRow | undefined> {
  if (parentId === undefined) {
    const facts = { canCreateGroup: caller.user?.canCreateGroup ?? false }
    enforce(decideOnInstance('create_group', caller.facts, facts), caller)
    return undefined
  }
  const parent = await requireGroup(app, String(parentId), caller)
  enforce(decideOnGroup('create_subgroup', caller.facts, parent.facts), caller)
  return parent.row
}

function newGroup(
  app: App,
  caller: Caller,
  parent: NamespaceRow | undefined,
  body: NewGroupBody,
): NewGroup {
  const { name, path } = body
  const { admin } = caller.facts
  return {
    name,
    path,
    fullPath: parent === undefined ? path : `${parent.fullPath}/${path}`,
    fullName: parent === undefined ? name : `${parent.fullName} / ${name}`,
    parentId: parent?.id ?? null,
    visibility: body.visibility ?? defaultVisibility,
    description: body.description ?? '',
    lfsEnabled: toFlag(body.lfs_enabled ?? true),
    requestAccessEnabled: toFlag(body.request_access_enabled ?? true),
    shareWithGroupLock: toFlag(body.share_with_group_lock ?? false),
    sharedRunnersMinutesLimit: admin ? (body.shared_runners_minutes_limit ?? null) : null,
    extraSharedRunnersMinutesLimit: admin
      ? (body.extra_shared_runners_minutes_limit ?? null)
      : null,
    createdAt: app.now(),
  }
}

async function checkNewGroup(
  q: Queries,
  parent: NamespaceRow | undefined,
  group: NewGroup,
): Promise<void> {
  const depth = parent === undefined ? 0 : await namespaceDepth(q, parent.id)
  const around = { parent: parent && { visibility: parent.visibility, depth } }
  const errors = { ...groupErrors(group, around), ...depthErrors(depth) }
  if (Object.keys(errors).length > 0) throw failedToSave(errors)
  if (await isPathTaken(q, group.fullPath)) throw failedToSave({ path: taken })
}
