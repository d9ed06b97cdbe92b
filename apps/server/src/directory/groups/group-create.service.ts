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
  isWiderThan,
  notFound,
  type Visibility,
} from '@stithy/core'
import {
  insertGroup,
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
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { enforce } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { restrictionErrors } from '../../platform/settings/restricted-visibility.ts'
import { requireGroup } from '../groups/group-subject.ts'
import { avatarChange, withAvatar } from '../namespaces/avatar.service.ts'
import type { GroupRow } from './group-subject.ts'

type NewGroupBody = BodyOf<typeof groupsContract.create>

const noNames: ReadonlySet<string> = new Set()

/** Hours in which members set two-factor authentication up where it is required. */
const defaultGraceHours = 48

/**
 * Creates a group, or a subgroup of a group that the caller owns, with the caller as its owner.
 * Returns its id.
 * @throws DomainError `forbidden`, `not_found`, `bad_request`
 */
export async function createGroup(app: App, caller: Caller, body: NewGroupBody): Promise<number> {
  const user = requireCaller(caller)
  const visibleParent = await requireParent(app, caller, body.parent_id)
  return withAvatar(app, avatarChange(body.avatar, noNames), null, (avatar) =>
    app.db.transaction(async (tx) => {
      const parent = visibleParent && (await lockNamespace(tx, visibleParent.id))
      if (parent === undefined && visibleParent !== undefined) throw notFound('Group')
      const group = newGroup(app, caller, parent, body)
      const restricted = restrictionErrors(app, caller, group.visibility)
      await checkNewGroup(tx, parent, group, restricted)
      const id = await insertGroup(tx, group)
      if (avatar.avatar) await updateNamespace(tx, id, avatar)
      const by = { userId: user.id, at: group.createdAt, now: group.createdAt }
      await recordChange(tx, { kind: 'group.created', ...by, groupId: id })
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

/** Top-level groups need the right to create groups; subgroups need ownership of the parent. */
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
    visibility: body.visibility ?? defaultVisibility(app, parent),
    description: body.description ?? '',
    lfsEnabled: toFlag(body.lfs_enabled ?? true),
    requestAccessEnabled: toFlag(body.request_access_enabled ?? true),
    shareWithGroupLock: toFlag(body.share_with_group_lock ?? false),
    requireTwoFactorAuthentication: toFlag(body.require_two_factor_authentication ?? false),
    twoFactorGracePeriod: body.two_factor_grace_period ?? defaultGraceHours,
    sharedRunnersMinutesLimit: admin ? (body.shared_runners_minutes_limit ?? null) : null,
    extraSharedRunnersMinutesLimit: admin
      ? (body.extra_shared_runners_minutes_limit ?? null)
      : null,
    createdAt: app.now(),
  }
}

/** `default_group_visibility`, or that of the parent where it is narrower. */
function defaultVisibility({ settings }: App, parent: NamespaceRow | undefined): Visibility {
  const { default_group_visibility: byDefault } = settings
  const isTooWide = parent !== undefined && isWiderThan(byDefault, parent.visibility)
  return isTooWide ? parent.visibility : byDefault
}

async function checkNewGroup(
  q: Queries,
  parent: NamespaceRow | undefined,
  group: NewGroup,
  restricted: string[],
): Promise<void> {
  const depth = parent === undefined ? 0 : await namespaceDepth(q, parent.id)
  const around = { parent: parent && { visibility: parent.visibility, depth } }
  const errors: FieldErrors = { ...groupErrors(group, around), ...depthErrors(depth) }
  if (restricted.length > 0) errors.visibility_level ??= restricted
  if (Object.keys(errors).length > 0) throw failedToSave(errors)
  if (await isPathTaken(q, group.fullPath)) throw failedToSave({ path: taken })
}
