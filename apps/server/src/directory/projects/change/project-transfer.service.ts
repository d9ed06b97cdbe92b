import { DomainError, isWiderThan, notFound, parsePathOrId } from '@stithy/core'
import {
  findTakenProjectNames,
  isUniqueViolation,
  lockNamespace,
  type NamespaceRow,
  narrowForks,
  type Transaction,
  updateProject,
} from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { recordChange } from '../../../platform/changes/record-change.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { findTargetNamespace } from '../../namespaces/namespace.service.ts'
import { findLimit } from '../create/project-limit.ts'
import type { ProjectRow } from '../project-subject.ts'

/**
 * Transfers a project to a namespace that the caller may create projects in.
 * @throws DomainError `not_found`, `bad_request`
 */
export async function transferProject(
  app: App,
  caller: Caller,
  row: ProjectRow,
  namespaceRef: string,
): Promise<void> {
  const target = await findTargetNamespace(app, caller, parsePathOrId(namespaceRef))
  if (target === undefined) throw notFound('Namespace')
  await moveProject(app, row, target, caller.facts.userId)
}

/**
 * Moves a project to a namespace. A group narrows the project's visibility to its own, and a share
 * with that group is removed; the user of a personal namespace becomes a member, as in new
 * projects.
 * @throws DomainError `bad_request` when the namespace cannot contain the project.
 */
export async function moveProject(
  app: App,
  row: ProjectRow,
  target: NamespaceRow,
  movedById: number | null,
): Promise<void> {
  if (target.id === row.namespaceId) {
    throw failedTransfer('Project is already in this namespace.')
  }
  await app.db
    .transaction((tx) => moveIn(tx, row, target.id, { movedById, now: app.now() }))
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? failedTransfer(clash) : error
    })
}

async function moveIn(
  tx: Transaction,
  row: ProjectRow,
  namespaceId: number,
  { movedById, now }: { movedById: number | null; now: number },
): Promise<void> {
  const target = await lockNamespace(tx, namespaceId)
  if (target === undefined) throw notFound('Namespace')
  const limit = await findLimit(tx, target)
  if (limit !== undefined) throw failedTransfer(limit.kind === 'full' ? limit.text : outsider)
  const fullPath = `${target.fullPath}/${row.path}`
  const names = { namespaceId, name: row.name, path: row.path, fullPath, exceptId: 0 }
  const taken = await findTakenProjectNames(tx, names)
  if (taken.name || taken.path) throw failedTransfer(clash)
  const narrowed = target.kind === 'group' && isWiderThan(row.visibility, target.visibility)
  await updateProject(tx, row.id, {
    namespaceId,
    fullPath,
    updatedAt: now,
    ...(narrowed ? { visibility: target.visibility } : {}),
  })
  if (narrowed) await narrowForks(tx, { projectId: row.id, visibility: target.visibility, now })
  const by = { userId: movedById, at: now, now }
  const oldFullPath = row.fullPath
  const moved = { projectId: row.id, namespaceId, ownerId: target.ownerId, oldFullPath }
  await recordChange(tx, { kind: 'project.transferred', ...by, ...moved })
}

const outsider = 'External users cannot have personal projects.'

const clash = 'Project with same name or path in target namespace already exists'

function failedTransfer(reason: string): DomainError {
  return new DomainError('bad_request', { message: `Failed to transfer project ${reason}` })
}
