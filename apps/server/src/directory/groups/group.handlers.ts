import { type groupsContract, notFound } from '@stithy/core'
import { findNamespace } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { requireGroup } from '../groups/group-subject.ts'
import { moveProject } from '../projects/change/project-transfer.service.ts'
import { loadProjectsPage } from '../projects/list/project-list.service.ts'
import { requireProject } from '../projects/project-subject.ts'
import { createGroup } from './group-create.service.ts'
import { deleteGroup } from './group-delete.service.ts'
import { loadGroupsPage } from './group-list.service.ts'
import { updateGroup } from './group-update.service.ts'
import { viewGroup, viewGroupById } from './group-view.service.ts'

/** Group handlers, except for shares, which their slice provides. */
export const groupsHandlers: Omit<Handlers<typeof groupsContract>, 'share' | 'unshare'> = {
  list: ({ app, caller, query, page }) => loadGroupsPage(app, caller.facts, undefined, query, page),

  subgroups: ({ app, caller, subject, query, page }) =>
    loadGroupsPage(app, caller.facts, subject.row.id, query, page),

  projects({ app, caller, subject, query, page }) {
    const scope = {
      kind: 'group',
      groupId: subject.row.id,
      subgroups: query.include_subgroups ?? false,
      shared: query.with_shared ?? true,
    } as const
    return loadProjectsPage(app, caller.facts, scope, query, page)
  },

  show: ({ app, caller, subject, query }) =>
    viewGroup(app, caller.facts, subject.row, {
      customAttributes: query.with_custom_attributes,
      projects: query.with_projects,
    }),

  async create({ app, caller, body }) {
    const id = await createGroup(app, caller, body)
    return viewGroupById(app, caller.facts, id)
  },

  async update({ app, caller, subject, body, sent }) {
    await updateGroup(app, caller, subject.row, body, sent)
    return viewGroupById(app, caller.facts, subject.row.id)
  },

  async delete({ app, caller, subject, headers }) {
    requireUnmodified(headers, subject.row.updatedAt)
    await deleteGroup(app, subject.row.id, requireCaller(caller).id)
    return { message: '202 Accepted' }
  },

  async transferProject({ app, caller, params }) {
    const group = await requireGroup(app, params.id, caller)
    const project = await requireProject(app, params.project_id, caller)
    const target = await findNamespace(app.db, { id: group.row.id })
    if (target === undefined) throw notFound('Group')
    await moveProject(app, project.row, target, caller.facts.userId)
    return viewGroupById(app, caller.facts, group.row.id)
  },
}
