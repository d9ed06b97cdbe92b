import { fileAnchor } from '../../../code/diffs/diff-entry.ts'
import type { Form } from '../../../platform/forms/form.ts'
import { submit } from '../../../platform/forms/submit.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../../platform/pages/reply.ts'
import { withQuery } from '../../../platform/text/addresses.ts'
import { attempt } from '../attempt.ts'
import { requestParams } from '../request-call.ts'
import { changesAddress, showChanges } from './changes-page.ts'

/** `POST …/diffs/lines`: starts a thread on a line. */
export async function startLineThread(call: PageCall): Promise<Reply> {
  const { client, form, query } = call
  const started = await submit(
    client.mergeRequests.discussions.create({
      ...requestParams(call),
      body: form.text('body'),
      position: positionIn(form),
    }),
    { body: 'line_body', note: 'line_body' },
  )
  if (!started.ok) return showChanges(call, { line: { form, formErrors: started.formErrors } })
  const back = withQuery(changesAddress(call), { line: undefined }, query)
  return redirect(`${back}#discussion_${started.value.id}`)
}

function positionIn(form: Form) {
  const [oldLine, newLine] = [form.number('old_line'), form.number('new_line')]
  return {
    base_sha: form.text('base_sha'),
    start_sha: form.text('start_sha'),
    head_sha: form.text('head_sha'),
    position_type: 'text' as const,
    old_path: form.text('old_path'),
    new_path: form.text('new_path'),
    ...(oldLine === undefined ? {} : { old_line: oldLine }),
    ...(newLine === undefined ? {} : { new_line: newLine }),
  }
}

/** `POST …/diffs/suggestions/:suggestion_id`: commits a suggested change to the source branch. */
export async function applySuggestion(call: PageCall): Promise<Reply> {
  const id = call.params.suggestion_id ?? ''
  const suggestionId = /^\d{1,15}$/.test(id) ? Number(id) : 0
  const applied = await submit(call.client.suggestions.apply({ suggestionId }))
  return applied.ok
    ? redirect(changesAddress(call))
    : showChanges(call, { formErrors: applied.formErrors })
}

/** `POST …/diffs/viewed`: marks a file of the shown version as viewed, or as not viewed. */
export async function changeViewed(call: PageCall): Promise<Reply> {
  const { client, form, query } = call
  const filePath = form.text('path')
  const file = { ...requestParams(call), filePath }
  const version = form.number('version_id')
  const { viewedFiles } = client.mergeRequests
  const change =
    form.text('viewed') === '0'
      ? viewedFiles.delete(file)
      : viewedFiles.set({ ...file, ...(version === undefined ? {} : { version_id: version }) })
  // What is gone meanwhile, such as the mark, shows on the page.
  await attempt(change, { 404: '' })
  return redirect(
    `${withQuery(changesAddress(call), {}, query)}#${fileAnchor({ new_path: filePath })}`,
  )
}
