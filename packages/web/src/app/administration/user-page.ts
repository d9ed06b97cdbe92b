import type { AdminUserDetails, NewImpersonationToken } from '@stithy/core'
import { levelName } from '../../directory/members/access-levels.ts'
import { avatar } from '../../platform/design/avatar.ts'
import { actionButton, buttonLink } from '../../platform/design/button.ts'
import { card } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { shownOnce } from '../../platform/design/shown-once.ts'
import type { FailedForm } from '../../platform/forms/form-view.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { missing } from '../../platform/pages/refusal.ts'
import type { Reply } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { address } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { adminAddress, adminPage } from './admin-page.ts'
import { type Figure, figures } from './figures.ts'
import { tokenForm, tokenTable } from './impersonation-tokens.ts'
import { stateButton, userBadges } from './user-list-page.ts'

/** What the page shows after a form of it was submitted. */
export interface AfterForm {
  failed?: FailedForm
  newToken?: NewImpersonationToken
}

/** `GET /admin/users/:id`, also by username. */
export function showUser(call: PageCall): Promise<Reply> {
  return userPage(call)
}

/** The id of the user of a page: installations link to users by id and by username. */
export async function userIdOf(call: PageCall): Promise<number> {
  const name = call.params.id ?? ''
  if (/^\d+$/.test(name)) return rowId(call)
  const { items } = await call.client.users.list({ username: name })
  const found = items[0]
  if (found === undefined) throw missing()
  return found.id
}

/** A user as administrators see it. @throws StithyError 404 where there is none */
export async function loadUser(call: PageCall, userId: number): Promise<AdminUserDetails> {
  const user = await call.client.users.show({ userId })
  if (!('highest_role' in user)) throw missing()
  return user
}

/** The page, also after one of its forms was submitted. */
export async function userPage(call: PageCall, after: AfterForm = {}): Promise<Reply> {
  const userId = await userIdOf(call)
  const [user, tokens, viewer] = await loadAll([
    loadUser(call, userId),
    call.client.users.impersonationTokens.list({ userId, ...pageNumber(call.query) }),
    call.viewer(),
  ])
  const isSelf = viewer?.id === userId
  return adminPage({
    area: 'users',
    title: user.name,
    end: html`<a class="button" href="${address(user.username)}">Profile</a> ${buttonLink(adminAddress('users', userId, 'edit'), 'Edit', 'primary')}`,
    failed: after.failed,
    isSecret: after.newToken !== undefined,
    body: html`<p class="row">${avatar(user)}<span>@${user.username}</span>${userBadges(user)}</p>
${card({ title: 'Account', isFlush: true, body: figures('Account', accountFigures(user, call.now), 'text') })}
${card({ title: 'Impersonation tokens', isFlush: true, body: tokenCard(call, userId, tokens, after) })}
${!isSelf && card({ title: 'Access', body: accessActions(call, user) })}`,
  })
}

type Tokens = Parameters<typeof tokenTable>[2]

function tokenCard(call: PageCall, userId: number, tokens: Tokens, after: AfterForm): Html {
  const { newToken, failed } = after
  const secret =
    newToken && shownOnce({ title: `The token ${newToken.name}`, secret: newToken.token })
  return html`${secret && html`<div class="body">${secret}</div>`}${tokenTable(call, userId, tokens)}
<div class="body">${tokenForm(call, userId, failed)}</div>`
}

function accountFigures(user: AdminUserDetails, now: number): Figure[] {
  const time = (at: string | null) => (at === null ? 'Never' : timeAgo(at, now))
  return [
    ['E-mail', user.email],
    ['E-mail confirmed', time(user.confirmed_at)],
    ['Created', time(user.created_at)],
    ['Last sign-in', time(user.current_sign_in_at ?? user.last_sign_in_at)],
    ['Last activity', user.last_activity_on ?? 'Never'],
    ['Two-factor authentication', user.two_factor_enabled ? 'On' : 'Off'],
    ['Highest role', levelName(user.highest_role)],
    ['Personal projects', `up to ${user.projects_limit}`],
    ['May create groups', user.can_create_group ? 'Yes' : 'No'],
    ...user.identities.map((each): Figure => [`Identity at ${each.provider}`, each.extern_uid]),
    ...(user.note ? [['Note', user.note] as Figure] : []),
  ]
}

function accessActions(call: PageCall, user: AdminUserDetails): Html {
  const { id, name } = user
  const to = (action: string) => adminAddress('users', id, action)
  return html`<div class="row">${stateButton(call, user)}
${user.two_factor_enabled && actionButton(call, { action: to('disable_two_factor'), text: 'Turn two-factor authentication off' })}
${confirmation(call, { action: to('delete'), text: 'Delete', label: `Delete ${name}`, look: 'danger', question: 'The personal projects are deleted; what the user wrote elsewhere stays.' })}
${confirmation(call, { action: to('delete'), text: 'Delete with contributions', label: `Delete ${name} with contributions`, look: 'danger', question: 'Issues, comments and groups of which there is no other owner are deleted too.', values: { hard_delete: '1' } })}</div>`
}
