import { decideOnGroup, isInsider, validationFailed } from '@stithy/core'
import {
  findNamespace,
  findUserNamespace,
  levelInGroup,
  type NamespaceKey,
  type NamespaceRow,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import { dayOf } from '../members/day.ts'

/** What a reference to a namespace means: an id, or a full path in any case. */
export function namespaceKey(ref: string): NamespaceKey {
  return /^\d{1,15}$/.test(ref) ? { id: Number(ref) } : { fullPathLower: ref.toLowerCase() }
}

/** Whether the caller may create projects there (catalogue: permissions, Project, create in a group). */
export async function mayCreateProjectsIn(
  app: App,
  caller: Caller,
  namespace: NamespaceRow,
): Promise<boolean> {
  const { userId, admin } = caller.facts
  if (admin) return true
  if (userId === null) return false
  if (namespace.kind === 'user') return namespace.ownerId === userId && isInsider(caller.facts)
  const viewer = { userId, today: dayOf(app.now()) }
  const level = await levelInGroup(app.db, { ...viewer, groupId: namespace.id })
  const facts = { visibility: namespace.visibility, level, holdsReadableProject: false }
  return decideOnGroup('create_projects', caller.facts, facts).allowed
}

/**
 * The namespace for a new project: the one named, or that of its owner, who is the caller if not given.
 * @throws DomainError `validation_failed` where the caller may not create projects in it.
 */
export async function requireTargetNamespace(
  app: App,
  caller: Caller,
  namespaceId: number | undefined,
  ownerId = caller.facts.userId ?? 0,
): Promise<NamespaceRow> {
  const namespace =
    namespaceId === undefined
      ? await findUserNamespace(app.db, ownerId)
      : await findNamespace(app.db, { id: namespaceId })
  if (namespace === undefined || !(await mayCreateProjectsIn(app, caller, namespace))) {
    throw validationFailed({ namespace: ['is not valid'] })
  }
  return namespace
}
