import type { projectsContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { shareProject, unshareProject } from './project-share.service.ts'

/** Handlers for sharing projects with groups. */
export const projectShareHandlers: Pick<Handlers<typeof projectsContract>, 'share' | 'unshare'> = {
  share: ({ app, caller, subject, body }) => shareProject(app, caller, subject.row, body),

  unshare: ({ app, subject, params }) => unshareProject(app, subject.row.id, params.group_id),
}
