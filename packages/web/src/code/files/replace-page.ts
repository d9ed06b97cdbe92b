import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card } from '../../platform/design/card.ts'
import { errorSummary, textField } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import type { FormError } from '../../platform/forms/submit.ts'
import { html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { type CodeTarget, locate } from '../revisions/code-target.ts'
import {
  afterCommit,
  commitActions,
  commitFields,
  defaultBranchFor,
  type FormState,
  lockOf,
  overwriteField,
} from './commit-fields.ts'

interface ReplacedFile extends CodeTarget {
  /** The commit that changed it last when the form was opened. */
  lastCommit: string
  branch: string
}

/** `GET /<project>/-/replace/<ref>/<path>`: a file of the viewer's computer in place of one. */
export async function showReplace(call: PageCall): Promise<Reply> {
  const { client, params } = call
  const projectId = params.project ?? ''
  const { ref, path, found } = await locate(call, params.target ?? '', async (target) => {
    if (target.path === '') throw missing()
    return client.repository.files.lines({ projectId, filePath: target.path, ref: target.ref })
  })
  const branch = await defaultBranchFor(call, ref)
  return showForm(call, { ref, path, lastCommit: found.last_commit_id, branch }, {})
}

/** `POST /<project>/-/replace/<ref>/<path>`: commits it, unless the file was changed meanwhile. */
export async function replaceFile(call: PageCall): Promise<Reply> {
  const { form } = call
  const [ref, path, lastCommit] = [form.text('ref'), form.text('path'), form.text('last_commit_id')]
  const again = (formErrors: readonly FormError[]) =>
    showForm(call, { ref, path, lastCommit, branch: form.text('branch') }, { form, formErrors })
  const content = await form.file('file')?.arrayBuffer()
  if (content === undefined) return again([{ field: 'file', text: 'Choose a file.' }])
  const bytes = { content: Buffer.from(content).toString('base64'), encoding: 'base64' } as const
  const saved = await commitActions(call, [
    { action: 'update', file_path: path, ...bytes, ...lockOf(form) },
  ])
  return saved.ok ? afterCommit(call, 'blob', path) : again(saved.formErrors)
}

async function showForm(
  call: PageCall,
  { ref, path, lastCommit, branch }: ReplacedFile,
  state: FormState,
): Promise<Reply> {
  const project = await loadProject(call)
  const { formErrors = [] } = state
  const fullPath = project.path_with_namespace
  const file = projectAddress(fullPath, 'blob', ref, path)
  const message = `Replace ${path.slice(path.lastIndexOf('/') + 1)}`
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `Replace ${path} · ${fullPath}`,
    place: projectPlace(project, 'code'),
    body: html`${heading(html`Replace <code>${path}</code>`)}${errorSummary(formErrors)}
${card({
  body: html`<form method="post" enctype="multipart/form-data" action="${projectAddress(fullPath, 'replace', ref, path)}"><input type="hidden" name="last_commit_id" value="${lastCommit}">
${textField({ id: 'file', label: 'File', type: 'file', required: true, formErrors, hint: 'Its content is committed under the path above, whatever its name is.' })}
${formErrors.length > 0 && overwriteField(file)}
${commitFields(call, { target: { ref, path }, message, branch }, state)}
<div class="buttons"><button class="primary">Replace the file</button> <a href="${file}">Cancel</a></div></form>`,
})}`,
  })
}
