import { type ListedUserRow, listFullUsers } from '@stithy/store'
import { csrfField, type Html, html } from '@stithy/web'
import type { FastifyInstance } from 'fastify'
import type { Session } from '../../directory/authentication/session.ts'
import { rowId } from '../../directory/sign-in/form.ts'
import { blockUser, unblockUser } from '../../directory/users/user-state.service.ts'
import type { App } from '../../platform/app.ts'
import {
  adminOnly,
  adminPath,
  pageOf,
  pager,
  searchForm,
  searchOf,
  sendAdminPage,
} from './admin-page.ts'
import { formatTime } from './formats.ts'

const path = `${adminPath}/users` as const

/** Registers the list of users, with the actions to block and unblock them. */
export function registerUsersPage(server: FastifyInstance, app: App): void {
  server.get(
    path,
    adminOnly(async (request, reply, session) => {
      const search = searchOf(request.query)
      const filter = { search, partsOfEmail: true }
      const users = await listFullUsers(app.db, filter, pageOf(request.query))
      return sendAdminPage(reply, session, {
        path,
        title: 'Users',
        body: html`${searchForm({ path, search }, 'Name, username or e-mail address')}
<section class="scroll">${userTable(users.items, session)}${pager(users, { path, search })}</section>`,
      })
    }),
  )
  server.post(
    `${path}/:id/block`,
    adminOnly(async (request, reply, { user }) => {
      await blockUser(app, rowId(request.params), user.id)
      return reply.redirect(path, 302)
    }),
  )
  server.post(
    `${path}/:id/unblock`,
    adminOnly(async (request, reply) => {
      await unblockUser(app, rowId(request.params))
      return reply.redirect(path, 302)
    }),
  )
}

function userTable(users: readonly ListedUserRow[], session: Session): Html {
  if (users.length === 0) return html`<p>No user was found.</p>`
  return html`<table>
<thead><tr><th scope="col">Name</th><th scope="col">Username</th><th scope="col">E-mail</th><th scope="col">State</th><th scope="col">Created</th><th scope="col">Last activity</th><th scope="col">Action</th></tr></thead>
<tbody>${users.map((user) => userRow(user, session))}</tbody>
</table>`
}

function userRow(user: ListedUserRow, session: Session): Html {
  return html`<tr><td>${user.name}${user.admin === 1 && ' (administrator)'}</td>
<td>${user.username}</td><td>${user.email}</td><td>${user.state}</td>
<td class="time">${formatTime(user.createdAt)}</td><td class="time">${user.lastActivityOn ?? 'never'}</td>
<td>${action(user, session)}</td></tr>
`
}

/** Nobody blocks themselves, and the server's own users have no account. */
function action({ id, kind, state, name }: ListedUserRow, session: Session): Html | undefined {
  if (kind !== 'human' || id === session.user.id) return undefined
  const [verb, label] = state === 'blocked' ? ['unblock', 'Unblock'] : ['block', 'Block']
  return html`<form method="post" action="${path}/${id}/${verb}">${csrfField(session)}
<button class="plain" type="submit" aria-label="${label} ${name}">${label}</button></form>`
}
