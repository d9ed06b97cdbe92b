import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card } from '../../platform/design/card.ts'
import { csrfField, errorSummary, textArea, textField } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import type { Form } from '../../platform/forms/form.ts'
import { type FormError, submit } from '../../platform/forms/submit.ts'
import { html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'

/** `GET /<project>/-/tags/new`. */
export function showNewTag(call: PageCall): Promise<Reply> {
  return showForm(call)
}

/** `POST /<project>/-/tags`: creates it. */
export async function createTag(call: PageCall): Promise<Reply> {
  const { client, form, params } = call
  const projectId = params.project ?? ''
  const message = form.optionalText('message')
  const created = await submit(
    client.tags.create({
      projectId,
      tag_name: form.text('tag_name').trim(),
      ref: form.text('ref').trim(),
      ...(message === undefined ? {} : { message }),
    }),
    { tag_name: 'tag_name', ref: 'ref', message: 'message' },
  )
  if (!created.ok) return showForm(call, form, created.formErrors)
  return redirect(projectAddress(projectId, 'tags'))
}

async function showForm(
  call: PageCall,
  form?: Form,
  formErrors: readonly FormError[] = [],
): Promise<Reply> {
  const project = await loadProject(call)
  const path = project.path_with_namespace
  const value = (name: string, other = '') => form?.text(name) ?? call.query.get(name) ?? other
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `New tag · ${path}`,
    place: projectPlace(project, 'branches'),
    body: html`${heading('New tag')}${errorSummary(formErrors)}
${card({
  body: html`<form method="post" action="${projectAddress(path, 'tags')}">${csrfField(call)}
${textField({ id: 'tag_name', label: 'Name', value: value('tag_name'), required: true, formErrors })}
${textField({ id: 'ref', label: 'Of', value: value('ref', project.default_branch ?? ''), required: true, formErrors, hint: 'A branch, a tag or a commit.' })}
${textArea({ id: 'message', label: 'Message', value: value('message'), rows: 4, formErrors, hint: 'With a message the tag has an author and a date of its own.' })}
<div class="buttons"><button class="primary">Create tag</button> <a href="${projectAddress(path, 'tags')}">Cancel</a></div></form>`,
})}`,
  })
}
