import { StithyError } from '@stithy/client'
import { AccessLevel, type GroupDetails } from '@stithy/core'
import { squareAvatar } from '../../platform/design/avatar.ts'
import { badge } from '../../platform/design/badge.ts'
import { crumbs, type Tab } from '../../platform/design/navigation.ts'
import { html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { isAdministrator, type PageCall } from '../../platform/pages/page-call.ts'
import type { Place } from '../../platform/pages/place.ts'
import { address, groupAddress } from '../../platform/text/addresses.ts'

/** A group as somebody sees it. */
export interface ViewedGroup extends GroupDetails {
  /** The viewer's level in the group, also an inherited one; 0 for none. Administrators are owners. */
  accessLevel: number
}

/**
 * The group of a page, without its projects.
 * @throws StithyError 404 where the viewer may not see it
 */
export async function loadGroup(
  call: Pick<PageCall, 'client' | 'params' | 'viewer'>,
): Promise<ViewedGroup> {
  const groupId = call.params.group ?? ''
  const [group, accessLevel] = await loadAll([
    call.client.groups.show({ groupId, with_projects: false }),
    groupLevel(call, groupId),
  ])
  return { ...group, accessLevel }
}

/** The level of the viewer in a group; 0 without a membership, and where there is no such group. */
export async function groupLevel(
  { client, viewer }: Pick<PageCall, 'client' | 'viewer'>,
  groupId: string,
): Promise<number> {
  const user = await viewer()
  if (user === null) return 0
  if (isAdministrator(user)) return AccessLevel.owner
  try {
    const member = await client.members.all.show({ groupId, userId: user.id })
    return member.access_level
  } catch (error) {
    if (error instanceof StithyError && (error.status ?? 500) < 500) return 0
    throw error
  }
}

/** The tabs of a group. */
export type GroupTab =
  | 'overview'
  | 'issues'
  | 'merge_requests'
  | 'epics'
  | 'boards'
  | 'milestones'
  | 'labels'
  | 'activity'
  | 'members'
  | 'settings'

/** What stands around every page of a group. */
export function groupPlace(group: ViewedGroup, current: GroupTab): Place {
  const icon = group.visibility === 'private' ? 'lock' : 'globe'
  return {
    label: 'Group',
    group: group.full_path,
    header: html`<div class="about">${squareAvatar(group)}${crumbs('Group path', pathCrumbs(group.full_path))}
${badge(group.visibility, '', icon)}</div>`,
    tabs: groupTabs(group).map(({ name, ...tab }) => ({ ...tab, isCurrent: name === current })),
  }
}

function pathCrumbs(path: string) {
  const parts = path.split('/')
  return parts.map((text, at) => ({ text, href: address(...parts.slice(0, at + 1)) }))
}

function groupTabs(group: ViewedGroup): (Tab & { name: GroupTab })[] {
  const { full_path: path, accessLevel } = group
  const tab = (
    name: GroupTab,
    text: string,
    icon: NonNullable<Tab['icon']>,
    page: string = name,
  ) => ({
    name,
    text,
    icon,
    href: groupAddress(path, page),
  })
  return [
    { name: 'overview', text: 'Overview', icon: 'organization', href: address(path) },
    tab('issues', 'Issues', 'issue-opened'),
    tab('merge_requests', 'Merge requests', 'git-pull-request'),
    ...(hasPremium(group) ? [tab('epics', 'Epics', 'list-unordered')] : []),
    tab('boards', 'Boards', 'project'),
    tab('milestones', 'Milestones', 'milestone'),
    tab('labels', 'Labels', 'tag'),
    tab('activity', 'Activity', 'history'),
    tab('members', 'Members', 'people', 'group_members'),
    ...(accessLevel >= AccessLevel.owner ? [tab('settings', 'Settings', 'gear', 'edit')] : []),
  ]
}

/** Epics, SCIM and audit events come with the tier that has file templates, whose field says so. */
export function hasPremium(group: ViewedGroup): boolean {
  return group.file_template_project_id !== undefined
}
