import { DomainError, type projectsContract } from '@stithy/core'
import type { Handlers } from '../../http/call.ts'
import { viewProjectById } from '../project-view.service.ts'
import { requireCaller } from '../require-caller.ts'
import { shareProject, unshareProject } from '../sharing/project-share.service.ts'
import { archiveProject } from './project-archive.service.ts'
import { starProject, unstarProject } from './project-star.service.ts'
import { transferProject } from './project-transfer.service.ts'

type Actions = 'star' | 'unstar' | 'archive' | 'unarchive' | 'share' | 'unshare' | 'transfer'

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

  share: ({ app, caller, subject, body }) => shareProject(app, caller, subject.row, body),

  unshare: ({ app, subject, params }) => unshareProject(app, subject.row.id, params.group_id),

  async transfer({ app, caller, subject, body }) {
    await transferProject(app, caller, subject.row, body.namespace)
    return viewProjectById(app, caller.facts, subject.row.id)
  },
}
