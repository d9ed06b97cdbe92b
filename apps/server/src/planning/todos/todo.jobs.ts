import { anonymous } from '@stithy/core'
import {
  deleteHiddenTodos,
  deleteTodosOf,
  findIssuesById,
  findUser,
  listIssueAssignees,
  listTodoUsers,
} from '@stithy/store'
import { loadProject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { filterReaders } from '../items/readers.service.ts'
import { LostAccess, removeHiddenTodosKind } from './lost-access.service.ts'
import { todoTarget } from './todo.service.ts'

const batchSize = 500

/** Removes todos whose target their users can no longer read. */
export const removeHiddenTodosJob: JobHandler = {
  kind: removeHiddenTodosKind,
  async run(app, payload, signal) {
    const lost = LostAccess.parse(payload)
    if ('userId' in lost) await removeOfUser(app, lost.userId, signal)
    else await removeOfIssue(app, lost.issueId)
  },
}

async function removeOfUser(app: App, userId: number, signal: AbortSignal): Promise<void> {
  const user = await findUser(app.db, userId)
  if (user === undefined) return
  const caller = { userId, admin: user.admin === 1, external: user.external === 1 }
  const owner = { caller, today: dayOf(app.now()) }
  for (let removed = batchSize; removed === batchSize; ) {
    signal.throwIfAborted()
    removed = await app.db.transaction((tx) => deleteHiddenTodos(tx, owner, batchSize))
  }
}

async function removeOfIssue(app: App, issueId: number): Promise<void> {
  const [row] = await findIssuesById(app.db, [issueId])
  const project = row && (await loadProject(app, String(row.projectId), { facts: anonymous }))
  if (row === undefined || project === undefined) return
  const assignees = await listIssueAssignees(app.db, [issueId])
  const assigneeIds = assignees.map(({ userId }) => userId)
  const item = { type: 'issue', row, project, assigneeIds } as const
  const target = todoTarget(item)
  if (target === undefined) return
  const users = await listTodoUsers(app.db, target)
  const readers = await filterReaders(app, item, users)
  const userIds = users.filter((id) => !readers.has(id))
  await app.db.transaction((tx) => deleteTodosOf(tx, { target, userIds }))
}
