import { DomainError, type projectsContract } from '@stithy/core'
import type { Handlers } from '../../../platform/http/call.ts'
import { requireCaller } from '../../../platform/http/require-caller.ts'
import { viewProjectById } from '../project-view.service.ts'
import { archiveProject } from './project-archive.service.ts'
import { starProject, unstarProject } from './project-star.service.ts'
import { transferProject } from './project-transfer.service.ts'

type Actions = 'star' | 'unstar' | 'archive' | 'unarchive' | 'transfer'

export const projectActionHandlers: Pick<Handlers<typeof projectsContract>, Actions> = {
  async star({ app, caller, subject }) {
    const { id } = subject.row
    const changed = await starProject(app, requireCaller(caller).id, id)
    if (!changed) throw new DomainError('not_modified')
    return viewProjectById(app, caller.facts, id)
  },

  async unstar({ app, caller, subject }) {
    const { id } = subject.row
    const changed = await unstarProject(app, requireCaller(caller).id, id)
    if (!changed) throw new DomainError('not_modified')
    return viewProjectById(app, caller.facts, id)
  },

  async archive({ app, caller, subject }) {
    await archiveProject(app, subject.row, true)
    return viewProjectById(app, caller.facts, subject.row.id)
  },

  async unarchive({ app, caller, subject }) {
    await archiveProject(app, subject.row, false)
    return viewProjectById(app, caller.facts, subject.row.id)
  },

  async transfer({ app, caller, subject, body }) {
    await transferProject(app, caller, subject.row, body.namespace)
    return viewProjectById(app, caller.facts, subject.row.id)
  },
}
