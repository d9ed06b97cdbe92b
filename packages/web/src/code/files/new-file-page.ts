import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card } from '../../platform/design/card.ts'
import { errorSummary, textArea, textField } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import type { CodeTarget } from '../revisions/code-target.ts'
import {
  afterCommit,
  commitActions,
  commitFields,
  defaultBranchFor,
  type FormState,
} from './commit-fields.ts'
import { locateFolder } from './locate-folder.ts'

/** `GET /<project>/-/new/<ref>/<folder>`: an empty file. */
export async function showNewFile(call: PageCall): Promise<Reply> {
  const folder = await locateFolder(call)
  return showForm(call, folder, await defaultBranchFor(call, folder.ref), {})
}

/** `POST /<project>/-/new/<ref>/<folder>`: commits the new file. */
export async function createFile(call: PageCall): Promise<Reply> {
  const { form } = call
  const path = form.text('file_path').trim()
  const content = form.text('content')
  const saved = await commitActions(call, [{ action: 'create', file_path: path, content }])
  if (saved.ok) return afterCommit(call, 'blob', path)
  const folder = { ref: form.text('ref'), path: form.text('path') }
  return showForm(call, folder, form.text('branch'), { form, formErrors: saved.formErrors })
}

async function showForm(
  call: PageCall,
  folder: CodeTarget,
  branch: string,
  state: FormState,
): Promise<Reply> {
  const project = await loadProject(call)
  const { formErrors = [] } = state
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `New file · ${project.path_with_namespace}`,
    place: projectPlace(project, 'code'),
    body: html`${heading('New file')}${errorSummary(formErrors)}
${card({ body: newForm(call, folder, branch, state) })}`,
  })
}

function newForm(call: PageCall, folder: CodeTarget, branch: string, state: FormState): Html {
  const { form, formErrors = [] } = state
  const project = projectPath(call)
  const below = folder.path === '' ? [] : [folder.path]
  const path =
    form?.text('file_path') ?? call.query.get('file_name') ?? below.map((of) => `${of}/`).join('')
  return html`<form method="post" action="${projectAddress(project, 'new', folder.ref, ...below)}">
${textField({ id: 'file_path', label: 'Path', value: path, required: true, formErrors, hint: 'From the root of the repository, with its folders.' })}
${textArea({ id: 'content', label: 'Content', value: form?.text('content') ?? '', format: 'code', rows: 20, formErrors })}
${commitFields(call, { target: folder, message: 'Add a file', branch }, state)}
<div class="buttons"><button class="primary">Commit changes</button> <a href="${projectAddress(project, 'tree', folder.ref, ...below)}">Cancel</a></div>
</form>`
}
