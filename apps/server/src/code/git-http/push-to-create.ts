import { setTimeout as delay } from 'node:timers/promises'
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
 * @throws GitHttpError 422 if the path is invalid for a project, or a limit is reached
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
  await checkNewProject(app, namespace, body).catch(refuse)
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
  return access ?? (await findFreePath(app, requester, path)) ?? refuseHidden(requester)
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
    // Two pushes may create the same project: the later one pushes to it.
    const access = isTaken(error) ? await waitForProject(app, requester, fullPath) : undefined
    return access ?? refuse(error)
  }
  const access = await authorizeRequester(app, requester, fullPath, 'receive-pack')
  return access ?? refuseHidden(requester)
}

function isTaken(error: unknown): boolean {
  const fields = error instanceof DomainError ? error.detail.fields : undefined
  return Object.values(fields ?? {}).some((texts) => texts.includes('has already been taken'))
}

/** How long another push may take to create the repository of a project, in milliseconds. */
const creationMs = 5000

/** Waits for a project that another push is creating; undefined if it does not appear. */
async function waitForProject(
  app: App,
  requester: GitRequester,
  fullPath: string,
): Promise<GitAccess | undefined> {
  const latest = performance.now() + creationMs
  for (;;) {
    const access = await authorizeRequester(app, requester, fullPath, 'receive-pack')
    if (access !== undefined || performance.now() > latest) return access
    await delay(50)
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof DomainError)) throw error
  const { fields, reasons, message } = error.detail
  const texts = Object.entries(fields ?? {}).map(([field, text]) => `${field} ${text.join(', ')}`)
  const reason = [...texts, ...(reasons ?? []), ...(message ? [message] : [])].join('; ')
  const sentence = reason.replace(/\.$/, '')
  throw new GitHttpError(422, `The project could not be created: ${sentence}.`)
}
