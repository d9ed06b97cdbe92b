import type { projectsContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { loadUsersPage, membersOfProject } from './member-list.service.ts'

/** Lists the members of a project as users. */
export const projectUsersHandlers: Pick<Handlers<typeof projectsContract>, 'users'> = {
  users: ({ app, caller, subject, query, page }) =>
    loadUsersPage(app, membersOfProject(subject, caller), query.search, page),
}
