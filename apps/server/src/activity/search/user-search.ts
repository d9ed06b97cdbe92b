import type { UserRef } from '@stithy/core'
import { listUsers, type Page } from '@stithy/store'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import {
  loadUsersPage,
  membersOfGroup,
  membersOfProject,
} from '../../directory/members/member-list.service.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import { presentUserRef } from '../../directory/users/user.presenter.ts'
import { userFilter } from '../../directory/users/user-list.service.ts'
import type { SearchRequest } from './search-request.ts'

/** All users, by what `GET /users?search=` finds them by. */
export async function searchUsers({
  app,
  caller,
  query,
  page,
}: SearchRequest): Promise<Page<UserRef>> {
  const { search } = query
  const rows = await listUsers(app.db, userFilter(caller.facts, { search }), page)
  return { ...rows, items: rows.items.map((row) => presentUserRef(app.config, row)) }
}

/** All members of a group, by name or username. */
export function searchGroupUsers({
  app,
  caller,
  subject,
  query,
  page,
}: SearchRequest<GroupSubject>): Promise<Page<UserRef>> {
  return loadUsersPage(app, membersOfGroup(subject, caller), query.search, page)
}

/** All members of a project, by name or username. */
export function searchProjectUsers({
  app,
  caller,
  subject,
  query,
  page,
}: SearchRequest<ProjectSubject>): Promise<Page<UserRef>> {
  return loadUsersPage(app, membersOfProject(subject, caller), query.search, page)
}
