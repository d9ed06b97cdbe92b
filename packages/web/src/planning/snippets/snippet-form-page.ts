import type { Snippet } from '@stithy/core'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card } from '../../platform/design/card.ts'
import {
  csrfField,
  errorSummary,
  radioGroup,
  textArea,
  textField,
} from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { type FormError, submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { type SnippetFields, snippetCalls } from './snippet-calls.ts'

const fields = {
  title: 'title',
  file_name: 'file_name',
  content: 'content',
  description: 'description',
  visibility: 'visibility-private',
}

const visibilities = [
  { value: 'private', text: 'Private', hint: 'The author, or members of the project' },
  { value: 'internal', text: 'Internal', hint: 'Everyone who is signed in' },
  { value: 'public', text: 'Public', hint: 'Everyone' },
] as const

function settingsOf({ form }: PageCall): SnippetFields {
  const visibility = visibilities.find(({ value }) => value === form.text('visibility'))
  return {
    title: form.text('title'),
    file_name: form.text('file_name'),
    content: form.text('content'),
    description: form.text('description'),
    visibility: visibility?.value ?? 'private',
  }
}

/** `GET /snippets/new`, also of a project. */
export async function showNewSnippet(call: PageCall): Promise<Reply> {
  return snippetForm(call)
}

export async function createSnippet(call: PageCall): Promise<Reply> {
  const calls = snippetCalls(call)
  const created = await submit(calls.create(settingsOf(call)), fields)
  return created.ok
    ? redirect(`${calls.list}/${created.value.id}`)
    : snippetForm(call, { formErrors: created.formErrors })
}

/** `GET /snippets/:id/edit`, also of a project. */
export async function showEditSnippet(call: PageCall): Promise<Reply> {
  const calls = snippetCalls(call)
  const id = rowId(call)
  const [snippet, raw] = await loadAll([calls.show(id), calls.raw(id)])
  return snippetForm(call, { snippet, content: await raw.text() })
}

export async function updateSnippet(call: PageCall): Promise<Reply> {
  const calls = snippetCalls(call)
  const id = rowId(call)
  const changed = await submit(calls.update(id, settingsOf(call)), fields)
  return changed.ok
    ? redirect(`${calls.list}/${id}`)
    : snippetForm(call, { snippet: await calls.show(id), formErrors: changed.formErrors })
}

export async function deleteSnippet(call: PageCall): Promise<Reply> {
  const calls = snippetCalls(call)
  await calls.remove(rowId(call))
  return redirect(call.params.project === undefined ? '/dashboard/snippets' : calls.list)
}

interface FormState {
  snippet?: Snippet
  content?: string
  formErrors?: readonly FormError[]
}

async function snippetForm(call: PageCall, state: FormState = {}): Promise<Reply> {
  const { snippet, formErrors = [] } = state
  const { list } = snippetCalls(call)
  const project = call.params.project === undefined ? undefined : await loadProject(call)
  const own = snippet === undefined ? list : `${list}/${snippet.id}`
  const back = snippet === undefined && project === undefined ? '/dashboard/snippets' : own
  const title = snippet === undefined ? 'New snippet' : `Edit ${snippet.title}`
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title,
    place: project && projectPlace(project, 'snippets'),
    body: html`${heading(title)}${errorSummary(formErrors)}
${card({
  body: html`<form method="post" action="${own}">${csrfField(call)}${snippetFields(call, state)}
<div class="buttons"><button class="primary">${snippet === undefined ? 'Create snippet' : 'Save changes'}</button> <a href="${back}">Cancel</a></div></form>`,
})}`,
  })
}

function snippetFields({ form }: PageCall, { snippet, content, formErrors = [] }: FormState): Html {
  const value = (name: string, stored: string | null | undefined) =>
    formErrors.length > 0 ? form.text(name) : (stored ?? '')
  return html`${textField({ id: 'title', label: 'Title', value: value('title', snippet?.title), required: true, maxLength: 255, formErrors })}
${textArea({ id: 'description', label: 'Description', value: value('description', snippet?.description), format: 'markdown', rows: 3, formErrors })}
${textField({ id: 'file_name', label: 'File name', hint: 'Its extension says how the content is highlighted', value: value('file_name', snippet?.file_name), maxLength: 255, formErrors })}
${textArea({ id: 'content', label: 'Content', value: value('content', content), format: 'code', rows: 16, required: true, formErrors })}
${radioGroup({ name: 'visibility', legend: 'Visibility', options: visibilities, value: value('visibility', snippet?.visibility ?? 'private') })}`
}
