import { forbidden, type TodoAction, type TodoState, type todosContract } from '@stithy/core'
import { finishTodosByFilter, listTodos, type TodoFilter } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { tierAllows } from '../../platform/config/config.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { markTodo, markTodoAsDone, todoOwner } from './todo-mark.service.ts'
import { viewTodos } from './todo-views.service.ts'

export const todoHandlers: Handlers<typeof todosContract> = {
  async list({ app, caller, query, page }) {
    const found = await listTodos(app.db, todoOwner(app, caller), filterOf(app, query), page)
    return { ...found, items: await viewTodos(app, caller, found.items, query) }
  },

  async markAsDone({ app, caller, subject }) {
    return markTodoAsDone(app, caller, subject.id)
  },

  async markAllAsDone({ app, caller, body }) {
    const { id } = requireCaller(caller)
    const filter = filterOf(app, body)
    await app.db.transaction((tx) => finishTodosByFilter(tx, id, filter, app.now()))
    return undefined
  },

  async addForMergeRequest({ app, caller, subject }) {
    return markTodo(app, caller, subject)
  },

  async addForEpic({ app, caller, subject }) {
    return markTodo(app, caller, subject)
  },
}

const targetTypes = {
  Issue: 'issue',
  MergeRequest: 'merge_request',
  Epic: 'epic',
  Project: 'project',
  Namespace: 'group',
} as const

interface FilterParameters {
  action?: TodoAction | undefined
  author_id?: number | undefined
  project_id?: number | undefined
  group_id?: number | undefined
  state?: TodoState | undefined
  type?: keyof typeof targetTypes | undefined
}

/** @throws DomainError `forbidden` for epics in a tier without them. */
function filterOf(app: App, parameters: FilterParameters): TodoFilter {
  if (parameters.type === 'Epic' && !tierAllows(app.config.tier, 'premium')) throw forbidden()
  return {
    state: parameters.state ?? 'pending',
    action: parameters.action,
    authorId: parameters.author_id,
    projectId: parameters.project_id,
    groupId: parameters.group_id,
    targetType: parameters.type && targetTypes[parameters.type],
  }
}
