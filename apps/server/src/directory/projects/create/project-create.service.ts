import { randomBytes } from 'node:crypto'
import {
  type BodyOf,
  isBranchOrTagName,
  isWiderThan,
  pathFromName,
  projectErrors,
  type projectsContract,
  type Visibility,
  validationFailed,
} from '@stithy/core'
import { removeRepository } from '@stithy/git'
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
  type Transaction,
  toFlag,
} from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { recordChange } from '../../../platform/changes/record-change.ts'
import { assertNotRestricted } from '../../../platform/settings/restricted-visibility.ts'
import { readImportUrl, scheduleImport } from '../../imports/schedule-import.ts'
import { type AvatarChange, avatarChange, withAvatar } from '../../namespaces/avatar.service.ts'
import { settingColumns } from '../project-settings.ts'
import { requireProjectQuota } from './project-limit.ts'
import {
  defaultStorage,
  type InitialCommit,
  initializeRepository,
  readmeName,
  repositoryOfId,
  repositoryPathOf,
} from './project-repository.ts'

/** The user who creates the project. */
export interface Creator {
  id: number
  name: string
  email: string
  /** Of a row, or of a caller. */
  admin: boolean | 0 | 1
}

export type NewProjectBody = BodyOf<typeof projectsContract.create>

const noNames: ReadonlySet<string> = new Set()
/** Milliseconds after which a draft counts as abandoned by a crash. */
const draftLifetime = 3_600_000

/** Job kind: removes a project that is marked as deleted. */
export const removeProjectKind = 'project.remove'

/**
 * Creates a project in a namespace that the creator may create projects in; returns its id.
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
  const facts = { userId: creator.id, admin: Boolean(creator.admin), external: false }
  assertNotRestricted(app, { facts }, values.visibility)
  const importUrl = readImportUrl(app, body.import_url)
  const initialCommit = initialCommitOf(app, creator, values, {
    ...body,
    initialize_with_readme: body.initialize_with_readme && importUrl === undefined,
  })
  return createChecked(app, {
    creator,
    namespace,
    storage,
    values,
    picture: avatarChange(body.avatar, noNames),
    async makeRepository(id) {
      await initializeRepository(app, id, storage, initialCommit)
      return initialCommitColumns(initialCommit, body)
    },
    async complete(tx, projectId) {
      if (importUrl === undefined) return
      await scheduleImport(app, tx, { projectId, url: importUrl, now: app.now() })
    },
  })
}

/** A project to create, whose parameters are checked. */
export interface NewProject {
  creator: Creator
  namespace: NamespaceRow
  storage: string
  values: NewValues
  picture: AvatarChange
  /** Creates the repository; returns the columns that follow from it. */
  makeRepository: (projectId: number) => Promise<ProjectChanges>
  /** Writes what else belongs to the published project, in the same transaction. */
  complete?: (tx: Transaction, projectId: number) => Promise<void>
}

/**
 * Creates a project; returns its id.
 *
 * The repository's path derives from the id, and no transaction waits for git, so the row is
 * inserted first as a draft: hidden like a deleted project, under a name that no user can choose.
 * Next comes the repository, then one transaction that sets the real names and publishes the row. A
 * crash in between leaves a draft, which blocks no name; the job enqueued with it removes it later.
 * @throws DomainError `validation_failed`, `forbidden`
 */
export async function createChecked(app: App, project: NewProject): Promise<number> {
  const { namespace, storage } = project
  const id = await insertDraft(app, namespace.id, storage)
  try {
    const repository = await project.makeRepository(id)
    await withAvatar(app, project.picture, null, (avatar) =>
      publish(app, project, id, { ...project.values, ...repository, ...avatar }),
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

/**
 * Validates the parameters of a new project.
 * @throws DomainError `validation_failed`, `forbidden`
 */
export async function checkNewProject(
  app: App,
  namespace: NamespaceRow,
  body: NewProjectBody,
): Promise<NewValues> {
  const name = body.name || body.path || ''
  const path = body.path || pathFromName(name)
  const visibility = body.visibility ?? defaultVisibility(app, namespace)
  const columns = {
    sharedRunnersEnabled: toFlag(app.settings.shared_runners_enabled),
    ...settingColumns(body),
  }
  const { buildCoverageRegex, description } = columns
  const errors = projectErrors(
    { name, path, visibility, description, buildCoverageRegex, tagList: body.tag_list },
    { namespace },
  )
  if (errors !== undefined) throw validationFailed(errors)
  checkDefaultBranch(body.default_branch)
  await requireProjectQuota(app.db, namespace)
  await checkNames(app.db, namespace, { name, path })
  return { ...columns, name, path, visibility }
}

/** `default_project_visibility`, or that of the group where it is narrower. */
function defaultVisibility({ settings }: App, namespace: NamespaceRow): Visibility {
  const { default_project_visibility: byDefault } = settings
  const isTooWide = namespace.kind === 'group' && isWiderThan(byDefault, namespace.visibility)
  return isTooWide ? namespace.visibility : byDefault
}

/** @throws DomainError `validation_failed` when a project or subgroup has the name or the path. */
async function checkNames(
  q: Queries,
  namespace: NamespaceRow,
  { name, path }: NewNames,
): Promise<void> {
  const fullPath = `${namespace.fullPath}/${path}`
  const names = { namespaceId: namespace.id, name, path, fullPath, exceptId: 0 }
  throwIfTaken(await findTakenProjectNames(q, names))
}

/** @throws DomainError `validation_failed` for a name that no branch may have. */
function checkDefaultBranch(branch: string | undefined): void {
  if (branch === undefined || branch === '' || isBranchOrTagName(branch)) return
  throw validationFailed({ default_branch: ['is not a valid branch name'] })
}

/** @throws DomainError `validation_failed` with an error for each taken name. */
export function throwIfTaken(taken: { name: boolean; path: boolean }): void {
  if (!taken.name && !taken.path) return
  const text = ['has already been taken']
  throw validationFailed({
    ...(taken.name ? { name: text } : {}),
    ...(taken.path ? { path: text } : {}),
  })
}

/** Maps the columns of a violated unique key to errors by field. */
export function takenFields(columns: readonly string[]): Record<string, string[]> {
  return { [columns.includes('nameLower') ? 'name' : 'path']: ['has already been taken'] }
}

/**
 * Inserts the hidden row and the job that removes it if creation does not finish; returns its id.
 */
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

function initialCommitOf(
  app: App,
  creator: Creator,
  values: NewValues,
  body: NewProjectBody,
): InitialCommit {
  const branch = body.default_branch || app.config.defaultBranch
  if (!body.initialize_with_readme) return { branch }
  const { name, description } = values
  const author = { name: creator.name, email: creator.email }
  return { branch, readme: { name, description: description ?? '', author } }
}

/** Columns about the repository: a requested branch is the default branch from the start. */
function initialCommitColumns(
  { branch, readme }: InitialCommit,
  body: NewProjectBody,
): ProjectChanges {
  if (readme !== undefined) return { defaultBranch: branch, emptyRepo: 0, readmePath: readmeName }
  return body.default_branch ? { defaultBranch: branch } : {}
}

/** Publishes the draft. Rechecks what may have changed while git was running. */
async function publish(
  app: App,
  { creator, namespace: { id: namespaceId }, complete }: NewProject,
  id: number,
  values: NewValues,
): Promise<void> {
  const now = app.now()
  await app.db.transaction(async (tx) => {
    const namespace = await lockNamespace(tx, namespaceId)
    if (namespace === undefined) throw validationFailed({ namespace: ['is not valid'] })
    const errors = projectErrors({ visibility: values.visibility }, { namespace })
    if (errors !== undefined) throw validationFailed(errors)
    await requireProjectQuota(tx, namespace)
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
    if (!published) throw new Error(`the draft of project ${id} was deleted`)
    await complete?.(tx, id)
    const initialBranch = values.emptyRepo === 0 ? (values.defaultBranch ?? null) : null
    const by = { userId: creator.id, at: now, now }
    const created = { projectId: id, ownerId: namespace.ownerId, initialBranch }
    await recordChange(tx, { kind: 'project.created', ...by, ...created })
  })
}

async function removeDraft(app: App, id: number, storage: string): Promise<void> {
  try {
    await removeRepository(app.git, repositoryOfId(app, id, storage))
    await app.db.transaction((tx) => deleteProjectRows(tx, id))
  } catch (error) {
    app.log.warn({ err: error, project: id }, 'a draft could not be removed and is left to its job')
  }
}
