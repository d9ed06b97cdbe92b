import { forbidden, type TodoAction, type TodoState, type todosContract } from '@stithy/core'
import { finishTodosBy, listTodos, type TodoFilter } from '@stithy/store'
import type { App } from '../app.ts'
import { tierAllows } from '../config/config.ts'
import { requireEpicByNumber } from '../epics/epic-found.ts'
import type { Handlers } from '../http/call.ts'
import { requireMergeRequest } from '../merge-requests/merge-request-found.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { markTodo, markTodoAsDone, todoOwner } from './todo-mark.service.ts'
import { viewTodos } from './todo-views.service.ts'

export const todoHandlers: Handlers<typeof todosContract> = {
  async list({ app, caller, query, page }) {
    const found = await listTodos(app.db, todoOwner(app, caller), filterOf(app, query), page)
    return { ...found, items: await viewTodos(app, caller, found.items) }
  },

  async markAsDone({ app, caller, params }) {
    return markTodoAsDone(app, caller, params.todo_id)
  },

  async markAllAsDone({ app, caller, body }) {
    const { id } = requireCaller(caller)
    const filter = filterOf(app, body)
    await app.db.transaction((tx) => finishTodosBy(tx, id, filter, app.now()))
    return undefined
  },

  async addForMergeRequest({ app, caller, subject, params }) {
    const item = await requireMergeRequest(app, caller, subject, params.merge_request_iid)
    return markTodo(app, caller, item)
  },

  async addForEpic({ app, caller, subject, params }) {
    return markTodo(app, caller, await requireEpicByNumber(app, subject, params.epic_iid))
  },
}

const targetTypes = { Issue: 'issue', MergeRequest: 'merge_request', Epic: 'epic' } as const

interface AskedFilter {
  action?: TodoAction | undefined
  author_id?: number | undefined
  project_id?: number | undefined
  group_id?: number | undefined
  state?: TodoState | undefined
  type?: keyof typeof targetTypes | undefined
}

/** @throws DomainError `forbidden` for epics in a tier without them. */
function filterOf(app: App, asked: AskedFilter): TodoFilter {
  if (asked.type === 'Epic' && !tierAllows(app.config.tier, 'premium')) throw forbidden()
  return {
    state: asked.state ?? 'pending',
    action: asked.action,
    authorId: asked.author_id,
    projectId: asked.project_id,
    groupId: asked.group_id,
    targetType: asked.type && targetTypes[asked.type],
  }
}
