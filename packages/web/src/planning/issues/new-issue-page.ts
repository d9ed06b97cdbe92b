import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card } from '../../platform/design/card.ts'
import { csrfField, errorSummary } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import type { Form } from '../../platform/forms/form.ts'
import { type FormError, submit } from '../../platform/forms/submit.ts'
import { html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { listMilestoneChoices } from '../items/milestone-choice.ts'
import { projectRights } from '../items/project-rights.ts'
import { issueFieldIds, issueFields, readIssueSettings } from './issue-fields.ts'

/** `GET /<project>/-/issues/new`: the form. */
export function showNewIssue(call: PageCall): Promise<Reply> {
  return showForm(call, {})
}

/** `POST /<project>/-/issues`: opens the issue, or shows the form again with what was typed. */
export async function createIssue(call: PageCall): Promise<Reply> {
  const { client, form, params } = call
  const project = params.project ?? ''
  const read = await readIssueSettings(call, { isWhole: true })
  if (!read.ok) return showForm(call, { form, formErrors: read.formErrors })
  // The API wants the parameter also where nothing was typed.
  const settings = { title: '', ...read.settings }
  const opened = await submit(
    client.issues.create({ projectId: project, ...settings }),
    issueFieldIds,
  )
  return opened.ok
    ? redirect(projectAddress(project, 'issues', opened.value.iid))
    : showForm(call, { form, formErrors: opened.formErrors })
}

interface FormState {
  /** What was typed, in a form that is shown again. */
  form?: Form
  formErrors?: readonly FormError[]
}

async function showForm(call: PageCall, { form, formErrors = [] }: FormState): Promise<Reply> {
  const [project, viewer, milestones] = await loadAll([
    loadProject(call),
    call.viewer(),
    listMilestoneChoices(call, projectPath(call)),
  ])
  const path = project.path_with_namespace
  const { mayPlan } = projectRights(project, viewer)
  const { query } = call
  const list = projectAddress(path, 'issues')
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `New issue · ${path}`,
    place: projectPlace(project, 'issues'),
    body: html`${heading('New issue')}${errorSummary(formErrors)}
${card({
  body: html`<form method="post" action="${list}">${csrfField(call)}
${issueFields({ form, query, formErrors, milestones, mayPlan })}
<div class="buttons"><button class="primary">Create issue</button> <a href="${list}">Cancel</a></div></form>`,
})}`,
  })
}
