import { type BodyOf, DomainError, projectsContract } from '@stithy/core'
import { findNamespace, type NamespaceRow } from '@stithy/store'
import { mayCreateProjectsIn } from '../../directory/namespaces/namespace.service.ts'
import {
  checkNewProject,
  createProject,
} from '../../directory/projects/create/project-create.service.ts'
import type { App } from '../../platform/app.ts'
import {
  authorizeRequester,
  type GitAccess,
  type GitRequester,
  refuseHidden,
} from './git-access.ts'
import { GitHttpError } from './git-http-error.ts'

/** An unused path, at which a push may create a project. */
export interface FreePath {
  requester: GitRequester
  namespace: NamespaceRow
  fullPath: string
  /** The parameters of the new project. */
  body: BodyOf<typeof projectsContract.create>
}

/**
 * Checks whether a push may create a project at an unused path; undefined if the requester may not
 * push or create projects there.
 * @throws DomainError if the path is invalid for a project or taken, or a limit is reached
 */
async function findFreePath(
  app: App,
  requester: GitRequester,
  fullPath: string,
): Promise<FreePath | undefined> {
  const { git, caller } = requester
  const [, parent, path] = /^(.+)\/([^/]+)$/.exec(fullPath) ?? []
  if (!git?.user || !git.canWrite || parent === undefined || path === undefined) return undefined
  // The repository of a wiki, which exists with its project.
  if (path.endsWith('.wiki')) return undefined
  const namespace = await findNamespace(app.db, { fullPathLower: parent.toLowerCase() })
  if (!namespace || !(await mayCreateProjectsIn(app, caller, namespace))) return undefined
  const body = projectsContract.create.body.parse({ path, visibility: 'private' })
  await checkNewProject(app, namespace, body)
  return { requester, namespace, fullPath: `${namespace.fullPath}/${path}`, body }
}

/**
 * Authorizes a push, or returns the path at which it creates a project first.
 * @throws GitHttpError, DomainError
 */
export async function authorizePush(
  app: App,
  requester: GitRequester,
  path: string,
): Promise<GitAccess | FreePath> {
  const access = await authorizeRequester(app, requester, path, 'receive-pack')
  if (access !== undefined) return access
  const free = findFreePath(app, requester, path).catch((error) =>
    authorizeTaken(app, requester, path, error),
  )
  return (await free) ?? refuseHidden(requester)
}

/** Creates the private project for a push. @throws GitHttpError 422 */
export async function createByPush(
  app: App,
  { requester, namespace, fullPath, body }: FreePath,
): Promise<GitAccess> {
  const user = requester.git?.user
  if (!user) return refuseHidden(requester)
  try {
    await createProject(app, user, namespace, body)
  } catch (error) {
    return authorizeTaken(app, requester, fullPath, error)
  }
  const access = await authorizeRequester(app, requester, fullPath, 'receive-pack')
  return access ?? refuseHidden(requester)
}

/**
 * Authorizes a push whose path has just been taken, as by another push at the same time: a project
 * appears whole, with its repository.
 * @throws GitHttpError 422 with the reason why the project could not be created
 */
async function authorizeTaken(
  app: App,
  requester: GitRequester,
  path: string,
  error: unknown,
): Promise<GitAccess> {
  if (!isTaken(error)) return refuse(error)
  const access = await authorizeRequester(app, requester, path, 'receive-pack')
  return access ?? refuse(error)
}

function isTaken(error: unknown): boolean {
  const fields = error instanceof DomainError ? error.detail.fields : undefined
  return Object.values(fields ?? {}).some((texts) => texts.includes('has already been taken'))
}

function refuse(error: unknown): never {
  if (!(error instanceof DomainError)) throw error
  const { fields, reasons, message } = error.detail
  const texts = Object.entries(fields ?? {}).map(([field, text]) => `${field} ${text.join(', ')}`)
  const reason = [...texts, ...(reasons ?? []), ...(message ? [message] : [])].join('; ')
  const sentence = reason.replace(/\.$/, '')
  throw new GitHttpError(422, `The project could not be created: ${sentence}.`)
}
