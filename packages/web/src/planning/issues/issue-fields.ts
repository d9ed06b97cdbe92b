import type { Issue } from '@stithy/core'
import { checkbox, selectField, textArea, textField } from '../../platform/design/form-fields.ts'
import type { Form } from '../../platform/forms/form.ts'
import type { FormError } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { findUsers } from '../items/find-users.ts'
import { labelTitles } from '../items/item-labels.ts'
import { listIn } from '../items/list-in.ts'
import type { MilestoneChoice } from '../items/milestone-choice.ts'

interface IssueFields {
  /** What was typed, in a form that is shown again. */
  form: Form | undefined
  /** The issue that is edited. */
  issue?: Issue
  query: URLSearchParams
  formErrors: readonly FormError[]
  milestones: readonly MilestoneChoice[]
  /** Whether labels and the like are offered. */
  mayPlan: boolean
}

/** The fields of an issue, for opening and editing one. */
export function issueFields({ form, issue, query, formErrors, ...options }: IssueFields): Html {
  const given: Readonly<Record<string, string>> = issue === undefined ? {} : valuesOf(issue)
  const value = (name: string) =>
    form?.text(name) ?? given[name] ?? query.get(`issue[${name}]`) ?? ''
  const isConfidential = form === undefined ? issue?.confidential : form.isChecked('confidential')
  return html`${textField({ id: 'title', label: 'Title', value: value('title'), required: true, maxLength: 255, formErrors })}
${textArea({ id: 'description', label: 'Description', value: value('description'), format: 'markdown', rows: 10, formErrors })}
${checkbox({ id: 'confidential', label: 'Confidential', hint: 'Only project members from Reporter on, the author and assignees see it.', isChecked: isConfidential === true })}
${options.mayPlan && planFields(value, options.milestones, formErrors, issue?.weight !== undefined || issue === undefined)}`
}

function valuesOf(issue: Issue): Record<string, string> {
  return {
    title: issue.title,
    description: issue.description ?? '',
    assignees: issue.assignees.map(({ username }) => `@${username}`).join(' '),
    labels: labelTitles(issue.labels).join(', '),
    milestone_id: String(issue.milestone?.id ?? ''),
    due_date: issue.due_date ?? '',
    weight: String(issue.weight ?? ''),
  }
}

function planFields(
  value: (name: string) => string,
  milestones: readonly MilestoneChoice[],
  formErrors: readonly FormError[],
  hasWeight: boolean,
): Html {
  return html`<div class="pair">${textField({ id: 'assignees', label: 'Assignees', hint: 'Usernames, such as @kim', value: value('assignees'), formErrors })}
${textField({ id: 'labels', label: 'Labels', hint: 'Titles, with commas between; unknown ones are created', value: value('labels'), formErrors })}
${selectField({
  id: 'milestone_id',
  label: 'Milestone',
  value: value('milestone_id'),
  options: [
    { value: '', text: 'No milestone' },
    ...milestones.map(({ id, title }) => ({ value: String(id), text: title })),
  ],
  formErrors,
})}
${textField({ id: 'due_date', label: 'Due date', type: 'date', value: value('due_date'), formErrors })}
${hasWeight && textField({ id: 'weight', label: 'Weight', type: 'number', value: value('weight'), formErrors })}</div>`
}

/** The fields of the form by the parameters of the API. */
export const issueFieldIds = {
  title: 'title',
  description: 'description',
  labels: 'labels',
  label_title: 'labels',
  milestone_id: 'milestone_id',
  due_date: 'due_date',
  weight: 'weight',
  assignee_ids: 'assignees',
}

/** Settings of an issue as the API takes them. */
interface IssueSettings {
  title?: string
  description?: string
  confidential?: boolean
  discussion_locked?: boolean
  labels?: string[]
  assignee_ids?: number[]
  milestone_id?: number | null
  due_date?: string | null
  weight?: number | null
}

type ReadSettings =
  | { ok: true; settings: IssueSettings }
  | { ok: false; formErrors: readonly FormError[] }

/**
 * The settings that a form has fields for; those of unticked checkboxes are only known to forms that
 * show them all.
 */
export async function readIssueSettings(
  call: Pick<PageCall, 'client' | 'form'>,
  { isWhole }: { isWhole: boolean },
): Promise<ReadSettings> {
  const { form } = call
  const settings: IssueSettings = {}
  if (form.has('title')) settings.title = form.text('title')
  if (form.has('description')) settings.description = form.text('description')
  if (isWhole || form.has('confidential')) settings.confidential = form.isChecked('confidential')
  if (form.has('discussion_locked'))
    settings.discussion_locked = form.isChecked('discussion_locked')
  if (form.has('labels')) settings.labels = listIn(form.text('labels'))
  if (form.has('milestone_id')) settings.milestone_id = form.number('milestone_id') ?? null
  if (form.has('due_date')) settings.due_date = form.optionalText('due_date') ?? null
  if (form.has('weight')) settings.weight = form.number('weight') ?? null
  if (!form.has('assignees')) return { ok: true, settings }
  const found = await findUsers(call, form.text('assignees'), 'assignees')
  return found.ok ? { ok: true, settings: { ...settings, assignee_ids: found.ids } } : found
}
