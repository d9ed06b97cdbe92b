import { type BodyOf, DomainError, projectsContract } from '@stithy/core'
import { findNamespace, type NamespaceRow } from '@stithy/store'
import type { FastifyRequest } from 'fastify'
import { mayCreateProjectsIn } from '../../directory/namespaces/namespace.service.ts'
import {
  checkNewProject,
  createProject,
} from '../../directory/projects/create/project-create.service.ts'
import type { App } from '../../platform/app.ts'
import {
  type Admission,
  admitVisitor,
  type GitVisitor,
  identifyVisitor,
  refuseHidden,
} from './git-access.ts'
import { GitRefusalError } from './git-refusal.ts'

/** An unused path, at which a push may create a project. */
export interface FreePath {
  visitor: GitVisitor
  namespace: NamespaceRow
  fullPath: string
  /** The parameters of the new project. */
  body: BodyOf<typeof projectsContract.create>
}

/**
 * Checks whether a push may create a project at an unused path; undefined if the visitor may not
 * push or create projects there.
 * @throws GitRefusalError 422 if the path is invalid for a project, or a limit is reached
 */
async function findFreePath(
  app: App,
  visitor: GitVisitor,
  fullPath: string,
): Promise<FreePath | undefined> {
  const { git, caller } = visitor
  const [, parent, path] = /^(.+)\/([^/]+)$/.exec(fullPath) ?? []
  if (!git?.user || !git.canWrite || parent === undefined || path === undefined) return undefined
  // The repository of a wiki, which exists with its project.
  if (path.endsWith('.wiki')) return undefined
  const namespace = await findNamespace(app.db, { fullPathLower: parent.toLowerCase() })
  if (!namespace || !(await mayCreateProjectsIn(app, caller, namespace))) return undefined
  const body = projectsContract.create.body.parse({ path, visibility: 'private' })
  await checkNewProject(app, namespace, body).catch(refuse)
  return { visitor, namespace, fullPath: `${namespace.fullPath}/${path}`, body }
}

/**
 * Authorizes a push, or returns the path at which it creates a project first.
 * @throws GitRefusalError, DomainError
 */
export async function admitPush(
  app: App,
  request: FastifyRequest,
  path: string,
): Promise<Admission | FreePath> {
  const visitor = await identifyVisitor(app, request)
  const admission = await admitVisitor(app, visitor, path, 'receive-pack')
  return admission ?? (await findFreePath(app, visitor, path)) ?? refuseHidden(visitor)
}

/** Creates the private project for a push. @throws GitRefusalError 422 */
export async function createByPush(
  app: App,
  { visitor, namespace, fullPath, body }: FreePath,
): Promise<Admission> {
  const user = visitor.git?.user
  if (!user) return refuseHidden(visitor)
  try {
    await createProject(app, user, namespace, body)
  } catch (error) {
    // Two pushes may create the same project: the later one pushes to it.
    const admission = await admitVisitor(app, visitor, fullPath, 'receive-pack')
    return admission ?? refuse(error)
  }
  const admission = await admitVisitor(app, visitor, fullPath, 'receive-pack')
  return admission ?? refuseHidden(visitor)
}

function refuse(error: unknown): never {
  if (!(error instanceof DomainError)) throw error
  const { fields, reasons, message } = error.detail
  const texts = Object.entries(fields ?? {}).map(([field, text]) => `${field} ${text.join(', ')}`)
  const reason = [...texts, ...(reasons ?? []), ...(message ? [message] : [])].join('; ')
  const sentence = reason.replace(/\.$/, '')
  throw new GitRefusalError(422, `The project could not be created: ${sentence}.`)
}
