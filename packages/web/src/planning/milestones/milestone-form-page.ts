import type { Milestone } from '@stithy/core'
import { card } from '../../platform/design/card.ts'
import { csrfField, errorSummary, textArea, textField } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { type FormError, submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { localPath } from '../../platform/text/addresses.ts'
import { loadOwner, ownAddress } from '../items/plan-owner.ts'
import { refusedPage } from '../items/refused-page.ts'
import { findMilestone } from './find-milestone.ts'
import { milestoneCalls } from './milestone-calls.ts'

const fields = {
  title: 'title',
  description: 'description',
  start_date: 'start_date',
  due_date: 'due_date',
}

function settingsOf({ form }: PageCall) {
  return {
    title: form.text('title'),
    description: form.text('description'),
    start_date: form.optionalText('start_date') ?? null,
    due_date: form.optionalText('due_date') ?? null,
  }
}

/** `GET …/-/milestones/new`. */
export function showNewMilestone(call: PageCall): Promise<Reply> {
  return milestoneForm(call)
}

/** `POST …/-/milestones`. */
export async function createMilestone(call: PageCall): Promise<Reply> {
  const created = await submit(milestoneCalls(call).create(settingsOf(call)), fields)
  return created.ok
    ? redirect(ownAddress(call, 'milestones', created.value.iid))
    : milestoneForm(call, { formErrors: created.formErrors })
}

/** `GET …/-/milestones/:iid/edit`. */
export async function showEditMilestone(call: PageCall): Promise<Reply> {
  return milestoneForm(call, { milestone: await findMilestone(call) })
}

/** `POST …/-/milestones/:iid`: closes or opens it again, or changes its fields. */
export async function updateMilestone(call: PageCall): Promise<Reply> {
  const milestone = await findMilestone(call)
  const event = call.form.text('state_event')
  const isEvent = event === 'close' || event === 'activate'
  const change = isEvent ? ({ state_event: event } as const) : settingsOf(call)
  const changed = await submit(milestoneCalls(call).update(milestone.id, change), fields)
  return changed.ok
    ? redirect(localPath(changed.value.web_url))
    : milestoneForm(call, { milestone, formErrors: changed.formErrors })
}

/** Promotes or deletes a milestone. */
export function milestoneAction(action: 'promote' | 'remove') {
  return async (call: PageCall): Promise<Reply> => {
    const { id } = await findMilestone(call)
    const list = ownAddress(call, 'milestones')
    const done = await submit(milestoneCalls(call)[action]?.(id) ?? Promise.resolve())
    return done.ok ? redirect(list) : refusedPage(done.formErrors, list)
  }
}

interface FormState {
  milestone?: Milestone
  formErrors?: readonly FormError[]
}

async function milestoneForm(
  call: PageCall,
  { milestone, formErrors = [] }: FormState = {},
): Promise<Reply> {
  const owner = await loadOwner(call, { project: 'issues', group: 'milestones' })
  const list = ownAddress(call, 'milestones')
  const own = milestone === undefined ? list : `${list}/${milestone.iid}`
  const title = milestone === undefined ? 'New milestone' : `Edit milestone ${milestone.title}`
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `${title} · ${owner.path}`,
    place: owner.place,
    body: html`${heading(title)}${errorSummary(formErrors)}
${card({
  body: html`<form method="post" action="${own}">${csrfField(call)}${milestoneFields(call, milestone, formErrors)}
<div class="buttons"><button class="primary">${milestone === undefined ? 'Create milestone' : 'Save changes'}</button> <a href="${own}">Cancel</a></div></form>`,
})}`,
  })
}

function milestoneFields(
  { form }: PageCall,
  milestone: Milestone | undefined,
  formErrors: readonly FormError[],
): Html {
  const value = (name: 'title' | 'description' | 'start_date' | 'due_date') =>
    formErrors.length > 0 ? form.text(name) : (milestone?.[name] ?? '')
  return html`${textField({ id: 'title', label: 'Title', value: value('title'), required: true, maxLength: 255, formErrors })}
${textArea({ id: 'description', label: 'Description', value: value('description'), format: 'markdown', formErrors })}
<div class="pair">${textField({ id: 'start_date', label: 'Start date', type: 'date', value: value('start_date'), formErrors })}
${textField({ id: 'due_date', label: 'Due date', type: 'date', value: value('due_date'), formErrors })}</div>`
}
