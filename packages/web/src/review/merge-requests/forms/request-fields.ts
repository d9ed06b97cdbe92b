import type { Milestone } from '@stithy/core'
import {
  checkbox,
  type Option,
  selectField,
  textArea,
  textField,
} from '../../../platform/design/form-fields.ts'
import type { Form } from '../../../platform/forms/form.ts'
import type { FormError } from '../../../platform/forms/submit.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { withoutDescriptions } from '../../../platform/pages/without-descriptions.ts'

/** What the form of a merge request shows at first. */
export interface RequestValues {
  title: string
  description: string
  /** Usernames. */
  assignees: readonly string[]
  approvers: readonly string[]
  labels: readonly string[]
  milestoneId: number | undefined
  removeSourceBranch: boolean
  squash: boolean
  allowCollaboration: boolean
}

export const noValues: RequestValues = {
  title: '',
  description: '',
  assignees: [],
  approvers: [],
  labels: [],
  milestoneId: undefined,
  removeSourceBranch: false,
  squash: false,
  allowCollaboration: false,
}

/** What the fields offer. */
export interface RequestChoices {
  milestones: readonly Milestone[]
  /** Whether the instance has approvals. */
  hasApprovals: boolean
  /** Whether it comes from a fork, whose branch others may be let push to. */
  isFork: boolean
}

interface Fields {
  values: RequestValues
  choices: RequestChoices
  /** What was typed, in a form that is shown again. */
  form: Form | undefined
  formErrors: readonly FormError[]
}

/** The milestones that a merge request of a project can have; one call. */
export async function loadMilestones(
  { client }: Pick<PageCall, 'client'>,
  projectId: string | number,
): Promise<readonly Milestone[]> {
  const found = await client.milestones.list({
    projectId,
    state: 'active',
    per_page: 100,
    ...withoutDescriptions,
  })
  return found.items
}

/** The fields that new and edited merge requests share. */
export function requestFields({ values, choices, form, formErrors }: Fields): Html {
  const text = (name: string, value: string) => form?.text(name) ?? value
  const list = (id: string, value: readonly string[]) => ({
    id,
    value: text(id, value.join(', ')),
    formErrors,
  })
  const flag = (id: string, value: boolean) => ({
    id,
    isChecked: form === undefined ? value : form.isChecked(id),
  })
  return html`${textField({ id: 'title', label: 'Title', hint: 'Begins with “WIP:” while it is a draft, which can’t be merged.', value: text('title', values.title), required: true, maxLength: 255, formErrors })}
${textArea({ id: 'description', label: 'Description', value: text('description', values.description), format: 'markdown', rows: 10, formErrors })}
<div class="halves"><div>
${textField({ ...list('assignees', values.assignees), complete: 'users', label: 'Assignees', hint: 'Usernames, separated by commas.' })}
${choices.hasApprovals && textField({ ...list('approvers', values.approvers), complete: 'users', label: 'Approvers', hint: 'Usernames of those who are asked to review.' })}
</div><div>
${selectField({ id: 'milestone_id', label: 'Milestone', options: milestoneOptions(choices.milestones), value: text('milestone_id', String(values.milestoneId ?? '')), formErrors })}
${textField({ ...list('labels', values.labels), complete: 'labels', label: 'Labels', hint: 'Names, separated by commas.' })}
</div></div>
<fieldset><legend>When it is merged</legend>
${checkbox({ ...flag('remove_source_branch', values.removeSourceBranch), label: 'Delete the source branch' })}
${checkbox({ ...flag('squash', values.squash), label: 'Squash the commits into one' })}
${choices.isFork && checkbox({ ...flag('allow_collaboration', values.allowCollaboration), label: 'Let those who can merge it push to the source branch' })}
</fieldset>`
}

function milestoneOptions(milestones: readonly Milestone[]): Option[] {
  const options = milestones.map(({ id, title }) => ({ value: String(id), text: title }))
  return [{ value: '', text: 'None' }, ...options]
}

/** The parameters of the API for what was typed, but for users. */
export function requestSettings(form: Form) {
  const labels = form.text('labels').split(',')
  return {
    title: form.text('title'),
    description: form.text('description'),
    milestone_id: form.number('milestone_id') ?? 0,
    labels: labels.map((label) => label.trim()).filter((label) => label !== ''),
    remove_source_branch: form.isChecked('remove_source_branch'),
    squash: form.isChecked('squash'),
    allow_collaboration: form.isChecked('allow_collaboration'),
  }
}

/** Ids of the fields by the parameters of the API. */
export const requestFieldIds = {
  title: 'title',
  description: 'description',
  labels: 'labels',
  milestone_id: 'milestone_id',
  assignee_ids: 'assignees',
  source_branch: 'source_branch',
  target_branch: 'target_branch',
} as const
