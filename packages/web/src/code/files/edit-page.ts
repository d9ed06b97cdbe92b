import type { CommitAction } from '@stithy/core'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card, notice } from '../../platform/design/card.ts'
import { errorSummary, textArea, textField } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { readText } from '../repositories/readme.ts'
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

interface EditedFile extends CodeTarget {
  /** Undefined if it can't be edited as text. */
  text: string | undefined
  /** The commit that changed it last when the form was opened. */
  lastCommit: string
  branch: string
}

/** `GET /<project>/-/edit/<ref>/<path>`: a file in a form. */
export async function showEdit(call: PageCall): Promise<Reply> {
  const { client, params } = call
  const projectId = params.project ?? ''
  const { ref, path, found } = await locate(call, params.target ?? '', async (target) => {
    if (target.path === '') throw missing()
    const file = { projectId, filePath: target.path, ref: target.ref }
    return client.repository.files.lines(file)
  })
  const [text, branch] = await loadAll([
    found.type === 'text' ? readText(call, { ref, path }) : undefined,
    defaultBranchFor(call, ref),
  ])
  return showForm(call, { ref, path, text, lastCommit: found.last_commit_id, branch }, {})
}

/** `POST /<project>/-/edit/<ref>/<path>`: commits the file, under another name if it was changed. */
export async function saveEdit(call: PageCall): Promise<Reply> {
  const { form } = call
  const [path, newPath] = [form.text('path'), form.text('file_path').trim()]
  const text = form.text('content')
  const content = form.isChecked('crlf') ? text.replaceAll('\n', '\r\n') : text
  const lastCommit = form.text('last_commit_id')
  const lock = lockOf(form)
  const action: CommitAction =
    path === newPath
      ? { action: 'update', file_path: path, content, ...lock }
      : { action: 'move', file_path: newPath, previous_path: path, content, ...lock }
  const saved = await commitActions(call, [action])
  if (saved.ok) return afterCommit(call, 'blob', newPath)
  const file = { ref: form.text('ref'), path, text, lastCommit, branch: form.text('branch') }
  return showForm(call, file, { form, formErrors: saved.formErrors })
}

async function showForm(call: PageCall, file: EditedFile, state: FormState): Promise<Reply> {
  const project = await loadProject(call)
  const { formErrors = [] } = state
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `Edit ${file.path} · ${project.path_with_namespace}`,
    place: projectPlace(project, 'code'),
    body: html`${heading(html`Edit <code>${file.path}</code>`)}${errorSummary(formErrors)}
${file.text === undefined ? notice('This file is no text, or too large to be edited here.', 'warning') : card({ body: editForm(call, file, file.text, state) })}`,
  })
}

function editForm(call: PageCall, file: EditedFile, text: string, state: FormState): Html {
  const { ref, path, branch, lastCommit } = file
  const { form, formErrors = [] } = state
  const project = projectPath(call)
  const name = path.slice(path.lastIndexOf('/') + 1)
  const hasWindowsLines = form?.isChecked('crlf') ?? text.includes('\r\n')
  return html`<form method="post" action="${projectAddress(project, 'edit', ref, path)}">
<input type="hidden" name="last_commit_id" value="${lastCommit}">${hasWindowsLines && html`<input type="hidden" name="crlf" value="1">`}
${textField({ id: 'file_path', label: 'Path', value: form?.text('file_path') ?? path, required: true, formErrors })}
${textArea({ id: 'content', label: 'Content', value: text.replaceAll('\r\n', '\n'), format: 'code', rows: 24, formErrors })}
${formErrors.length > 0 && overwriteField(projectAddress(project, 'blob', ref, path))}
${commitFields(call, { target: { ref, path }, message: `Update ${name}`, branch }, state)}
<div class="buttons"><button class="primary">Commit changes</button> <a href="${projectAddress(project, 'blob', ref, path)}">Cancel</a></div>
</form>`
}
