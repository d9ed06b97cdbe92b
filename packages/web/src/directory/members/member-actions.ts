import type { Client } from '@stithy/client'
import type { projectMemberLevels } from '@stithy/core'
import type { Form } from '../../platform/forms/form.ts'
import { fieldIds } from '../../platform/forms/form-view.ts'
import { type FormError, type Submission, submit } from '../../platform/forms/submit.ts'
import { type PageCall, parentOf } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { address, groupAddress, projectAddress } from '../../platform/text/addresses.ts'
import { forms } from './member-forms.ts'
import { membersPage } from './members-page.ts'

function pageAddress({ params }: PageCall): string {
  return params.project === undefined
    ? groupAddress(params.group ?? '', 'group_members')
    : projectAddress(params.project, 'project_members')
}

/** Leads back to the page of members, or shows it with what was refused. */
export function conclude(
  call: PageCall,
  name: string,
  done: Submission<unknown>,
): Promise<Reply> | Reply {
  return done.ok
    ? redirect(pageAddress(call))
    : membersPage(call, { name, form: call.form, formErrors: done.formErrors })
}

/** `POST /<project>/-/project_members`: adds a user. */
export async function addMember(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const name = forms.add
  const text = form.text('user').trim().replace(/^@/, '')
  const userId = await findUser(client, text)
  if (userId === undefined) {
    const wrong = `There is no user ${text}. E-mail addresses must be given whole.`
    return conclude(call, name, failure(`${name}-user`, wrong))
  }
  const added = await submit(
    client.members.create({ ...parentOf(call), user_id: userId, ...levelOf(call) }),
    { ...fieldIds(name, ['access_level', 'expires_at']), user_id: `${name}-user` },
  )
  return conclude(call, name, added)
}

/** By username, or by a whole e-mail address. */
async function findUser(client: Client, text: string): Promise<number | undefined> {
  if (text === '') return undefined
  if (!text.includes('@')) return (await client.users.list({ username: text })).items[0]?.id
  const { items } = await client.users.list({ search: text, per_page: 2 })
  return items.length === 1 ? items[0]?.id : undefined
}

/** What is wrong with a field before the API is asked. */
export function failure(field: string, text: string): { ok: false; formErrors: FormError[] } {
  return { ok: false, formErrors: [{ field, text }] }
}

function levelOf({ form }: PageCall) {
  return { access_level: chosenLevel(form), expires_at: form.text('expires_at') }
}

/** The level of a form; which ones there are is for the API to say. */
export function chosenLevel(form: Form): (typeof projectMemberLevels)[number] {
  return Number(form.text('access_level')) as (typeof projectMemberLevels)[number]
}

/** `POST …/:id/update`: changes the level and the last day of a member. */
export async function changeMember(call: PageCall): Promise<Reply> {
  const { client, params } = call
  const name = forms.change(params.id ?? '')
  const changed = await submit(
    client.members.update({ ...parentOf(call), userId: idOf(call), ...levelOf(call) }),
    fieldIds(name, ['access_level', 'expires_at']),
  )
  return conclude(call, name, changed)
}

function idOf({ params }: PageCall): number {
  return Number(params.id)
}

/** `POST …/:id/remove`. */
export async function removeMember(call: PageCall): Promise<Reply> {
  const removed = await submit(
    call.client.members.delete({ ...parentOf(call), userId: idOf(call) }),
  )
  return conclude(call, '', removed)
}

/** `POST …/leave`: leads to where members go from. */
export async function leave(call: PageCall): Promise<Reply> {
  const viewer = await call.viewer()
  const left = await submit(
    call.client.members.delete({ ...parentOf(call), userId: viewer?.id ?? 0 }),
  )
  if (!left.ok) return conclude(call, '', left)
  return redirect(call.params.project === undefined ? '/dashboard/groups' : '/dashboard/projects')
}

/** `POST …/request_access`: leads back to the project or group. */
export async function requestAccess(call: PageCall): Promise<Reply> {
  const requested = await submit(call.client.accessRequests.create(parentOf(call)))
  if (!requested.ok) return conclude(call, '', requested)
  return redirect(address(call.params.project ?? call.params.group ?? ''))
}

/** `POST …/:id/approve_access_request`: makes who asks a developer. */
export async function approveRequest(call: PageCall): Promise<Reply> {
  const { client } = call
  const approved = await submit(
    client.accessRequests.approve({ ...parentOf(call), userId: idOf(call) }),
  )
  return conclude(call, '', approved)
}

/** `POST …/:id/deny_access_request`. */
export async function denyRequest(call: PageCall): Promise<Reply> {
  const { client } = call
  const denied = await submit(
    client.accessRequests.delete({ ...parentOf(call), userId: idOf(call) }),
  )
  return conclude(call, '', denied)
}
