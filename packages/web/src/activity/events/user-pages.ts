import { groupRows } from '../../directory/groups/group-row.ts'
import { projectRows } from '../../directory/projects/project-row.ts'
import { loadProjectsOf } from '../../directory/projects/projects-by-id.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { renderTexts } from '../../platform/pages/render-texts.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { shortBodies } from '../../platform/pages/short-bodies.ts'
import { address } from '../../platform/text/addresses.ts'
import { eventRows } from './event-list.ts'
import { type UserTab, userHeader, userTabs, type ViewedUser } from './user-header.ts'

/** @throws StithyError 404 */
async function loadUser(call: PageCall): Promise<ViewedUser> {
  const { client } = call
  const username = call.params.user ?? ''
  const [viewer, found] = await loadAll([call.viewer(), client.users.list({ username })])
  const id = found.items[0]?.id
  if (id === undefined) throw missing()
  const [profile, status] = await loadAll([
    client.users.show({ userId: id }),
    client.users.status.show({ userId: id }),
  ])
  const emoji = status.emoji === '' ? '' : `:${status.emoji}:`
  const [emojiHtml = ''] = await renderTexts(call, [emoji])
  return { profile, status, emojiHtml, isSelf: viewer?.id === id }
}

function userPage(user: ViewedUser, tab: UserTab, body: Html): Reply {
  const { name, username } = user.profile
  return page({
    title: `${name} (@${username})`,
    body: html`${userHeader(user)}
${userTabs(user, tab)}
${body}`,
  })
}

/** `GET /<username>`: who it is, and what they did. */
export async function showUser(call: PageCall): Promise<Reply> {
  const { client, query } = call
  const userId = call.params.user ?? ''
  const [user, [events, projects]] = await loadAll([
    loadUser(call),
    client.events
      .list({ userId, ...shortBodies, ...pageNumber(query) })
      .then(async (found) => [found, await loadProjectsOf(client, found.items)] as const),
  ])
  const body = html`${card({ body: eventRows(events.items, projects, call.now), isFlush: true })}
${pagination(events, address(userId), query)}`
  return userPage(user, 'activity', body)
}

/** `GET /users/<username>/projects`: those in the namespace of the user. */
export async function showUserProjects(call: PageCall): Promise<Reply> {
  const { client, query } = call
  const userId = call.params.user ?? ''
  const [user, projects] = await loadAll([
    loadUser(call),
    client.projects.list({ userId, ...pageNumber(query), order_by: 'last_activity_at' }),
  ])
  const list =
    projects.items.length === 0
      ? emptyState({ title: 'No personal projects that you may see' })
      : projectRows(projects.items, call.now)
  const self = address('users', userId, 'projects')
  const body = html`${card({ body: list, isFlush: true })}${pagination(projects, self, query)}`
  return userPage(user, 'projects', body)
}

/** `GET /users/<username>/groups`: one's own. */
export async function showUserGroups(call: PageCall): Promise<Reply> {
  const { client, query } = call
  const user = await loadSelf(call)
  const groups = await client.groups.list({ min_access_level: 10, ...pageNumber(query) })
  const list =
    groups.items.length === 0 ? emptyState({ title: 'No groups yet' }) : groupRows(groups.items)
  const self = address('users', user.profile.username, 'groups')
  const body = html`${card({ body: list, isFlush: true })}${pagination(groups, self, query)}`
  return userPage(user, 'groups', body)
}

/** `GET /users/<username>/starred`: what oneself has starred. */
export async function showUserStarred(call: PageCall): Promise<Reply> {
  const { client, query } = call
  const user = await loadSelf(call)
  const projects = await client.projects.list({ starred: true, ...pageNumber(query) })
  const list =
    projects.items.length === 0
      ? emptyState({
          title: 'No starred projects',
          text: 'Star a project on its page to find it here.',
        })
      : projectRows(projects.items, call.now)
  const self = address('users', user.profile.username, 'starred')
  const body = html`${card({ body: list, isFlush: true })}${pagination(projects, self, query)}`
  return userPage(user, 'starred', body)
}

/** The user of a page that others have no access to. @throws StithyError 404 */
async function loadSelf(call: PageCall): Promise<ViewedUser> {
  const user = await loadUser(call)
  if (!user.isSelf) throw missing()
  return user
}
