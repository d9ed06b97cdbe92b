import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { FastifyInstance } from 'fastify'
import { sendJson } from './answer.ts'
import { createAuthenticate } from './authenticate.ts'
import type { Context } from './context.ts'
import { issueShape } from './issue-shape.ts'
import type { IssueRow } from './issue-sql.ts'
import { issueKind } from './issues.ts'
import { createFindRelated } from './items.ts'
import { createFind, viewerOf } from './projects.ts'

interface Creation {
  title: string
  description: string
  /** Titles, separated by commas. */
  labels: string
  assignee_ids: number[]
}

/**
 * `POST /projects/:id/issues` with labels, assignees, todos, an event and a webhook, in one
 * transaction.
 */
export function registerIssueCreation(server: FastifyInstance, context: Context): void {
  const authenticate = createAuthenticate(context)
  const findProject = createFind(context)
  const findRelated = createFindRelated(context, issueKind)
  const write = createWrite(context)
  const base = context.externalUrl
  server.post('/api/v4/projects/:id/issues', (request, reply) => {
    const user = authenticate(request)
    const project = findProject(viewerOf(user), Number((request.params as { id: string }).id))
    const row = write(user.id, project, request.body as Creation)
    const related = { ...findRelated([row], user.id), details: false, base }
    return sendJson(request, reply.code(201), issueShape(row, related))
  })
}

interface Parent {
  id: number
  fullPath: string
}

function createWrite({ folder }: Context) {
  const db = new Sqlite(join(folder, 'stithy.db'))
  const { BENCH_SYNCHRONOUS: synchronous = 'normal' } = process.env
  for (const pragma of [
    `synchronous = ${synchronous}`,
    'foreign_keys = on',
    'temp_store = memory',
  ]) {
    db.pragma(pragma)
  }
  const findLabels = db.prepare<[number, string], { id: number }>(
    `select id from labels where "projectId" = +? and title in (select value from json_each(+?))`,
  )
  const next = db
    .prepare<[string], number>(
      `insert into counters (name, value) values (+?, 1)
       on conflict (name) do update set value = counters.value + 1 returning value`,
    )
    .pluck()
  const insertIssue = db.prepare<unknown[], IssueRow>(
    `insert into issues ("projectId", iid, "authorId", title, description, "labelCount",
       "assigneeCount", "createdAt", "updatedAt")
     values (+?, +?, +?, +?, +?, +?, +?, +?, +?) returning *`,
  )
  const attach = createAttachments(db)
  return db.transaction((authorId: number, { id: projectId, fullPath }: Parent, body: Creation) => {
    const at = Date.now()
    const titles = JSON.stringify(body.labels.split(','))
    const labelIds = findLabels.all(projectId, titles).map(({ id }) => id)
    const iid = next.get(`iid.issues.${projectId}`)
    const counts = [labelIds.length, body.assignee_ids.length]
    const texts = [body.title, body.description]
    const row = insertIssue.get(projectId, iid, authorId, ...texts, ...counts, at, at)
    if (row === undefined) throw new Error('nothing was inserted')
    attach(row, labelIds, body.assignee_ids)
    return { ...row, fullPath }
  }).immediate
}

type Insert = (table: string, ...columns: string[]) => Sqlite.Statement<unknown[]>

/** The rows that belong to an issue. */
function createAttachments(db: Sqlite.Database) {
  const insert: Insert = (table, ...columns) =>
    db.prepare<unknown[]>(
      `insert into "${table}" (${columns.map((column) => `"${column}"`).join(', ')})
       values (${columns.map(() => '+?').join(', ')})`,
    )
  const addLabels = createLabelling(insert)
  const assign = createAssignment(insert)
  const record = createRecord(insert)
  const touch = db.prepare('update stamps set version = version + 1 where name = +?')
  const count = db.prepare(
    'update projects set "openIssuesCount" = "openIssuesCount" + 1 where id = +?',
  )
  const active = db.prepare(
    'update projects set "lastActivityAt" = +? where id = +? and "lastActivityAt" <= +?',
  )
  return (row: IssueRow, labelIds: readonly number[], assigneeIds: readonly number[]): void => {
    const { projectId, createdAt: at } = row
    addLabels(row, labelIds)
    assign(row, assigneeIds)
    record(row)
    active.run(at, projectId, at - 3_600_000)
    count.run(projectId)
    for (const stamp of ['events', 'issues']) touch.run(stamp)
  }
}

function createLabelling(insert: Insert) {
  const link = insert('labelLinks', 'targetType', 'targetId', 'labelId', 'projectId', 'createdAt')
  const note = insert(
    'labelEvents',
    ...['targetType', 'targetId', 'projectId', 'labelId', 'userId', 'action', 'createdAt'],
  )
  return ({ id, projectId, authorId, createdAt: at }: IssueRow, labelIds: readonly number[]) => {
    for (const labelId of labelIds) link.run('issue', id, labelId, projectId, at)
    for (const labelId of labelIds) note.run('issue', id, projectId, labelId, authorId, 'add', at)
  }
}

function createAssignment(insert: Insert) {
  const assign = insert('issueAssignees', 'issueId', 'userId', 'position', 'createdAt')
  const todo = insert(
    'todos',
    ...['userId', 'authorId', 'projectId', 'targetType', 'targetId', 'action'],
    ...['createdAt', 'updatedAt'],
  )
  return ({ id, projectId, authorId, createdAt: at }: IssueRow, userIds: readonly number[]) => {
    for (const [position, userId] of userIds.entries()) {
      assign.run(id, userId, position, at)
      todo.run(userId, authorId, projectId, 'issue', id, 'assigned', at, at)
    }
  }
}

/** The activity event, and the job that delivers it to webhooks. */
function createRecord(insert: Insert) {
  const event = insert(
    'events',
    ...['projectId', 'authorId', 'action', 'targetType', 'targetId', 'targetIid', 'targetTitle'],
    'createdAt',
  )
  const job = insert('jobs', 'queue', 'kind', 'payload', 'maxAttempts', 'runAt', 'createdAt')
  return (row: IssueRow) => {
    const { id, projectId, authorId, iid, title, createdAt: at } = row
    event.run(projectId, authorId, 'created', 'issue', id, iid, title, at)
    const source = { issue: { row, action: 'open', userId: authorId } }
    const payload = JSON.stringify({ key: randomUUID(), projectId, event: 'issue', at, source })
    job.run('unread', 'webhooks.event', payload, 10, at, at)
  }
}
