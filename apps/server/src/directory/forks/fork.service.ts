import {
  type BodyOf,
  DomainError,
  type forksContract,
  isWiderThan,
  notFound,
  parsePathOrId,
  type Visibility,
} from '@stithy/core'
import { forkRepository, isNotFound, readHead, repositorySize } from '@stithy/git'
import {
  countFork,
  findCountedCommits,
  findUserNamespace,
  listLanguages,
  type NamespaceKey,
  type NamespaceRow,
  type ProjectChanges,
  saveLanguages,
  saveRepositoryStatistics,
  setForkSource,
  type Transaction,
  updateProject,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { readRepositoryState } from '../../platform/repositories/repository-state.ts'
import { allowedVisibility } from '../../platform/settings/restricted-visibility.ts'
import { readAvatar } from '../../platform/uploads/avatar-files.ts'
import { findTargetNamespace } from '../namespaces/namespace.service.ts'
import { checkNewProject, createChecked } from '../projects/create/project-create.service.ts'
import { repositoryOfId } from '../projects/create/project-repository.ts'
import type { ProjectRow } from '../projects/project-subject.ts'

type ForkBody = BodyOf<typeof forksContract.create>

/**
 * Forks a project into a namespace that the caller may create projects in; returns the fork's id.
 * The fork is complete: it has its repository, statistics and import status.
 * @throws DomainError `not_found`, `conflict`, `forbidden`
 */
export async function forkProject(
  app: App,
  caller: Caller,
  source: ProjectRow,
  body: ForkBody,
): Promise<number> {
  const namespace = await requireForkNamespace(app, caller, body)
  try {
    return await createFork(app, caller, source, namespace, body)
  } catch (error) {
    throw asForkError(error)
  }
}

/** @throws DomainError `not_found` */
async function requireForkNamespace(
  app: App,
  caller: Caller,
  body: ForkBody,
): Promise<NamespaceRow> {
  const namespace = await findTargetNamespace(app, caller, await targetOf(app, caller, body))
  if (namespace === undefined) throw notFound('Target Namespace')
  return namespace
}

/** The namespace that the caller names, or else their own. */
async function targetOf(
  app: App,
  caller: Caller,
  { namespace, namespace_id: id, namespace_path: path }: ForkBody,
): Promise<NamespaceKey | undefined> {
  if (id !== undefined) return { id }
  if (path) return { fullPathLower: path.toLowerCase() }
  if (namespace) return parsePathOrId(namespace)
  const own = await findUserNamespace(app.db, requireCaller(caller).id)
  return own && { id: own.id }
}

/** Where v4 returns 400 for a new project, it returns 409 with the same body for a fork. */
function asForkError(error: unknown): unknown {
  if (error instanceof DomainError && error.code === 'validation_failed') {
    return new DomainError('conflict', error.detail)
  }
  // The source is being deleted.
  if (isNotFound(error)) return notFound('Project')
  return error
}

async function createFork(
  app: App,
  caller: Caller,
  source: ProjectRow,
  namespace: NamespaceRow,
  body: ForkBody,
): Promise<number> {
  const name = body.name || source.name
  const path = body.path || source.path
  const visibility = allowedVisibility(
    app,
    caller,
    visibilityOf(source, namespace, body.visibility),
  )
  const description = body.description ?? source.description
  const settings = { name, path, visibility, description: body.description }
  const checked = await checkNewProject(app, namespace, settings)
  const values = { ...checked, ...copiedColumns(source), name, path, visibility, description }
  // On the same storage, where files can have a second name.
  const storage = source.repositoryStorage
  const facts = { bytes: 0 }
  return createChecked(app, {
    creator: requireCaller(caller),
    namespace,
    storage,
    values,
    picture: await copyAvatar(app, source),
    async makeRepository(id) {
      const repository = repositoryOf(app, source)
      const defaultBranch = source.defaultBranch ?? (await readHead(repository))
      const fork = await forkRepository(
        app.git,
        repository,
        repositoryOfId(app, id, storage).path,
        {
          defaultBranch: defaultBranch ?? app.config.defaultBranch,
        },
      )
      facts.bytes = await repositorySize(fork)
      return readRepositoryState(app, fork, source.defaultBranch)
    },
    async complete(tx, id) {
      await joinSource(tx, { id, source, visibility, now: app.now() })
      await copyStatistics(tx, { id, source, bytes: facts.bytes, now: app.now() })
    },
  })
}

/** The visibility that is asked for, or that of the source; as narrow as both it and the group. */
function visibilityOf(
  { visibility: ofSource }: ProjectRow,
  namespace: NamespaceRow,
  asked: Visibility = ofSource,
): Visibility {
  const bounds = namespace.kind === 'group' ? [ofSource, namespace.visibility] : [ofSource]
  return bounds.reduce(
    (narrowest, bound) => (isWiderThan(narrowest, bound) ? bound : narrowest),
    asked,
  )
}

/** What a fork has from its source; who may see the code there may be all who may see it here. */
function copiedColumns(source: ProjectRow): ProjectChanges {
  return {
    sharedRunnersEnabled: source.sharedRunnersEnabled,
    ciDefaultGitDepth: source.ciDefaultGitDepth,
    buildsAccessLevel: source.buildsAccessLevel,
    repositoryAccessLevel: source.repositoryAccessLevel,
    defaultBranch: source.defaultBranch,
    importStatus: 'finished',
  }
}

/** Each file of a picture belongs to one row. */
async function copyAvatar(app: App, { avatar }: ProjectRow): Promise<File | undefined> {
  const picture = avatar === null ? undefined : await readAvatar(app.config, avatar)
  if (picture === undefined) return undefined
  return new File([new Uint8Array(picture.bytes)], picture.filename, { type: picture.type })
}

interface NewFork {
  id: number
  source: ProjectRow
  now: number
}

/**
 * Records the relation. The source is locked, so that it can neither be deleted nor narrowed
 * without the fork.
 * @throws DomainError `not_found`
 */
async function joinSource(
  tx: Transaction,
  { id, source, visibility, now }: NewFork & { visibility: ProjectRow['visibility'] },
): Promise<void> {
  const current = await countFork(tx, { sourceId: source.id })
  if (current === undefined) throw notFound('Project')
  await setForkSource(tx, { projectId: id, sourceId: source.id })
  if (isWiderThan(visibility, current)) {
    await updateProject(tx, id, { visibility: current, updatedAt: now })
  }
}

/** What is known of the source holds for the fork, until the job that counts has run. */
async function copyStatistics(
  tx: Transaction,
  { id: projectId, source, bytes, now }: NewFork & { bytes: number },
): Promise<void> {
  const counted = await findCountedCommits(tx, source.id)
  await saveRepositoryStatistics(tx, {
    wikiSize: 0,
    projectId,
    commitCount: counted?.count ?? 0,
    countedTip: counted?.tip ?? null,
    repositorySize: bytes,
    now,
  })
  const languages = await listLanguages(tx, source.id)
  await saveLanguages(tx, projectId, new Map(languages.map((each) => [each.language, each.bytes])))
}
