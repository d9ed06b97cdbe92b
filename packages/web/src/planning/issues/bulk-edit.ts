import type { Issue } from '@stithy/core'
import { csrfField } from '../../platform/design/form-fields.ts'
import { type FormError, submit } from '../../platform/forms/submit.ts'
import { css } from '../../platform/html/css.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { withoutDescriptions } from '../../platform/pages/without-descriptions.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { findUsers } from '../items/find-users.ts'
import { labelTitles } from '../items/item-labels.ts'
import { listIn } from '../items/list-in.ts'
import type { MilestoneChoice } from '../items/milestone-choice.ts'
import { refusedPage } from '../items/refused-page.ts'

export const bulkEditStyle = css`
form > details.bulk { padding: var(--space-2) var(--space-4); border-bottom: 1px solid var(--line); background: var(--raised); border-radius: var(--radius) var(--radius) 0 0; }
form > details.bulk > summary { margin: 0; font-size: var(--small); }
form > details.bulk[open] > summary { margin-bottom: var(--space-2); }
`

/** The most issues that are changed at once: those of a page. */
const maxIssues = 100

/** A list whose rows can be selected, and what is done with the selected ones. */
export function bulkEditForm(
  call: Pick<PageCall, 'csrfToken' | 'address'>,
  self: string,
  milestones: readonly MilestoneChoice[],
  list: Html,
): Html {
  const options = milestones.map(({ id, title }) => html`<option value="${id}">${title}</option>`)
  return html`<form method="post" action="${self}/bulk_update">${csrfField(call)}<input type="hidden" name="back" value="${call.address}">
<details class="bulk"><summary>Edit selected issues</summary>
<div class="pair"><div class="field"><label for="bulk_state">State</label><select id="bulk_state" name="state_event"><option value="">As it is</option><option value="close">Close</option><option value="reopen">Reopen</option></select></div>
<div class="field"><label for="bulk_add">Add labels</label><input id="bulk_add" name="add_labels" placeholder="bug, ui"></div>
<div class="field"><label for="bulk_remove">Remove labels</label><input id="bulk_remove" name="remove_labels"></div>
<div class="field"><label for="bulk_milestone">Milestone</label><select id="bulk_milestone" name="milestone_id"><option value="">As it is</option><option value="0">No milestone</option>${options}</select></div>
<div class="field"><label for="bulk_assignees">Assignees</label><input id="bulk_assignees" name="assignees" placeholder="@kim"></div></div>
<button class="primary">Update selected issues</button></details>
${list}</form>`
}

/** What is done with the selected issues. */
interface BulkChange {
  state_event?: 'close' | 'reopen'
  milestone_id?: number | null
  assignee_ids?: number[]
  addLabels: readonly string[]
  removeLabels: readonly string[]
}

type ReadChange = { ok: true; change: BulkChange } | { ok: false; formErrors: FormError[] }

async function readChange(call: PageCall): Promise<ReadChange> {
  const { form } = call
  const event = form.text('state_event')
  const milestone = form.number('milestone_id')
  const assignees = form.optionalText('assignees')
  const change: BulkChange = {
    addLabels: listIn(form.text('add_labels')),
    removeLabels: listIn(form.text('remove_labels')),
    ...(event === 'close' || event === 'reopen' ? { state_event: event } : {}),
    ...(milestone === undefined ? {} : { milestone_id: milestone === 0 ? null : milestone }),
  }
  if (assignees === undefined) return { ok: true, change }
  const users = await findUsers(call, assignees, 'assignees')
  return users.ok ? { ok: true, change: { ...change, assignee_ids: users.ids } } : users
}

/** `POST /<project>/-/issues/bulk_update`: changes the selected issues, one after another. */
export async function bulkUpdate(call: PageCall): Promise<Reply> {
  const { client, form, params } = call
  const projectId = params.project ?? ''
  const self = projectAddress(projectId, 'issues')
  const back = form.text('back').startsWith(`${self}?`) ? form.text('back') : self
  const read = await readChange(call)
  if (!read.ok) return refusedPage(read.formErrors, back)
  const iids = form.texts('iids').map(Number).filter(Number.isSafeInteger).slice(0, maxIssues)
  if (iids.length === 0) {
    return refusedPage([{ field: '', text: 'Select the issues first.' }], back)
  }
  const { items } = await client.issues.list({
    projectId,
    iids,
    scope: 'all',
    per_page: maxIssues,
    ...withoutDescriptions,
  })
  const formErrors: FormError[] = []
  for (const issue of items) {
    const update = updateOf(issue, read.change)
    if (Object.keys(update).length === 0) continue
    const done = await submit(client.issues.update({ projectId, issueIid: issue.iid, ...update }))
    if (!done.ok) {
      formErrors.push(
        ...done.formErrors.map(({ text }) => ({ field: '', text: `#${issue.iid}: ${text}` })),
      )
    }
  }
  return formErrors.length === 0 ? redirect(back) : refusedPage(formErrors, back)
}

function updateOf(
  issue: Issue,
  { addLabels, removeLabels, state_event: event, ...rest }: BulkChange,
) {
  const old = labelTitles(issue.labels)
  const removed = new Set(removeLabels.map((title) => title.toLowerCase()))
  const labels = [...new Set([...old, ...addLabels])].filter(
    (title) => !removed.has(title.toLowerCase()),
  )
  const isState = event !== undefined && (event === 'close') === (issue.state === 'opened')
  return {
    ...rest,
    ...(isState && { state_event: event }),
    ...(addLabels.length + removeLabels.length > 0 && { labels }),
  }
}
