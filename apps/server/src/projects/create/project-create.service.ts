import { randomBytes } from 'node:crypto'
import {
  type BodyOf,
  importUrlErrors,
  invalidParameter,
  pathFromName,
  projectErrors,
  type projectsContract,
  validationFailed,
} from '@stithy/core'
import { isValidBranchName, removeRepository } from '@stithy/git'
import {
  deleteProjectRows,
  enqueueJob,
  findTakenProjectNames,
  insertProjectDraft,
  isUniqueViolation,
  lockNamespace,
  type NamespaceRow,
  type ProjectChanges,
  publishProject,
  type Queries,
  recordEvent,
  setMember,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../app.ts'
import { avatarChange, withAvatar } from '../../namespaces/avatar.service.ts'
import { protectDefaultBranch } from '../../protected-branches/default-protection.service.ts'
import { enqueueRefresh } from '../../repositories/repository.jobs.ts'
import { settingColumns } from '../project-settings.ts'
import { requireRoom } from './project-limit.ts'
import {
  type Beginning,
  beginRepository,
  defaultStorage,
  readmeName,
  repositoryOfId,
  repositoryPathOf,
} from './project-repository.ts'

/** Who a new project is made by. */
export interface Creator {
  id: number
  name: string
  email: string
}

export type NewProjectBody = BodyOf<typeof projectsContract.create>

/** `default_project_visibility` (document 3, Instance settings). */
const defaultVisibility = 'private'
const noNames: ReadonlySet<string> = new Set()
/** A draft this old, in milliseconds, is what a crash left behind. */
const draftLifetime = 3_600_000

/** The job that removes whatever is marked as deleted of one project. */
export const removeProjectKind = 'project.remove'

/**
 * Makes a project in a namespace that the creator may create in; answers its id.
 *
 * The repository's place follows from the id, and no transaction waits for git, so the row comes first
 * as a draft: hidden as a deleted project is, and under a name that nobody can want. Then comes the
 * repository, then one transaction that gives the row its names and shows it. A crash in between leaves
 * a draft, which blocks no name; the job that is written with it removes it later.
 * @throws DomainError `validation_failed`, `forbidden`
 */
export async function createProject(
  app: App,
  creator: Creator,
  namespace: NamespaceRow,
  body: NewProjectBody,
  storage: string = defaultStorage,
): Promise<number> {
  const values = await checkNewProject(app, namespace, body)
  const id = await insertDraft(app, namespace.id, storage)
  try {
    const beginning = beginningOf(app, creator, values, body)
    await beginRepository(app, id, storage, beginning)
    const begun = begunColumns(beginning, body)
    await withAvatar(app, avatarChange(body.avatar, noNames), null, (avatar) =>
      publish(app, creator, namespace.id, id, { ...values, ...begun, ...avatar }),
    )
  } catch (error) {
    await removeDraft(app, id, storage)
    if (isUniqueViolation(error)) throw validationFailed(takenFields(error.columns))
    throw error
  }
  return id
}

type NewValues = ProjectChanges & Required<Pick<ProjectChanges, 'visibility'>> & NewNames
interface NewNames {
  name: string
  path: string
}

/** What a new project is to be. @throws DomainError `validation_failed`, `forbidden` */
export async function checkNewProject(
  app: App,
  namespace: NamespaceRow,
  body: NewProjectBody,
): Promise<NewValues> {
  const name = body.name || body.path
  if (name === undefined || name === '') {
    throw invalidParameter('name, path are missing, at least one parameter must be provided')
  }
  const path = body.path || pathFromName(name)
  const visibility = body.visibility ?? defaultVisibility
  const columns = settingColumns(body)
  const { buildCoverageRegex, description } = columns
  const errors = projectErrors(
    { name, path, visibility, description, buildCoverageRegex, tagList: body.tag_list },
    { namespace },
  )
  if (errors !== undefined) throw validationFailed(errors)
  checkImport(body.import_url)
  checkDefaultBranch(body.default_branch)
  await requireRoom(app.db, namespace)
  await checkNames(app.db, namespace, { name, path })
  return { ...columns, name, path, visibility }
}

/** @throws DomainError `validation_failed` where a project or a subgroup has the name or the path. */
async function checkNames(
  q: Queries,
  namespace: NamespaceRow,
  { name, path }: NewNames,
): Promise<void> {
  const fullPath = `${namespace.fullPath}/${path}`
  const names = { namespaceId: namespace.id, name, path, fullPath, exceptId: 0 }
  throwIfTaken(await findTakenProjectNames(q, names))
}

/** @throws DomainError `validation_failed` for any address: there is no import from one. */
export function checkImport(url: string | undefined): void {
  const errors = importUrlErrors(url)
  if (errors.length > 0) throw validationFailed({ import_url: errors })
}

/** @throws DomainError `validation_failed` for a name that git refuses. */
function checkDefaultBranch(branch: string | undefined): void {
  if (branch === undefined || branch === '' || isValidBranchName(branch)) return
  throw validationFailed({ default_branch: ['is not a valid branch name'] })
}

/** @throws DomainError `validation_failed` with a text for each name that is taken. */
export function throwIfTaken(taken: { name: boolean; path: boolean }): void {
  if (!taken.name && !taken.path) return
  const text = ['has already been taken']
  throw validationFailed({
    ...(taken.name ? { name: text } : {}),
    ...(taken.path ? { path: text } : {}),
  })
}

/** The fields that a violated key of projects stands for. */
export function takenFields(columns: readonly string[]): Record<string, string[]> {
  return { [columns.includes('nameLower') ? 'name' : 'path']: ['has already been taken'] }
}

/** Writes the hidden row, and the job that removes it should nobody finish it; answers its id. */
export async function insertDraft(
  app: App,
  namespaceId: number,
  repositoryStorage: string,
): Promise<number> {
  const draft = {
    namespaceId,
    repositoryStorage,
    placeholder: `-draft-${randomBytes(12).toString('hex')}`,
    runnersToken: randomBytes(15).toString('base64url'),
    createdAt: app.now(),
  }
  return app.db.transaction(async (tx) => {
    const id = await insertProjectDraft(tx, draft)
    const runAt = draft.createdAt + draftLifetime
    const job = { queue: 'projects', kind: removeProjectKind, payload: { projectId: id }, runAt }
    await enqueueJob(tx, job, draft.createdAt)
    return id
  })
}

function beginningOf(
  app: App,
  creator: Creator,
  values: NewValues,
  body: NewProjectBody,
): Beginning {
  const branch = body.default_branch || app.config.defaultBranch
  if (!body.initialize_with_readme) return { branch }
  const { name, description } = values
  const author = { name: creator.name, email: creator.email }
  return { branch, readme: { name, description: description ?? '', author } }
}

/** What the row says of the repository: a branch that was asked for is the default from the start. */
function begunColumns({ branch, readme }: Beginning, body: NewProjectBody): ProjectChanges {
  if (readme !== undefined) return { defaultBranch: branch, emptyRepo: 0, readmePath: readmeName }
  return body.default_branch ? { defaultBranch: branch } : {}
}

/** Shows the project. What was checked before may have changed while git was at work. */
async function publish(
  app: App,
  creator: Creator,
  namespaceId: number,
  id: number,
  values: NewValues,
): Promise<void> {
  const now = app.now()
  await app.db.transaction(async (tx) => {
    const namespace = await lockNamespace(tx, namespaceId)
    if (namespace === undefined) throw validationFailed({ namespace: ['is not valid'] })
    const errors = projectErrors({ visibility: values.visibility }, { namespace })
    if (errors !== undefined) throw validationFailed(errors)
    await requireRoom(tx, namespace)
    await checkNames(tx, namespace, values)
    const published = await publishProject(tx, id, {
      ...values,
      fullPath: `${namespace.fullPath}/${values.path}`,
      creatorId: creator.id,
      repositoryPath: repositoryPathOf(id),
      lastActivityAt: now,
      createdAt: now,
      updatedAt: now,
    })
    if (!published) throw new Error(`the draft of project ${id} is gone`)
    if (namespace.ownerId !== null) {
      await setOwner(tx, { projectId: id, userId: namespace.ownerId, createdById: creator.id, now })
    }
    const event = {
      projectId: id,
      authorId: creator.id,
      action: 'created',
      createdAt: now,
    } as const
    await recordEvent(tx, event)
    if (values.emptyRepo === 0) await followFirstCommit(tx, id, values.defaultBranch, now)
  })
}

/** What a first push brings with it, for a commit that the service makes. */
async function followFirstCommit(
  tx: Transaction,
  projectId: number,
  branch: string | null | undefined,
  now: number,
): Promise<void> {
  await enqueueRefresh(tx, projectId, now)
  if (branch) await protectDefaultBranch(tx, { projectId, name: branch, now })
}

/** The user of a personal namespace is a member of its projects (catalogue: projects, Rules). */
export function setOwner(
  tx: Transaction,
  owner: { projectId: number; userId: number; createdById: number | null; now: number },
): Promise<void> {
  const { projectId, userId, createdById, now: createdAt } = owner
  const source = { sourceKind: 'project', sourceId: projectId } as const
  const level = { accessLevel: 40, expiresOn: null }
  return setMember(tx, { ...source, ...level, userId, createdById, createdAt })
}

async function removeDraft(app: App, id: number, storage: string): Promise<void> {
  try {
    await removeRepository(app.git, repositoryOfId(app, id, storage))
    await app.db.transaction((tx) => deleteProjectRows(tx, id))
  } catch (error) {
    app.log.warn({ err: error, project: id }, 'a draft stays until its job removes it')
  }
}
