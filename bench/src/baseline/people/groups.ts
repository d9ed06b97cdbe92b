import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readPaging, sendJson, setPageHeaders } from '../answer.ts'
import { createAuthenticate } from '../authenticate.ts'
import { type Context, createCounter } from '../context.ts'
import { accessible, holdingGroups } from '../project-sql.ts'
import { type Viewer, viewerOf } from '../projects.ts'
import { type GroupRow, groupColumns, groupShape, selectGroup, visibleGroups } from './group-sql.ts'

/** A group that the caller can see, with their level. */
export type FoundGroup = GroupRow & { level: number | null }

/** Finds the group in the path of a request; throws if it is not visible. */
export function createFindGroup({ db }: Context) {
  const select = db.prepare<[Viewer & { path: string }], FoundGroup>(selectGroup)
  return (request: FastifyRequest, viewer: Viewer): FoundGroup => {
    const path = (request.params as { id: string }).id.toLowerCase()
    const row = select.get({ ...viewer, path })
    if (row === undefined || (row.level === null && row.visibility === 'private'))
      throw new Error('absent')
    return row
  }
}

type Paged = { limit: number; offset: number }

type List = (
  request: FastifyRequest,
  reply: FastifyReply,
  viewer: Viewer,
  parentId?: number,
  query?: string,
) => unknown

function createList(context: Context, from: string, order: string): List {
  const { db, externalUrl: base } = context
  const select = db.prepare<[Viewer & Paged & { parentId: number }], GroupRow>(
    `select ${groupColumns} ${from} order by ${order}, g.id limit +:limit offset +:offset`,
  )
  const take = db
    .prepare<[Viewer & { parentId: number }], number>(`select count(*) ${from}`)
    .pluck()
  const count = createCounter(
    context,
    ['groups', 'members', 'projects'],
    (userId: number, today: string, parentId: number) => take.get({ userId, today, parentId }) ?? 0,
  )
  return (request, reply, viewer, parentId = 0, query = '') => {
    const paging = readPaging(request.query)
    const limit = paging.perPage
    const offset = (paging.page - 1) * limit
    const rows = select.all({ ...viewer, limit, offset, parentId })
    const total = count(viewer.userId, viewer.today, parentId)
    setPageHeaders(reply, `${base}${request.url.split('?')[0]}`, paging, total, query)
    const body = rows.map((row) => groupShape(row, base))
    return sendJson(request, reply, body)
  }
}

/** `GET /groups`, and the subgroups of one. */
export function registerGroups(server: FastifyInstance, context: Context): void {
  const authenticate = createAuthenticate(context)
  const findGroup = createFindGroup(context)
  const own = createList(
    context,
    `from namespaces g where g.id in (${accessible} union ${holdingGroups})
     and g.kind = 'group' and g."deletedAt" is null`,
    // The caller's groups are few: they are sorted.
    '+g."nameLower"',
  )
  const all = createList(context, visibleGroups, 'g."nameLower"')
  const below = createList(
    context,
    `from namespaces g where g.id in (${accessible} union ${holdingGroups})
     and +g.kind = 'group' and g."deletedAt" is null and g."parentId" = +:parentId`,
    'g."nameLower"',
  )
  server.get('/api/v4/groups', (request, reply) => {
    const viewer = viewerOf(authenticate(request))
    const isAll = (request.query as { all_available?: string }).all_available === 'true'
    return isAll
      ? all(request, reply, viewer, 0, 'all_available=true&')
      : own(request, reply, viewer)
  })
  server.get('/api/v4/groups/:id/subgroups', (request, reply) => {
    const viewer = viewerOf(authenticate(request))
    return below(request, reply, viewer, findGroup(request, viewer).id)
  })
}
