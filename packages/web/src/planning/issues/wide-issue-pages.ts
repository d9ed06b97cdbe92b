import { groupPlace, loadGroup } from '../../directory/groups/group-place.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { heading } from '../../platform/design/heading.ts'
import { tabs } from '../../platform/design/navigation.ts'
import { html } from '../../platform/html/html.ts'
import { ifPermitted } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { signInAddress } from '../../platform/pages/sign-in-address.ts'
import { withoutDescriptions } from '../../platform/pages/without-descriptions.ts'
import { groupAddress, withQuery } from '../../platform/text/addresses.ts'
import { issueList, issueListQuery, issueMenus } from './issue-list.ts'

/** `GET /groups/<group>/-/issues`: the issues of the projects of a group. */
export async function showGroupIssues(call: PageCall): Promise<Reply> {
  const { client, params } = call
  const groupId = params.group ?? ''
  const { filter, listed, counted } = issueListQuery(call, await call.viewer())
  const [group, issues, counts, labels, milestones] = await loadAll([
    loadGroup(call),
    client.issues.list({ groupId, scope: 'all', ...listed }),
    ifPermitted(client.issues.statistics({ groupId, scope: 'all', ...counted })),
    ifPermitted(client.labels.list({ groupId, per_page: 50 })),
    ifPermitted(
      client.milestones.list({ groupId, state: 'active', per_page: 50, ...withoutDescriptions }),
    ),
  ])
  const self = groupAddress(groupId, 'issues')
  const menus = issueMenus(labels?.items ?? [], milestones?.items ?? [])
  return page({
    title: `Issues · ${group.full_path}`,
    place: groupPlace(group, 'issues'),
    body: html`${heading('Issues')}
${issueList({
  call,
  self,
  issues,
  counts,
  filter,
  menus,
  hasProject: true,
  empty: { title: 'No issues here', text: 'Issues of the projects of this group are listed here.' },
})}`,
  })
}

const scopes = [
  { scope: 'assigned_to_me', text: 'Assigned to you' },
  { scope: 'created_by_me', text: 'Opened by you' },
] as const

/** `GET /dashboard/issues`: those that the viewer is assigned to, or has opened. */
export async function showOwnIssues(call: PageCall): Promise<Reply> {
  if (call.csrfToken === '') return redirect(signInAddress(call))
  const { client, query } = call
  const self = '/dashboard/issues'
  const found = scopes.find(({ scope }) => scope === query.get('scope')) ?? scopes[0]
  const { scope } = found
  const { filter, listed, counted } = issueListQuery(call, await call.viewer())
  const [issues, counts] = await loadAll([
    client.issues.list({ scope, ...listed }),
    ifPermitted(client.issues.statistics({ scope, ...counted })),
  ])
  const links = scopes.map((each) => ({
    text: each.text,
    href: withQuery(self, { scope: each.scope, page: undefined }, query),
    isCurrent: each.scope === scope,
  }))
  return page({
    title: 'Your issues',
    body: html`${heading('Your issues', buttonLink('/projects', 'Your projects'))}${tabs('Whose issues', links)}
${issueList({
  call,
  self,
  issues,
  counts,
  filter,
  menus: [],
  hasProject: true,
  empty: { title: 'Nothing to do', text: 'Issues that you are assigned to are listed here.' },
})}`,
  })
}
