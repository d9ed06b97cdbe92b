import type { projectsContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { requireTargetNamespace } from '../namespaces/namespace.service.ts'
import { requireUser, requireUserByRef } from '../users/user.service.ts'
import { projectActionHandlers } from './change/project-actions.handlers.ts'
import { deleteProject } from './change/project-delete.service.ts'
import { updateProjectSettings } from './change/project-update.service.ts'
import { createProject } from './create/project-create.service.ts'
import { chooseStorage } from './create/project-storage.ts'
import { loadProjectsPage } from './list/project-list.service.ts'
import { viewProject, viewProjectById } from './project-view.service.ts'

type HandledElsewhere = 'users' | 'share' | 'unshare'

/**
 * Project handlers, except for users and shares, which the slices for members and shares provide.
 */
export const projectsHandlers: Omit<Handlers<typeof projectsContract>, HandledElsewhere> = {
  ...projectActionHandlers,

  list: ({ app, caller, query, page }) =>
    loadProjectsPage(app, caller.facts, { kind: 'anywhere' }, query, page),

  async userProjects({ app, caller, params, query, page }) {
    const user = await requireUserByRef(app, params.user_id)
    return loadProjectsPage(app, caller.facts, { kind: 'user', userId: user.id }, query, page)
  },

  show: ({ app, caller, subject, query }) =>
    viewProject(app, caller.facts, subject.row, {
      statistics: query.statistics,
      customAttributes: query.with_custom_attributes,
    }),

  async create({ app, caller, body }) {
    const creator = requireCaller(caller)
    const namespace = await requireTargetNamespace(app, caller, body.namespace_id)
    const storage = chooseStorage(app, caller.facts, body.repository_storage)
    const id = await createProject(app, creator, namespace, body, storage)
    return viewProjectById(app, caller.facts, id)
  },

  async createForUser({ app, caller, params, body }) {
    const user = await requireUser(app, params.user_id)
    const namespace = await requireTargetNamespace(app, caller, body.namespace_id, user.id)
    const storage = chooseStorage(app, caller.facts, body.repository_storage)
    const id = await createProject(app, user, namespace, body, storage)
    return viewProjectById(app, caller.facts, id)
  },

  async update({ app, caller, subject, body, sent }) {
    await updateProjectSettings(app, caller, subject, body, sent)
    return viewProjectById(app, caller.facts, subject.row.id)
  },

  async delete({ app, caller, subject, headers }) {
    requireUnmodified(headers, subject.row.updatedAt)
    await deleteProject(app, subject.row.id, requireCaller(caller).id)
    return { message: '202 Accepted' }
  },
}
