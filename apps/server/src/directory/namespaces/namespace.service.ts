import {
  AccessLevel,
  type CallerFacts,
  decideOnGroup,
  isInternalUser,
  validationFailed,
} from '@stithy/core'
import {
  findNamespace,
  findUserNamespace,
  levelInGroup,
  type NamespaceKey,
  type NamespaceRow,
  type NamespaceScope,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'

/** The level from which `default_project_creation` lets members of groups create projects. */
const creationLevels = {
  0: AccessLevel.admin,
  1: AccessLevel.maintainer,
  2: AccessLevel.developer,
} as const

/** Whether the caller may create projects in the namespace. */
export async function mayCreateProjectsIn(
  app: App,
  caller: Caller,
  namespace: NamespaceRow,
): Promise<boolean> {
  const { userId, admin } = caller.facts
  if (admin) return true
  if (userId === null) return false
  if (namespace.kind === 'user') return namespace.ownerId === userId && isInternalUser(caller.facts)
  const viewer = { userId, today: dayOf(app.now()) }
  const level = await levelInGroup(app.db, { ...viewer, groupId: namespace.id })
  if (level < creationLevels[app.settings.default_project_creation]) return false
  const facts = { visibility: namespace.visibility, level, holdsReadableProject: false }
  return decideOnGroup('create_projects', caller.facts, facts).allowed
}

/** The namespaces in which `mayCreateProjectsIn` lets a user create projects. */
export function creationScope(app: App, caller: CallerFacts): NamespaceScope {
  const personal = isInternalUser(caller)
  const minLevel = creationLevels[app.settings.default_project_creation]
  return { personal, minLevel: personal ? minLevel : AccessLevel.admin }
}

/**
 * Loads the namespace of a new project: the one given, else the personal namespace of the project's
 * owner.
 * @throws DomainError `validation_failed` when the caller may not create projects there.
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

/** The namespace with this key, if there is one, and the caller may create projects there. */
export async function findTargetNamespace(
  app: App,
  caller: Caller,
  key: NamespaceKey | undefined,
): Promise<NamespaceRow | undefined> {
  const namespace = key && (await findNamespace(app.db, key))
  if (namespace === undefined || !(await mayCreateProjectsIn(app, caller, namespace))) {
    return undefined
  }
  return namespace
}
