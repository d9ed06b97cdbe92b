import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readPaging, sendJson, setPageHeaders } from './answer.ts'
import { createAuthenticate } from './authenticate.ts'
import { type Context, createCounter } from './context.ts'
import type { ItemRow, Label, Milestone, Person, RelatedRows } from './item-shape.ts'
import {
  type ItemSql,
  type ItemTable,
  type ListSql,
  selectItems,
  selectSubscribed,
} from './item-sql.ts'
import { isVisible, levelOf } from './project-shape.ts'
import { createFind, viewerOf } from './projects.ts'

/** A kind of items with its lists. */
export interface ItemKind<R extends ItemRow> {
  /** The last part of the paths. */
  path: string
  table: ItemTable
  sql: ItemSql
  shape: (row: R, related: RelatedRows) => Record<string, unknown>
  /** The shape of search results, where the search of a project is measured. */
  foundShape?: (row: R, related: RelatedRows) => Record<string, unknown>
  /** Users of a row besides the author, who closed it and the assignees. */
  people?: (row: R) => (number | null)[]
}

interface Args {
  userId: number
  today: string
  projectId: number
  groupId: number
  value: string | number
}

type Query = Readonly<Record<string, string | undefined>>

/** Lists of items for a member with the Reporter level. */
export function registerItems<R extends ItemRow>(
  server: FastifyInstance,
  context: Context,
  kind: ItemKind<R>,
): void {
  const { externalUrl } = context
  const authenticate = createAuthenticate(context)
  const findProject = createFind(context)
  const findGroup = createFindGroup(context)
  const findRelated = createFindRelated(context, kind)
  const { projectLists, wideLists } = kind.sql
  const lists = new Map<ListSql, ReturnType<typeof createList<R>>>()
  const listOf = (sql: ListSql) => {
    const known = lists.get(sql) ?? createList(context, kind, sql)
    lists.set(sql, known)
    return known
  }
  function answer(request: FastifyRequest, reply: FastifyReply, sql: ListSql, args: Args): unknown {
    const paging = readPaging(request.query)
    const { rows, total } = listOf(sql)(args, paging)
    const [path = '', rest = ''] = request.url.split('?')
    const query = rest === '' ? '' : `${rest}&`
    setPageHeaders(reply, externalUrl + path, paging, total, query)
    const details = (request.query as Query).with_labels_details === 'true'
    const related = { ...findRelated(rows, args.userId), details, base: externalUrl }
    const shape = (path.endsWith('/search') && kind.foundShape) || kind.shape
    const items = rows.map((row) => shape(row, related))
    return sendJson(request, reply, items)
  }
  const none = { projectId: 0, groupId: 0, value: '' }
  server.get(`/api/v4/${kind.path}`, (request, reply) => {
    const viewer = viewerOf(authenticate(request))
    const isAll = (request.query as Query).scope === 'all'
    return answer(request, reply, isAll ? wideLists.all : wideLists.mine, { ...none, ...viewer })
  })
  server.get(`/api/v4/groups/:id/${kind.path}`, (request, reply) => {
    const viewer = viewerOf(authenticate(request))
    const groupId = findGroup(Number((request.params as { id: string }).id))
    return answer(request, reply, wideLists.group, { ...none, ...viewer, groupId })
  })
  const answerInProject = (request: FastifyRequest, reply: FastifyReply) => {
    const viewer = viewerOf(authenticate(request))
    const project = findProject(viewer, Number((request.params as { id: string }).id))
    if (!isVisible(project, levelOf(project, viewer.userId))) throw new Error('absent')
    const { sql, value } = chosen(projectLists, request.query as Query)
    return answer(request, reply, sql, { ...none, ...viewer, projectId: project.id, value })
  }
  server.get(`/api/v4/projects/:id/${kind.path}`, answerInProject)
  if (kind.foundShape !== undefined) server.get('/api/v4/projects/:id/search', answerInProject)
}

/** The list of the one filter in the query, and its value. */
function chosen(
  projectLists: ItemSql['projectLists'],
  query: Query,
): { sql: ListSql; value: string | number } {
  const [[name, value = ''] = ['', '']] = Object.entries(query)
  const special = name === 'search' && value === 'server' ? (query.in ?? 'many') : undefined
  const sql =
    projectLists[special === undefined ? `${name}=${value}` : `search|${special}`] ??
    projectLists[name]
  if (sql === undefined) throw new Error(`no list by ${name}`)
  return { sql, value: read(name, value) }
}

function read(name: string, value: string): string | number {
  if (/_(after|before)$/.test(name)) return Date.parse(`${value}T00:00:00Z`)
  if (name === 'iids') return `[${value}]`
  return /^\d+$/.test(value) ? Number(value) : value
}

function createList<R extends ItemRow>(
  context: Context,
  { table }: ItemKind<R>,
  { page, count: counted, order }: ListSql,
) {
  const select = context.db.prepare<[Args & { limit: number; offset: number }], R>(
    selectItems(table, page, order),
  )
  const take = context.db.prepare<[Args], number>(`select count(*) from ${counted}`).pluck()
  const count = createCounter(context, table.items, (args: string) => {
    return take.get(JSON.parse(args) as Args) ?? 0
  })
  return (args: Args, { page: number, perPage }: { page: number; perPage: number }) => ({
    rows: select.all({ ...args, limit: perPage, offset: (number - 1) * perPage }),
    total: count(JSON.stringify(args)),
  })
}

function createFindGroup({ db }: Context): (id: number) => number {
  const select = db
    .prepare<[number], number>(
      `select id from namespaces where id = +? and kind = 'group' and visibility = 'public'
       and "deletedAt" is null`,
    )
    .pluck()
  return (id) => {
    const found = select.get(id)
    if (found === undefined) throw new Error('absent')
    return found
  }
}

/** Finds the related rows of the items of a page, with five queries. */
export function createFindRelated<R extends ItemRow>(
  { db }: Context,
  { table, people: involved = () => [] }: Pick<ItemKind<R>, 'table' | 'people'>,
) {
  const { assignees: holding, assigned: item, type } = table
  const among = (column: string) => `${column} in (select value from json_each(+?))`
  const assigned = db.prepare<[string], { id: number; userId: number }>(
    `select "${item}" as id, "userId" from "${holding}" where ${among(`"${item}"`)}
     order by "${item}", position`,
  )
  const worn = db.prepare<[string], Label & { targetId: number }>(
    `select l.id, l.title, l.color, l.description, k."targetId" from "labelLinks" k
     join labels l on l.id = k."labelId" where k."targetType" = '${type}' and ${among('k."targetId"')}
     order by l.title, l.id`,
  )
  const goals = db.prepare<[string], Milestone>(
    `select m.*, p."fullPath" from milestones m join projects p on p.id = m."projectId"
     where ${among('m.id')}`,
  )
  const users = db.prepare<[string], Person>(
    `select id, name, username, state, avatar from users where ${among('id')}`,
  )
  const subscriptions = db
    .prepare<[{ ids: string; userId: number }], number>(selectSubscribed(table))
    .pluck()
  return (rows: readonly R[], userId: number): Omit<RelatedRows, 'details' | 'base'> => {
    const ids = JSON.stringify(rows.map((row) => row.id))
    const holders = assigned.all(ids)
    const assignees = new Map<number, number[]>()
    for (const { id, userId: holder } of holders) {
      const known = assignees.get(id)
      if (known === undefined) assignees.set(id, [holder])
      else known.push(holder)
    }
    const people = new Set(holders.map((holder) => holder.userId))
    for (const row of rows) {
      for (const id of [row.authorId, row.closedById, ...involved(row)]) {
        if (id !== null) people.add(id)
      }
    }
    const milestones = goals.all(JSON.stringify(rows.flatMap((row) => row.milestoneId ?? [])))
    return {
      assignees,
      labels: Map.groupBy(worn.all(ids), (label) => label.targetId),
      subscribed: new Set(subscriptions.all({ ids, userId })),
      milestones: new Map(milestones.map((milestone) => [milestone.id, milestone])),
      people: new Map(users.all(JSON.stringify([...people])).map((one) => [one.id, one])),
    }
  }
}
