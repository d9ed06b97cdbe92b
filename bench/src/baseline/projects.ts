import type { FastifyInstance } from 'fastify'
import { readPaging, sendJson, setPageHeaders } from './answer.ts'
import { createAuthenticate } from './authenticate.ts'
import { type Context, createCounter } from './context.ts'
import { fullShape, isVisible, levelOf, simpleShape } from './project-shape.ts'
import {
  type ProjectRow,
  type ShareRow,
  selectProjects,
  selectShares,
  visibleProjects,
} from './project-sql.ts'

export interface Viewer {
  userId: number
  /** `YYYY-MM-DD` */
  today: string
}

/** The user and the current date. */
export function viewerOf(user: { id: number }): Viewer {
  return { userId: user.id, today: new Date().toISOString().slice(0, 10) }
}

/** `GET /projects` and `GET /projects/:id` for a user who is not an administrator. */
export function registerProjects(server: FastifyInstance, context: Context): void {
  const { externalUrl } = context
  const authenticate = createAuthenticate(context)
  const list = createList(context)
  const find = createFind(context)
  const present = createPresent(context)
  server.get('/api/v4/projects', (request, reply) => {
    const viewer = viewerOf(authenticate(request))
    const paging = readPaging(request.query)
    const { rows, total } = list(viewer, paging)
    setPageHeaders(reply, `${externalUrl}/api/v4/projects`, paging, total)
    return sendJson(request, reply, present(rows, viewer))
  })
  server.get('/api/v4/projects/:id', (request, reply) => {
    const viewer = viewerOf(authenticate(request))
    const row = find(viewer, Number((request.params as { id: string }).id))
    const [body] = present([row], viewer)
    return sendJson(request, reply, body)
  })
}

function createList(context: Context) {
  const { db } = context
  const select = db.prepare<[Viewer & { limit: number; offset: number }], ProjectRow>(
    `${selectProjects} where ${visibleProjects}
     order by p."createdAt" desc, p.id desc limit +:limit offset +:offset`,
  )
  const take = db
    .prepare<[Viewer], number>(`select count(*) from projects p where ${visibleProjects}`)
    .pluck()
  const count = createCounter(context, 'projects', (userId: number, today: string) => {
    return take.get({ userId, today }) ?? 0
  })
  return (viewer: Viewer, { page, perPage }: { page: number; perPage: number }) => ({
    rows: select.all({ ...viewer, limit: perPage, offset: (page - 1) * perPage }),
    total: count(viewer.userId, viewer.today),
  })
}

/** Finds a project that the viewer may see; throws if there is none. */
export function createFind({ db }: Context): (viewer: Viewer, id: number) => ProjectRow {
  const select = db.prepare<[Viewer & { id: number }], ProjectRow>(
    `${selectProjects} where p.id = +:id and p."deletedAt" is null`,
  )
  return (viewer, id) => {
    const row = select.get({ ...viewer, id })
    if (row === undefined || !isVisible(row, levelOf(row, viewer.userId))) throw new Error('absent')
    return row
  }
}

/** Converts rows to the full shape, with at most two more queries. */
export function createPresent({ db, externalUrl: base }: Context) {
  const host = new URL(base).hostname
  const shares = db.prepare<[Viewer & { ids: string }], ShareRow>(selectShares)
  const sources = db.prepare<[Viewer & { ids: string }], ProjectRow>(
    `${selectProjects} where p.id in (select value from json_each(+:ids)) and p."deletedAt" is null`,
  )
  return (rows: readonly ProjectRow[], viewer: Viewer) => {
    const ids = JSON.stringify(rows.map(({ id }) => id))
    const shared = Map.groupBy(shares.all({ ...viewer, ids }), (row) => row.projectId)
    const sourceIds = rows.flatMap((row) => row.forkedFromProjectId ?? [])
    const found =
      sourceIds.length === 0 ? [] : sources.all({ ...viewer, ids: JSON.stringify(sourceIds) })
    const origins = new Map(found.map((row) => [row.id, row]))
    return rows.map((row) => {
      const origin = origins.get(row.forkedFromProjectId ?? 0)
      const originLevel = origin === undefined ? 0 : levelOf(origin, viewer.userId)
      const visible = origin !== undefined && isVisible(origin, originLevel)
      return fullShape({
        row,
        level: levelOf(row, viewer.userId),
        shares: shared.get(row.id) ?? [],
        source: visible ? simpleShape(origin, originLevel, base, host) : undefined,
        base,
        host,
      })
    })
  }
}
