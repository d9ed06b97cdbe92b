import {
  type BodyOf,
  decideOnProject,
  notFound,
  projectErrors,
  type projectsContract,
  validationFailed,
} from '@stithy/core'
import { findBranch, setHead } from '@stithy/git'
import {
  findTakenProjectNames,
  isUniqueViolation,
  lockForkSource,
  lockNamespace,
  narrowForks,
  type ProjectChanges,
  type Transaction,
  updateProject,
} from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { attributeChanges } from '../../../platform/changes/attribute-change.ts'
import type { ChangeBy } from '../../../platform/changes/change.ts'
import { recordChange } from '../../../platform/changes/record-change.ts'
import { enforce } from '../../../platform/http/authorize.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { alignHead } from '../../../platform/repositories/align-head.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import { assertNotRestricted } from '../../../platform/settings/restricted-visibility.ts'
import { readImportUrl, scheduleImport } from '../../imports/schedule-import.ts'
import { avatarChange, withAvatar } from '../../namespaces/avatar.service.ts'
import { userRefs } from '../../users/user-views.service.ts'
import { takenFields, throwIfTaken } from '../create/project-create.service.ts'
import { requireSameStorage } from '../create/project-storage.ts'
import { settingColumns } from '../project-settings.ts'
import type { ProjectRow, ProjectSubject } from '../project-subject.ts'

export type ProjectEditBody = BodyOf<typeof projectsContract.update>

/**
 * Updates the settings, name, path and default branch of a project.
 * @throws DomainError `invalid_parameter`, `forbidden`, `validation_failed`
 */
export async function updateProjectSettings(
  app: App,
  caller: Caller,
  subject: ProjectSubject,
  body: ProjectEditBody,
  sent: ReadonlySet<string>,
): Promise<void> {
  const { row } = subject
  const changes = changesOf(subject, body)
  authorizeChanges(app, caller, subject, changes, body)
  const importUrl = readNewImport(app, row, body.import_url)
  await checkMirrorUser(app, changes.mirrorUserId)
  const movesHead = await moveDefaultBranch(app, subject, changes)
  await withAvatar(app, avatarChange(body.avatar, sent), row.avatar, (avatar) =>
    app.db.transaction(async (tx) => {
      await checkValues(tx, subject, changes, body)
      const now = app.now()
      await updateProject(tx, row.id, { ...changes, ...avatar, updatedAt: now })
      if (importUrl !== undefined) {
        await scheduleImport(app, tx, { projectId: row.id, url: importUrl, now })
      }
      const { visibility } = changes
      if (visibility !== undefined) await narrowForks(tx, { projectId: row.id, visibility, now })
      await recordUpdate(tx, row, changes, { userId: caller.facts.userId, at: now, now })
    }),
  )
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? validationFailed(takenFields(error.columns)) : error
    })
    .finally(() => (movesHead ? alignHead(app, repositoryOf(app, row), row.id) : undefined))
}

/** The settings that say who may see or do what, and names. */
const auditedColumns = [
  'name',
  'path',
  'visibility',
  'defaultBranch',
  'requestAccessEnabled',
  'approvalsBeforeMerge',
] as const

async function recordUpdate(
  tx: Transaction,
  row: ProjectRow,
  columns: ProjectChanges,
  by: ChangeBy,
): Promise<void> {
  const { defaultBranch: branch, path } = columns
  const projectId = row.id
  if (branch && branch !== row.defaultBranch) {
    await recordChange(tx, { kind: 'project.default_branch_changed', ...by, projectId, branch })
  }
  const oldFullPath = path === undefined ? undefined : row.fullPath
  const changes = attributeChanges(row, columns, auditedColumns)
  await recordChange(tx, { kind: 'project.updated', ...by, projectId, oldFullPath, changes })
}

function changesOf({ row }: ProjectSubject, body: ProjectEditBody): ProjectChanges {
  const path = body.path ?? row.path
  return {
    ...settingColumns(body),
    ...(body.name === undefined || body.name === row.name ? {} : { name: body.name }),
    ...(path === row.path ? {} : { path }),
    ...(body.default_branch ? { defaultBranch: body.default_branch } : {}),
  }
}

/** Names and visibility need the owner, some settings an administrator. */
function authorizeChanges(
  app: App,
  caller: Caller,
  { row, facts }: ProjectSubject,
  changes: ProjectChanges,
  body: ProjectEditBody,
): void {
  const renamed = changes.name !== undefined
  if (renamed) enforce(decideOnProject('rename_project', caller.facts, facts), caller)
  if (changes.visibility !== undefined && changes.visibility !== row.visibility) {
    enforce(decideOnProject('change_visibility', caller.facts, facts), caller)
    assertNotRestricted(app, caller, changes.visibility)
  }
  requireSameStorage(app, caller.facts, body.repository_storage, row.repositoryStorage)
}

/** @throws DomainError `validation_failed` when there is no such user. */
async function checkMirrorUser(app: App, userId: number | null | undefined): Promise<void> {
  if (userId === undefined || userId === null) return
  if ((await userRefs(app, [userId])).has(userId)) return
  throw validationFailed({ mirror_user_id: ['is not a user'] })
}

async function checkValues(
  tx: Transaction,
  { row }: ProjectSubject,
  changes: ProjectChanges,
  body: ProjectEditBody,
): Promise<void> {
  const { name, path, description, buildCoverageRegex, visibility } = changes
  const namespace = await lockNamespace(tx, row.namespaceId)
  if (namespace === undefined) throw notFound('Project')
  const forkSource =
    visibility === undefined || row.forkedFromProjectId === null
      ? undefined
      : await lockForkSource(tx, { sourceId: row.forkedFromProjectId })
  const errors = projectErrors(
    { name, path, description, buildCoverageRegex, visibility, tagList: body.tag_list },
    { namespace, forkSource },
  )
  if (errors !== undefined) throw validationFailed(errors)
  if (name === undefined && path === undefined) return
  if (path !== undefined) changes.fullPath = `${namespace.fullPath}/${path}`
  throwIfTaken(
    await findTakenProjectNames(tx, {
      namespaceId: row.namespaceId,
      name: name ?? row.name,
      path: path ?? row.path,
      fullPath: changes.fullPath ?? row.fullPath,
      exceptId: row.id,
    }),
  )
}

/**
 * Sets the default branch, which must exist; returns whether it differs. Git's HEAD is updated
 * before the row, so that a clone never gets the old branch alone.
 */
async function moveDefaultBranch(
  app: App,
  { row }: ProjectSubject,
  { defaultBranch }: ProjectChanges,
): Promise<boolean> {
  if (defaultBranch === undefined || defaultBranch === null) return false
  if (defaultBranch === row.defaultBranch) return false
  const repository = repositoryOf(app, row)
  if ((await findBranch(app.git, repository, defaultBranch)) === undefined) {
    throw validationFailed({ base: ['Could not change HEAD: branch does not exist'] })
  }
  await setHead(app.git, repository, defaultBranch)
  return true
}

/** An import into an empty repository, for instance after one that failed. @throws DomainError */
function readNewImport(app: App, row: ProjectSubject['row'], url: string | undefined) {
  const parsed = readImportUrl(app, url)
  if (parsed === undefined) return undefined
  const isRunning = row.importStatus === 'scheduled' || row.importStatus === 'started'
  if (row.emptyRepo === 1 && !isRunning) return parsed
  const reason = isRunning ? 'an import is in progress' : 'the repository is not empty'
  throw validationFailed({ import_url: [`cannot be imported: ${reason}`] })
}
