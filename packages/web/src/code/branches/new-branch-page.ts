import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card } from '../../platform/design/card.ts'
import { csrfField, errorSummary, textField } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import type { Form } from '../../platform/forms/form.ts'
import { type FormError, submit } from '../../platform/forms/submit.ts'
import { html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'

/** `GET /<project>/-/branches/new`. */
export function showNewBranch(call: PageCall): Promise<Reply> {
  return showForm(call)
}

/** `POST /<project>/-/branches`: creates it. */
export async function createBranch(call: PageCall): Promise<Reply> {
  const { client, form, params } = call
  const projectId = params.project ?? ''
  const branch = form.text('branch').trim()
  const created = await submit(
    client.branches.create({ projectId, branch, ref: form.text('ref').trim() }),
    { branch: 'branch', ref: 'ref' },
  )
  if (!created.ok) return showForm(call, form, created.formErrors)
  return redirect(projectAddress(projectId, 'tree', branch))
}

async function showForm(
  call: PageCall,
  form?: Form,
  formErrors: readonly FormError[] = [],
): Promise<Reply> {
  const project = await loadProject(call)
  const path = project.path_with_namespace
  const value = (name: string, other: string) => form?.text(name) ?? call.query.get(name) ?? other
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `New branch · ${path}`,
    place: projectPlace(project, 'branches'),
    body: html`${heading('New branch')}${errorSummary(formErrors)}
${card({
  body: html`<form method="post" action="${projectAddress(path, 'branches')}">${csrfField(call)}
${textField({ id: 'branch', label: 'Name', value: value('branch', ''), required: true, formErrors })}
${textField({ id: 'ref', label: 'Start from', value: value('ref', project.default_branch ?? ''), required: true, formErrors, hint: 'A branch, a tag or a commit.' })}
<div class="buttons"><button class="primary">Create branch</button> <a href="${projectAddress(path, 'branches')}">Cancel</a></div></form>`,
})}`,
  })
}
