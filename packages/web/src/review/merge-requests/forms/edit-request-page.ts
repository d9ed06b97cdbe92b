import type { MergeRequestDetail, Milestone, Project } from '@stithy/core'
import { loadProject, projectPlace } from '../../../directory/projects/project-place.ts'
import { labelTitles } from '../../../planning/items/item-labels.ts'
import { card } from '../../../platform/design/card.ts'
import { csrfField, errorSummary, textField } from '../../../platform/design/form-fields.ts'
import { heading } from '../../../platform/design/heading.ts'
import type { Form } from '../../../platform/forms/form.ts'
import type { FormError } from '../../../platform/forms/submit.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { ifPermitted } from '../../../platform/pages/if-permitted.ts'
import { loadAll } from '../../../platform/pages/load-all.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { page, type Reply, redirect } from '../../../platform/pages/reply.ts'
import { requestAddress } from '../merge-request-address.ts'
import { requestKey, requestParams } from '../request-call.ts'
import {
  loadMilestones,
  type RequestValues,
  requestFields,
  requestSettings,
} from './request-fields.ts'
import { mayChooseApprovers, saveRequest } from './save-request.ts'

interface FormState {
  form?: Form
  formErrors?: readonly FormError[]
}

/** `GET /<project>/-/merge_requests/:iid/edit`: the form. */
export function showEditRequest(call: PageCall): Promise<Reply> {
  return showForm(call, {})
}

/** `POST /<project>/-/merge_requests/:iid`: saves it, or shows the form again with what was typed. */
export async function updateRequest(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const targetBranch = form.optionalText('target_branch')
  const saved = await saveRequest(call, (assigneeIds) =>
    client.mergeRequests.update({
      ...requestParams(call),
      ...requestSettings(form),
      assignee_ids: assigneeIds,
      ...(targetBranch === undefined ? {} : { target_branch: targetBranch }),
    }),
  )
  return saved.ok
    ? redirect(requestAddress(requestKey(call)))
    : showForm(call, { form, formErrors: saved.formErrors })
}

async function showForm(call: PageCall, { form, formErrors = [] }: FormState): Promise<Reply> {
  const { client } = call
  const params = requestParams(call)
  const [project, request] = await loadAll([loadProject(call), client.mergeRequests.show(params)])
  const [milestones, hasApprovals, approvals] = await loadAll([
    loadMilestones(call, project.id),
    mayChooseApprovers(call, project.id),
    ifPermitted(client.mergeRequests.approvals.show(params)),
  ])
  const approvers = approvals?.approvers.map(({ user }) => user.username) ?? []
  const state = { project, request, form, formErrors, milestones, hasApprovals, approvers }
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `Edit !${request.iid} · ${project.path_with_namespace}`,
    place: projectPlace(project, 'merge_requests'),
    body: html`${heading(`Edit merge request !${request.iid}`)}${errorSummary(formErrors)}
${card({ body: editForm(call, state) })}`,
  })
}

interface EditState {
  project: Project
  request: MergeRequestDetail
  form: Form | undefined
  formErrors: readonly FormError[]
  milestones: readonly Milestone[]
  hasApprovals: boolean
  approvers: readonly string[]
}

function editForm(call: PageCall, state: EditState): Html {
  const { request, form, formErrors, milestones, hasApprovals, approvers } = state
  const path = requestAddress(requestKey(call))
  const { milestone } = request
  const isKnown = milestones.some(({ id }) => id === milestone?.id)
  return html`<form method="post" action="${path}">
${csrfField(call)}<input type="hidden" name="old_approvers" value="${approvers.join(', ')}">
${requestFields({
  values: valuesOf(request, approvers),
  choices: {
    milestones: milestone === null || isKnown ? milestones : [milestone, ...milestones],
    hasApprovals,
    isFork: request.source_project_id !== request.target_project_id,
  },
  form,
  formErrors,
})}
${request.state === 'opened' && textField({ id: 'target_branch', label: 'Target branch', value: form?.text('target_branch') ?? request.target_branch, maxLength: 255, formErrors })}
<div class="buttons"><button class="primary">Save changes</button> <a href="${path}">Cancel</a></div>
</form>`
}

function valuesOf(request: MergeRequestDetail, approvers: readonly string[]): RequestValues {
  return {
    title: request.title,
    description: request.description ?? '',
    assignees: request.assignees.map(({ username }) => username),
    approvers,
    labels: labelTitles(request.labels),
    milestoneId: request.milestone?.id,
    removeSourceBranch: request.force_remove_source_branch,
    squash: request.squash,
    allowCollaboration: request.allow_collaboration,
  }
}
