import { card } from '../../platform/design/card.ts'
import type { FailedForm } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { adminAddress, adminPage } from './admin-page.ts'
import { userFieldIds, userFields, userForm, userValues } from './user-form.ts'
import { loadUser, userIdOf } from './user-page.ts'

/** `GET /admin/users/new`. */
export async function showNewUser(call: PageCall): Promise<Reply> {
  return newUser(call)
}

function newUser(call: PageCall, failed?: FailedForm): Reply {
  const fields = { action: adminAddress('users'), button: 'Create user', failed }
  return adminPage({
    area: 'users',
    title: 'New user',
    failed,
    body: card({ body: userFields(call, fields) }),
  })
}

/** `POST /admin/users`. */
export async function createUser(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const password = form.text('password')
  const created = await submit(
    client.users.create({
      ...userValues(form),
      ...(password === '' ? { reset_password: true } : { password }),
      skip_confirmation: true,
    }),
    userFieldIds,
  )
  if (created.ok) return redirect(adminAddress('users', created.value.id))
  return newUser(call, { name: userForm, form, formErrors: created.formErrors })
}

/** `GET /admin/users/:id/edit`. */
export function showUserEdit(call: PageCall): Promise<Reply> {
  return editUser(call)
}

async function editUser(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const id = await userIdOf(call)
  const user = await loadUser(call, id)
  const fields = {
    action: adminAddress('users', id, 'edit'),
    button: 'Save user',
    user,
    failed,
  }
  return adminPage({
    area: 'users',
    title: `Edit ${user.name}`,
    failed,
    body: card({ body: userFields(call, fields) }),
  })
}

/** `POST /admin/users/:id/edit`. */
export async function saveUser(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const userId = await userIdOf(call)
  const password = form.text('password')
  const saved = await submit(
    client.users.update({
      userId,
      ...userValues(form),
      skip_reconfirmation: true,
      ...(password !== '' && { password }),
    }),
    userFieldIds,
  )
  if (saved.ok) return redirect(adminAddress('users', userId))
  return editUser(call, { name: userForm, form, formErrors: saved.formErrors })
}
