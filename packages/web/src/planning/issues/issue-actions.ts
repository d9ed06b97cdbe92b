import { type FormError, submit } from '../../platform/forms/submit.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { refusedPage } from '../items/refused-page.ts'
import { withTask } from '../items/tasks.ts'
import { unlessDone } from '../items/unless-done.ts'
import { issueAddress } from './issue-address.ts'
import { issueFieldIds, readIssueSettings } from './issue-fields.ts'

interface IssueIds {
  projectId: string
  issueIid: number
}

function idsOf(call: PageCall): IssueIds {
  return { projectId: projectPath(call), issueIid: rowId(call, 'iid') }
}

function backTo(call: PageCall): Reply {
  const { projectId, issueIid } = idsOf(call)
  return redirect(issueAddress(projectId, issueIid))
}

function refuse(call: PageCall, formErrors: readonly FormError[]): Reply {
  const { projectId, issueIid } = idsOf(call)
  return refusedPage(formErrors, issueAddress(projectId, issueIid))
}

/** Makes a call of a form without a page of its own, and shows what the API refuses. */
async function act(call: PageCall, work: PromiseLike<unknown>): Promise<Reply> {
  const done = await submit(unlessDone(work))
  return done.ok ? backTo(call) : refuse(call, done.formErrors)
}

/** `POST …/issues/:iid`: changes the fields that the form has. */
export async function changeIssue(call: PageCall): Promise<Reply> {
  const read = await readIssueSettings(call, { isWhole: false })
  if (!read.ok) return refuse(call, read.formErrors)
  const changed = await submit(
    call.client.issues.update({ ...idsOf(call), ...read.settings }),
    issueFieldIds,
  )
  return changed.ok ? backTo(call) : refuse(call, changed.formErrors)
}

/** Closes or reopens an issue. */
export function changeIssueState(call: PageCall, event: 'close' | 'reopen'): Promise<unknown> {
  return call.client.issues.update({ ...idsOf(call), state_event: event })
}

/** `POST …/issues/:iid/tasks`: ticks a task of the description, or opens it again. */
export async function changeTask(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const issue = await client.issues.show(idsOf(call))
  if (form.text('version') !== issue.updated_at) {
    return refuse(call, [{ field: '', text: 'Somebody changed the issue meanwhile.' }])
  }
  const at = form.number('done') ?? form.number('undo')
  if (at === undefined) return backTo(call)
  const description = withTask(issue.description ?? '', at, form.has('done'))
  return act(call, client.issues.update({ ...idsOf(call), description }))
}

/** `POST …/issues/:iid/time`: adds time, and sets or removes the estimate. */
export async function trackTime(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const spent = form.optionalText('spent')
  const estimate = form.optionalText('estimate')
  const ids = idsOf(call)
  const { time_stats: before } = await client.issues.show(ids)
  const set = async () => {
    if (estimate === undefined) {
      if (before.time_estimate !== 0) await client.issues.resetTimeEstimate(ids)
    } else if (estimate !== before.human_time_estimate) {
      await client.issues.setTimeEstimate({ ...ids, duration: estimate })
    }
    if (spent !== undefined) await client.issues.addSpentTime({ ...ids, duration: spent })
  }
  return act(call, set())
}

export function subscribe(call: PageCall): Promise<Reply> {
  return act(call, call.client.issues.subscribe(idsOf(call)))
}

export function unsubscribe(call: PageCall): Promise<Reply> {
  return act(call, call.client.issues.unsubscribe(idsOf(call)))
}

/** `POST …/issues/:iid/todo`; a second to-do changes nothing. */
export function addTodo(call: PageCall): Promise<Reply> {
  return act(call, call.client.issues.todos.create(idsOf(call)))
}

const reference = /^(?:(?<path>[^#\s]{1,5000}))?#(?<iid>\d{1,10})$/

/** `POST …/issues/:iid/links`: relates it to `#3`, or to `group/app#3`. */
export async function addLink(call: PageCall): Promise<Reply> {
  const { projectId } = idsOf(call)
  const text = call.form.text('reference').trim()
  const found = reference.exec(text.includes('#') ? text : `#${text}`)?.groups
  if (found === undefined) {
    return refuse(call, [{ field: '', text: `“${text}” is not an issue such as #3.` }])
  }
  const target = { target_project_id: found.path ?? projectId, target_issue_iid: Number(found.iid) }
  return act(call, call.client.issues.links.create({ ...idsOf(call), ...target }))
}

export function removeLink(call: PageCall): Promise<Reply> {
  const issueLinkId = rowId(call, 'link_id')
  return act(call, call.client.issues.links.delete({ ...idsOf(call), issueLinkId }))
}

/** `POST …/issues/:iid/move`: to the project of a path. */
export async function moveIssue(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const move = async () => {
    const project = await client.projects.show({ projectId: form.text('project').trim() })
    const moved = await client.issues.move({ ...idsOf(call), to_project_id: project.id })
    return issueAddress(project.path_with_namespace, moved.iid)
  }
  const moved = await submit(move())
  return moved.ok ? redirect(moved.value) : refuse(call, moved.formErrors)
}

export async function deleteIssue(call: PageCall): Promise<Reply> {
  await call.client.issues.delete(idsOf(call))
  return redirect(projectAddress(idsOf(call).projectId, 'issues'))
}
