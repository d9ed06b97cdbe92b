import type { FastifyInstance } from 'fastify'
import { createAuthenticate } from '../authenticate.ts'
import type { Context } from '../context.ts'
import { createFind, viewerOf } from '../projects.ts'
import { registerEnvironments } from './environments.ts'
import { createFindGroup } from './groups.ts'
import { createList, type UserColumns } from './list.ts'

const text = (when: number) => new Date(when).toISOString()

/** Keys, addresses, access requests, badges, environments with deployments, and starrers. */
export function registerSmallLists(server: FastifyInstance, context: Context): void {
  registerOwn(server, context)
  registerRequests(server, context)
  registerBadges(server, context)
  registerEnvironments(server, context)
  registerStarrers(server, context)
}

function registerOwn(server: FastifyInstance, context: Context): void {
  const authenticate = createAuthenticate(context)
  const keys = createList<{
    id: number
    title: string
    key: string
    createdAt: number
    expiresOn: string | null
  }>(
    context,
    'id, title, key, "createdAt", "expiresOn"',
    'from "sshKeys" where "userId" = +:userId',
    'id',
  )
  server.get('/api/v4/user/keys', (request, reply) =>
    keys(request, reply, { userId: authenticate(request).id }, (row) => ({
      id: row.id,
      title: row.title,
      key: row.key,
      created_at: text(row.createdAt),
      expires_at: row.expiresOn,
    })),
  )
  const emails = createList<{ id: number; email: string }>(
    context,
    'id, email',
    `from emails where "userId" = +:userId and kind = 'secondary'`,
    'id',
  )
  server.get('/api/v4/user/emails', (request, reply) =>
    emails(request, reply, { userId: authenticate(request).id }, ({ id, email }) => ({
      id,
      email,
    })),
  )
}

function registerRequests(server: FastifyInstance, context: Context): void {
  const authenticate = createAuthenticate(context)
  const findGroup = createFindGroup(context)
  const list = createList<UserColumns & { createdAt: number }>(
    context,
    'u.id, u.name, u.username, u.state, r."createdAt"',
    `from "accessRequests" r join users u on u.id = r."userId"
     where r."sourceKind" = 'group' and r."sourceId" = +:sourceId`,
    'r.id',
  )
  server.get('/api/v4/groups/:id/access_requests', (request, reply) => {
    const viewer = viewerOf(authenticate(request))
    const group = findGroup(request, viewer)
    if (group.level !== 50) throw new Error('forbidden')
    return list(
      request,
      reply,
      { sourceId: group.id },
      ({ id, username, name, state, createdAt }) => ({
        id,
        username,
        name,
        state,
        created_at: text(createdAt),
        requested_at: text(createdAt),
      }),
    )
  })
}

interface BadgeColumns {
  id: number
  linkUrl: string
  imageUrl: string
  projectId: number | null
}

function registerBadges(server: FastifyInstance, context: Context): void {
  const authenticate = createAuthenticate(context)
  const findProject = createFind(context)
  const list = createList<BadgeColumns>(
    context,
    'b.id, b."linkUrl", b."imageUrl", b."projectId"',
    `from badges b where b."projectId" = +:projectId or b."groupId" in (
       select "ancestorId" from "namespaceAncestors" where "descendantId" = +:namespaceId)`,
    'b.id',
  )
  server.get('/api/v4/projects/:id/badges', (request, reply) => {
    const viewer = viewerOf(authenticate(request))
    const project = findProject(viewer, Number((request.params as { id: string }).id))
    const render = (url: string) => url.replaceAll('%{project_path}', project.fullPath)
    const { id: projectId, namespaceId } = project
    return list(request, reply, { projectId, namespaceId }, (row) => ({
      id: row.id,
      link_url: row.linkUrl,
      image_url: row.imageUrl,
      rendered_link_url: render(row.linkUrl),
      rendered_image_url: render(row.imageUrl),
      kind: row.projectId === null ? 'group' : 'project',
    }))
  })
}

function registerStarrers(server: FastifyInstance, context: Context): void {
  const { externalUrl } = context
  const authenticate = createAuthenticate(context)
  const findProject = createFind(context)
  const list = createList<UserColumns & { createdAt: number }>(
    context,
    'u.id, u.name, u.username, u.state, s."createdAt"',
    `from stars s join users u on u.id = s."userId" where s."projectId" = +:projectId
     and u.state = 'active' and (u."privateProfile" = 0 or u.id = +:userId)`,
    's."createdAt" desc, s."userId" desc',
  )
  server.get('/api/v4/projects/:id/starrers', (request, reply) => {
    const viewer = viewerOf(authenticate(request))
    const { id: projectId } = findProject(viewer, Number((request.params as { id: string }).id))
    return list(
      request,
      reply,
      { projectId, userId: viewer.userId },
      ({ id, name, username, state, createdAt }) => ({
        starred_since: text(createdAt),
        user: {
          id,
          name,
          username,
          state,
          avatar_url: null,
          web_url: `${externalUrl}/${username}`,
        },
      }),
    )
  })
}
