import {
  type BodyOf,
  decideOnProject,
  invalidParameter,
  notFound,
  projectErrors,
  projectsContract,
  validationFailed,
} from '@stithy/core'
import { findBranch, setHead } from '@stithy/git'
import {
  findProjectVisibility,
  findTakenProjectNames,
  isUniqueViolation,
  lockNamespace,
  type ProjectChanges,
  type Transaction,
  updateProject,
} from '@stithy/store'
import type { App } from '../../app.ts'
import { enforce } from '../../http/authorize.ts'
import type { Caller } from '../../http/call.ts'
import { avatarChange, withAvatar } from '../../namespaces/avatar.service.ts'
import type { ProjectSubject } from '../../projects/project-subject.ts'
import { protectDefaultBranch } from '../../protected-branches/default-protection.service.ts'
import { repositoryOf } from '../../repositories/repository.service.ts'
import { userRefs } from '../../users/user-views.service.ts'
import { checkImport, takenFields, throwIfTaken } from '../create/project-create.service.ts'
import { requireSameStorage } from '../create/project-storage.ts'
import { settingColumns } from '../project-settings.ts'

export type ProjectEditBody = BodyOf<typeof projectsContract.update>

/**
 * Changes a project's settings, name, path and default branch (catalogue: projects, create / edit).
 * @throws DomainError `invalid_parameter`, `forbidden`, `validation_failed`
 */
export async function updateProjectSettings(
  app: App,
  caller: Caller,
  subject: ProjectSubject,
  body: ProjectEditBody,
  sent: ReadonlySet<string>,
): Promise<void> {
  requireSomeParameter(sent)
  const { row } = subject
  const changes = changesOf(subject, body)
  authorizeChanges(app, caller, subject, changes, body)
  checkImport(body.import_url)
  await checkMirrorUser(app, changes.mirrorUserId)
  await moveDefaultBranch(app, subject, changes)
  await withAvatar(app, avatarChange(body.avatar, sent), row.avatar, (avatar) =>
    app.db.transaction(async (tx) => {
      await checkValues(tx, subject, changes, body)
      const now = app.now()
      await updateProject(tx, row.id, { ...changes, ...avatar, updatedAt: now })
      const { defaultBranch } = changes
      if (defaultBranch && defaultBranch !== row.defaultBranch) {
        await protectDefaultBranch(tx, { projectId: row.id, name: defaultBranch, now })
      }
    }),
  ).catch((error: unknown) => {
    throw isUniqueViolation(error) ? validationFailed(takenFields(error.columns)) : error
  })
}

const editNames = Object.keys(projectsContract.update.body.shape)

/** An edit without any known parameter is a mistake (catalogue: projects, `PUT /projects/:id`). */
function requireSomeParameter(sent: ReadonlySet<string>): void {
  if (editNames.some((name) => sent.has(name))) return
  throw invalidParameter(
    `${editNames.join(', ')} are missing, at least one parameter must be provided`,
  )
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

/** Names and visibility are the owner's, some settings the administrator's. */
function authorizeChanges(
  app: App,
  caller: Caller,
  { row, facts }: ProjectSubject,
  changes: ProjectChanges,
  body: ProjectEditBody,
): void {
  const renamed = changes.name !== undefined
  if (renamed) enforce(decideOnProject('rename_project', caller.facts, facts), caller)
  const shown = changes.visibility !== undefined && changes.visibility !== row.visibility
  if (shown) enforce(decideOnProject('change_visibility', caller.facts, facts), caller)
  requireSameStorage(app, caller.facts, body.repository_storage, row.repositoryStorage)
}

/** @throws DomainError `validation_failed` where there is no such user. */
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
      : await findProjectVisibility(tx, row.forkedFromProjectId)
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

/** The branch must exist; git's HEAD follows first, so that a clone never meets the old one alone. */
async function moveDefaultBranch(
  app: App,
  { row }: ProjectSubject,
  { defaultBranch }: ProjectChanges,
): Promise<void> {
  if (defaultBranch === undefined || defaultBranch === null) return
  if (defaultBranch === row.defaultBranch) return
  const repository = repositoryOf(app, row)
  if ((await findBranch(app.git, repository, defaultBranch)) === undefined) {
    throw validationFailed({ base: ['Could not change HEAD: branch does not exist'] })
  }
  await setHead(app.git, repository, defaultBranch)
}
