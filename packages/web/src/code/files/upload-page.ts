import type { CommitAction } from '@stithy/core'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card } from '../../platform/design/card.ts'
import { errorSummary, textField } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import type { FormError } from '../../platform/forms/submit.ts'
import { html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
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

/** `GET /<project>/-/upload/<ref>/<folder>`: a file of the viewer's computer. */
export async function showUpload(call: PageCall): Promise<Reply> {
  const folder = await locateFolder(call)
  return showForm(call, folder, await defaultBranchFor(call, folder.ref), {})
}

/** `POST /<project>/-/upload/<ref>/<folder>`: commits it, unless there is a file of that name. */
export async function uploadFile(call: PageCall): Promise<Reply> {
  const { form } = call
  const folder = { ref: form.text('ref'), path: form.text('path') }
  const file = form.file('file')
  const again = (formErrors: readonly FormError[]) =>
    showForm(call, folder, form.text('branch'), { form, formErrors })
  if (file === undefined) return again([{ field: 'file', text: 'Choose a file.' }])
  const content = Buffer.from(await file.arrayBuffer()).toString('base64')
  const path = folder.path === '' ? file.name : `${folder.path}/${file.name}`
  const action: CommitAction = { action: 'create', file_path: path, content, encoding: 'base64' }
  const saved = await commitActions(call, [action])
  return saved.ok ? afterCommit(call, 'blob', path) : again(saved.formErrors)
}

async function showForm(
  call: PageCall,
  folder: CodeTarget,
  branch: string,
  state: FormState,
): Promise<Reply> {
  const project = await loadProject(call)
  const { formErrors = [] } = state
  const fullPath = project.path_with_namespace
  const below = folder.path === '' ? [] : [folder.path]
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `Upload a file · ${fullPath}`,
    place: projectPlace(project, 'code'),
    body: html`${heading('Upload a file')}${errorSummary(formErrors)}
${card({
  body: html`<form method="post" enctype="multipart/form-data" action="${projectAddress(fullPath, 'upload', folder.ref, ...below)}">
${textField({ id: 'file', label: 'File', type: 'file', required: true, formErrors, hint: `It is added to ${folder.path === '' ? 'the root of the repository' : folder.path}.` })}
${commitFields(call, { target: folder, message: 'Upload a file', branch }, state)}
<div class="buttons"><button class="primary">Upload</button> <a href="${projectAddress(fullPath, 'tree', folder.ref, ...below)}">Cancel</a></div>
</form>`,
})}`,
  })
}
