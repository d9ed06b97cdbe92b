import { type BodyOf, DomainError, projectsContract } from '@stithy/core'
import { findNamespace, type NamespaceRow } from '@stithy/store'
import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { mayCreateProjectsIn } from '../namespaces/namespace.service.ts'
import { checkNewProject, createProject } from '../projects/create/project-create.service.ts'
import {
  type Admission,
  admitVisitor,
  type GitVisitor,
  identifyVisitor,
  refuseHidden,
} from './git-access.ts'
import { GitRefusalError } from './git-refusal.ts'

/** A place without a project, in which a push may make one. */
export interface FreePlace {
  visitor: GitVisitor
  namespace: NamespaceRow
  fullPath: string
  /** What the project is to be. */
  body: BodyOf<typeof projectsContract.create>
}

/**
 * The place of an unknown path, where the visitor may push and may create projects; undefined elsewhere.
 * @throws GitRefusalError 422 where no project can have this path, or there is no room for one
 */
async function findFreePlace(
  app: App,
  visitor: GitVisitor,
  fullPath: string,
): Promise<FreePlace | undefined> {
  const { git, caller } = visitor
  const [, parent, path] = /^(.+)\/([^/]+)$/.exec(fullPath) ?? []
  if (!git?.user || !git.canWrite || parent === undefined || path === undefined) return undefined
  // The repository of a wiki, which comes with its project.
  if (path.endsWith('.wiki')) return undefined
  const namespace = await findNamespace(app.db, { fullPathLower: parent.toLowerCase() })
  if (!namespace || !(await mayCreateProjectsIn(app, caller, namespace))) return undefined
  const body = projectsContract.create.body.parse({ path, visibility: 'private' })
  await checkNewProject(app, namespace, body).catch(refuse)
  return { visitor, namespace, fullPath: `${namespace.fullPath}/${path}`, body }
}

/**
 * Lets somebody in who pushes, or gives the place where the push makes a project first.
 * @throws GitRefusalError, DomainError
 */
export async function admitPush(
  app: App,
  request: FastifyRequest,
  path: string,
): Promise<Admission | FreePlace> {
  const visitor = await identifyVisitor(app, request)
  const admission = await admitVisitor(app, visitor, path, 'receive-pack')
  return admission ?? (await findFreePlace(app, visitor, path)) ?? refuseHidden(visitor)
}

/** Makes the project, private, for the push that follows. @throws GitRefusalError 422 */
export async function createByPush(
  app: App,
  { visitor, namespace, fullPath, body }: FreePlace,
): Promise<Admission> {
  const user = visitor.git?.user
  if (!user) return refuseHidden(visitor)
  try {
    await createProject(app, user, namespace, body)
  } catch (error) {
    // Two pushes may make the same project: the one that comes too late pushes to it.
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
