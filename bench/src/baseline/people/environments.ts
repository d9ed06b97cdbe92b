import type { FastifyInstance } from 'fastify'
import { createAuthenticate } from '../authenticate.ts'
import type { Context } from '../context.ts'
import { createFind, viewerOf } from '../projects.ts'
import { createList, type UserColumns } from './list.ts'

interface EnvironmentColumns {
  id: number
  name: string
  slug: string
  externalUrl: string | null
  state: string
}

/** Environments and deployments of a project. */
export function registerEnvironments(server: FastifyInstance, context: Context): void {
  const authenticate = createAuthenticate(context)
  const findProject = createFind(context)
  const list = createList<EnvironmentColumns>(
    context,
    'e.id, e.name, e.slug, e."externalUrl", e.state',
    'from environments e where e."projectId" = +:projectId',
    'e.id',
  )
  server.get('/api/v4/projects/:id/environments', (request, reply) => {
    const viewer = viewerOf(authenticate(request))
    const { id: projectId } = findProject(viewer, Number((request.params as { id: string }).id))
    return list(request, reply, { projectId }, ({ state, externalUrl, ...row }) => ({
      ...row,
      external_url: externalUrl,
      state,
    }))
  })
  registerDeployments(server, context)
}

interface DeploymentColumns extends EnvironmentColumns, UserColumns {
  environmentId: number
  iid: number
  ref: string
  sha: string
  status: string
  userId: number
  createdAt: number
  updatedAt: number
  userName: string
}

function registerDeployments(server: FastifyInstance, context: Context): void {
  const { externalUrl } = context
  const authenticate = createAuthenticate(context)
  const findProject = createFind(context)
  const list = createList<DeploymentColumns>(
    context,
    `d.id, d.iid, d.ref, d.sha, d.status, d."createdAt", d."updatedAt", d."userId",
     d."environmentId", e.name, e.slug, e."externalUrl", u.name as "userName", u.username, u.state`,
    `from deployments d join environments e on e.id = d."environmentId"
     join users u on u.id = d."userId" where d."projectId" = +:projectId`,
    'd.id',
  )
  const text = (when: number) => new Date(when).toISOString()
  server.get('/api/v4/projects/:id/deployments', (request, reply) => {
    const viewer = viewerOf(authenticate(request))
    const { id: projectId } = findProject(viewer, Number((request.params as { id: string }).id))
    return list(request, reply, { projectId }, (row) => ({
      id: row.id,
      iid: row.iid,
      ref: row.ref,
      sha: row.sha,
      status: row.status,
      created_at: text(row.createdAt),
      updated_at: text(row.updatedAt),
      user: {
        id: row.userId,
        name: row.userName,
        username: row.username,
        state: row.state,
        avatar_url: null,
        web_url: `${externalUrl}/${row.username}`,
      },
      deployable: null,
      environment: {
        id: row.environmentId,
        name: row.name,
        slug: row.slug,
        external_url: row.externalUrl,
      },
    }))
  })
}
