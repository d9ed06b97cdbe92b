import { decideOnGroup, decideOnProject, type Member, notFound, type UserRef } from '@stithy/core'
import { findMember, listMembers, type MembersOf, type Page, type PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { GroupSubject } from '../groups/group-subject.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { presentUserRef } from '../users/user.presenter.ts'
import { presentMember } from './member.presenter.ts'

/** Members of a project; through shares only those of groups visible to the caller. */
export function membersOfProject(
  { row, facts }: ProjectSubject,
  { facts: caller }: Caller,
): MembersOf {
  const members = { kind: 'project', projectId: row.id, namespaceId: row.namespaceId } as const
  if (decideOnProject('read_hidden_shares', caller, facts).allowed) return members
  return { ...members, sharesVisibleTo: caller }
}

/** Members of a group; through shares only those of groups visible to the caller. */
export function membersOfGroup({ row, facts }: GroupSubject, { facts: caller }: Caller): MembersOf {
  const members = { kind: 'group', groupId: row.id } as const
  if (decideOnGroup('share_group', caller, facts).allowed) return members
  return { ...members, sharesVisibleTo: caller }
}

/** Lists direct members, or with `inherited` all members. */
export async function loadMembersPage(
  app: App,
  of: MembersOf,
  inherited: boolean,
  search: string | undefined,
  page: PageRequest,
): Promise<Page<Member>> {
  const filter = { of, inherited, today: dayOf(app.now()), search: search || undefined }
  const rows = await listMembers(app.db, filter, page)
  return { ...rows, items: rows.items.map((row) => presentMember(app.config, row)) }
}

/** Lists all members as users. */
export async function loadUsersPage(
  app: App,
  of: MembersOf,
  search: string | undefined,
  page: PageRequest,
): Promise<Page<UserRef>> {
  const filter = { of, inherited: true, today: dayOf(app.now()), search: search || undefined }
  const rows = await listMembers(app.db, filter, page)
  return { ...rows, items: rows.items.map((row) => presentUserRef(app.config, row)) }
}

/** Returns a direct member, or with `inherited` any member. @throws DomainError `not_found` */
export async function showMember(
  app: App,
  of: MembersOf,
  inherited: boolean,
  userId: number,
): Promise<Member> {
  const row = await findMember(app.db, { of, inherited, today: dayOf(app.now()), userId })
  if (row === undefined) throw notFound('Member')
  return presentMember(app.config, row)
}
