import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card } from '../../platform/design/card.ts'
import { csrfField, errorSummary, textArea, textField } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import type { Form } from '../../platform/forms/form.ts'
import { type FormError, submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'

/** `GET /<project>/-/issues/new`: the form. */
export function showNewIssue(call: PageCall): Promise<Reply> {
  return showForm(call, {})
}

/** `POST /<project>/-/issues`: opens the issue, or shows the form again with what was typed. */
export async function createIssue(call: PageCall): Promise<Reply> {
  const { client, form, params } = call
  const project = params.project ?? ''
  const opened = await submit(
    client.issues.create({
      projectId: project,
      title: form.text('title'),
      description: form.text('description'),
    }),
    { title: 'title', description: 'description' },
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
  const project = await loadProject(call)
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `New issue · ${project.path_with_namespace}`,
    place: projectPlace(project, 'issues'),
    body: html`${heading('New issue')}${errorSummary(formErrors)}
${card({ body: issueForm(call, form, formErrors) })}`,
  })
}

function issueForm(call: PageCall, form: Form | undefined, formErrors: readonly FormError[]): Html {
  const value = (name: string) => form?.text(name) ?? call.query.get(`issue[${name}]`) ?? ''
  return html`<form method="post" action="${projectAddress(call.params.project ?? '', 'issues')}">
${csrfField(call)}
${textField({ id: 'title', label: 'Title', value: value('title'), required: true, maxLength: 255, formErrors })}
${textArea({ id: 'description', label: 'Description', value: value('description'), format: 'markdown', rows: 10, formErrors })}
<div class="buttons"><button class="primary">Create issue</button> <a href="${projectAddress(call.params.project ?? '', 'issues')}">Cancel</a></div>
</form>`
}
