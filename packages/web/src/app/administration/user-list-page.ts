import type { AdminUser, UserRef } from '@stithy/core'
import { avatar, pictured } from '../../platform/design/avatar.ts'
import { badge } from '../../platform/design/badge.ts'
import { actionButton, buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { filterForm } from '../../platform/design/filter-form.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import type { Reply } from '../../platform/pages/reply.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { adminAddress, adminPage } from './admin-page.ts'
import { perPage, searchOf } from './list-query.ts'

const states = {
  '': { text: 'All users', filter: {} },
  active: { text: 'Active', filter: { active: true } },
  blocked: { text: 'Blocked', filter: { blocked: true } },
  without_two_factor: { text: 'Without two-factor', filter: { two_factor: 'disabled' } },
} as const

/** `GET /admin/users`: found by name, username or parts of their addresses. */
export async function showUsers(call: PageCall): Promise<Reply> {
  const { client, query } = call
  const search = searchOf(query)
  const state = query.get('state') ?? ''
  const known = Object.hasOwn(states, state) ? (state as keyof typeof states) : ''
  const [users, viewer] = await loadAll([
    client.users.list({
      per_page: perPage,
      ...pageNumber(query),
      ...states[known].filter,
      ...(search !== undefined && { search }),
    }),
    call.viewer(),
  ])
  const list =
    users.items.length === 0
      ? emptyState({ title: 'No user was found' })
      : userTable(call, users.items, viewer?.id)
  return adminPage({
    area: 'users',
    end: buttonLink(adminAddress('users', 'new'), 'New user', 'primary'),
    body: html`${filterForm({
      action: adminAddress('users'),
      label: 'Filter users',
      search: {
        name: 'search',
        value: search ?? '',
        placeholder: 'Name, username or e-mail address',
      },
      choices: [
        {
          name: 'state',
          label: 'State',
          options: Object.entries(states).map(([value, { text }]) => ({ value, text })),
          value: known,
        },
      ],
    })}
${card({ body: list, isFlush: true })}
${pagination(users, adminAddress('users'), query)}`,
  })
}

function userTable(
  call: PageCall,
  users: readonly (AdminUser | UserRef)[],
  viewer: number | undefined,
): Html {
  return dataTable({
    label: 'Users',
    columns: [
      { text: 'User' },
      { text: 'E-mail' },
      { text: 'State' },
      { text: 'Created' },
      { text: 'Last activity' },
      { text: 'Actions', kind: 'actions' },
    ],
    rows: users.flatMap((user) => ('is_admin' in user ? [userRow(call, user, viewer)] : [])),
  })
}

function userRow(call: PageCall, user: AdminUser, viewer: number | undefined) {
  const { id, name, username, email, created_at, last_activity_on: active } = user
  return [
    html`${pictured(adminAddress('users', id), avatar(user, 'small'), name)} <span class="muted">@${username}</span>`,
    email,
    userBadges(user),
    timeAgo(created_at, call.now),
    active ?? 'never',
    id === viewer ? undefined : stateButton(call, user),
  ]
}

/** What sets a user apart. */
export function userBadges({ state, is_admin: isAdmin, external }: AdminUser): Html {
  return html`${state === 'blocked' ? badge('blocked', 'danger') : badge('active', 'good')}${isAdmin && html` ${badge('administrator')}`}${external && html` ${badge('external')}`}`
}

/** The button that blocks or unblocks a user. Nobody blocks themselves. */
export function stateButton(call: PageCall, { id, name, state }: AdminUser): Html {
  const [action, text] = state === 'blocked' ? ['unblock', 'Unblock'] : ['block', 'Block']
  return actionButton(call, {
    action: adminAddress('users', id, action),
    text,
    label: `${text} ${name}`,
    kind: 'quiet',
    values: { return_to: call.address },
  })
}
