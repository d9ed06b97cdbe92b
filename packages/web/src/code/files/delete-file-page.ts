import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card } from '../../platform/design/card.ts'
import { errorSummary } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
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
} from './commit-fields.ts'

/** `GET /<project>/-/delete/<ref>/<path>`: asks before a file is deleted. */
export async function showDeleteFile(call: PageCall): Promise<Reply> {
  const { client, params } = call
  const projectId = params.project ?? ''
  const { ref, path, found } = await locate(call, params.target ?? '', async (target) => {
    if (target.path === '') throw missing()
    return client.repository.files.lines({ projectId, filePath: target.path, ref: target.ref })
  })
  const branch = await defaultBranchFor(call, ref)
  return showForm(call, { ref, path }, found.last_commit_id, branch, {})
}

/** `POST /<project>/-/delete/<ref>/<path>`: commits the deletion. */
export async function deleteFile(call: PageCall): Promise<Reply> {
  const { form } = call
  const target = { ref: form.text('ref'), path: form.text('path') }
  const lastCommit = form.text('last_commit_id')
  const deleted = await commitActions(call, [
    { action: 'delete', file_path: target.path, last_commit_id: lastCommit },
  ])
  if (deleted.ok) return afterCommit(call, 'tree', '')
  const state = { form, formErrors: deleted.formErrors }
  return showForm(call, target, lastCommit, form.text('branch'), state)
}

async function showForm(
  call: PageCall,
  target: CodeTarget,
  lastCommit: string,
  branch: string,
  state: FormState,
): Promise<Reply> {
  const project = await loadProject(call)
  const { formErrors = [] } = state
  const fullPath = project.path_with_namespace
  const { ref, path } = target
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `Delete ${path} · ${fullPath}`,
    place: projectPlace(project, 'code'),
    body: html`${heading(html`Delete <code>${path}</code>`)}${errorSummary(formErrors)}
${card({
  body: html`<form method="post" action="${projectAddress(fullPath, 'delete', ref, path)}"><input type="hidden" name="last_commit_id" value="${lastCommit}">
${commitFields(call, { target, message: `Delete ${path.slice(path.lastIndexOf('/') + 1)}`, branch }, state)}
<div class="buttons"><button class="danger">Delete the file</button> <a href="${projectAddress(fullPath, 'blob', ref, path)}">Cancel</a></div></form>`,
})}`,
  })
}
