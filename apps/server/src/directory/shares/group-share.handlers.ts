import type { groupsContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { viewGroupById } from '../groups/group-view.service.ts'
import { shareGroup, unshareGroup } from './group-share.service.ts'

/** Handlers for sharing groups with groups. */
export const groupShareHandlers: Pick<Handlers<typeof groupsContract>, 'share' | 'unshare'> = {
  async share({ app, caller, subject, body }) {
    await shareGroup(app, caller, subject.row, body)
    return viewGroupById(app, caller.facts, subject.row.id)
  },

  unshare: ({ app, subject, params }) =>
    unshareGroup(app, subject.row.id, params.shared_with_group_id),
}
