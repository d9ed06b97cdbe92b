import { type FormError, submit } from '../../platform/forms/submit.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { groupAddress } from '../../platform/text/addresses.ts'
import { refusedPage } from '../items/refused-page.ts'
import { unlessDone } from '../items/unless-done.ts'

function idsOf(call: PageCall) {
  return { groupId: call.params.group ?? '', epicIid: rowId(call, 'iid') }
}

function addressOf(call: PageCall): string {
  const { groupId, epicIid } = idsOf(call)
  return groupAddress(groupId, 'epics', epicIid)
}

function refuse(call: PageCall, formErrors: readonly FormError[]): Reply {
  return refusedPage(formErrors, addressOf(call))
}

async function act(call: PageCall, work: PromiseLike<unknown>): Promise<Reply> {
  const done = await submit(unlessDone(work))
  return done.ok ? redirect(addressOf(call)) : refuse(call, done.formErrors)
}

/** Closes or reopens an epic. */
export function changeEpicState(call: PageCall, event: 'close' | 'reopen'): Promise<unknown> {
  return call.client.epics.update({ ...idsOf(call), state_event: event })
}

export function addEpicTodo(call: PageCall): Promise<Reply> {
  return act(call, call.client.epics.todos.create(idsOf(call)))
}

export async function deleteEpic(call: PageCall): Promise<Reply> {
  await call.client.epics.delete(idsOf(call))
  return redirect(groupAddress(idsOf(call).groupId, 'epics'))
}

const epicReference = /^&(\d{1,10})$/

/** `POST …/epics/:iid/children`: a new child epic, or one that exists. */
export async function addChild(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const ids = idsOf(call)
  const text = form.text('child').trim()
  const existing = epicReference.exec(text)?.[1]
  if (existing === undefined) return act(call, client.epics.links.create({ ...ids, title: text }))
  const assign = async () => {
    const { groupId } = ids
    const child = await client.epics.show({ groupId, epicIid: Number(existing) })
    await client.epics.links.assign({ ...ids, childEpicId: child.id })
  }
  return act(call, assign())
}

/** `POST …/epics/:iid/children/:child`: moves a child epic among its siblings, or removes it. */
export function changeChild(call: PageCall): Promise<Reply> {
  const { links } = call.client.epics
  const ids = { ...idsOf(call), childEpicId: rowId(call, 'child') }
  return act(
    call,
    call.form.has('remove') ? links.delete(ids) : links.move({ ...ids, ...moveOf(call) }),
  )
}

function moveOf({ form }: PageCall) {
  const [before, after] = [form.number('before'), form.number('after')]
  return {
    ...(before !== undefined && { move_before_id: before }),
    ...(after !== undefined && { move_after_id: after }),
  }
}

const issueReference = /^([^#\s]{1,5000})#(\d{1,10})$/

/** `POST …/epics/:iid/issues`: takes an issue into the epic. */
export async function addIssue(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const text = form.text('issue').trim()
  const [, projectId, iid] = issueReference.exec(text) ?? []
  if (projectId === undefined) {
    return refuse(call, [{ field: '', text: `“${text}” is not an issue such as group/app#3.` }])
  }
  const assign = async () => {
    const issue = await client.issues.show({ projectId, issueIid: Number(iid) })
    await client.epics.issues.assign({ ...idsOf(call), issueId: issue.id })
  }
  return act(call, assign())
}

/** `POST …/epics/:iid/issues/:link`: moves an issue within the epic, or removes it. */
export function changeEpicIssue(call: PageCall): Promise<Reply> {
  const { issues } = call.client.epics
  const ids = { ...idsOf(call), epicIssueId: rowId(call, 'link') }
  return act(
    call,
    call.form.has('remove') ? issues.delete(ids) : issues.move({ ...ids, ...moveOf(call) }),
  )
}
