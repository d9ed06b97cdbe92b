import type { CommitAction, CommitDetail } from '@stithy/core'
import { loadProject } from '../../directory/projects/project-place.ts'
import { checkbox, csrfField, textArea, textField } from '../../platform/design/form-fields.ts'
import type { Form } from '../../platform/forms/form.ts'
import { type FormError, type Submission, submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { ifPermitted } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress, withQuery } from '../../platform/text/addresses.ts'
import type { CodeTarget } from '../revisions/code-target.ts'

/** A form that is shown for the first time, or again with what was typed. */
export interface FormState {
  form?: Form
  formErrors?: readonly FormError[]
}

/** What the form of a commit starts with. */
export interface CommitDefaults {
  target: CodeTarget
  message: string
  /** The branch to commit to. */
  branch: string
}

/**
 * The branch that a change of a file goes to if nobody says otherwise: the one that is shown, if the
 * viewer may push to it, or the first one of the repository.
 */
export async function defaultBranchFor(call: PageCall, ref: string): Promise<string> {
  const { client, params, viewer } = call
  const projectId = params.project ?? ''
  const [branch, user] = await loadAll([
    ifPermitted(client.branches.show({ projectId, branch: ref })).catch(() => undefined),
    viewer(),
  ])
  if (branch === undefined && (await loadProject(call)).empty_repo === true) return ref
  return branch?.can_push === true ? ref : `${user?.username ?? 'my'}-patch`
}

/** Message and branch of a commit, and what they need besides. */
export function commitFields(
  call: PageCall,
  { target, message, branch }: CommitDefaults,
  { form, formErrors = [] }: FormState,
): Html {
  return html`${csrfField(call)}<input type="hidden" name="ref" value="${target.ref}"><input type="hidden" name="path" value="${target.path}">
${textArea({ id: 'commit_message', label: 'Commit message', value: form?.text('commit_message') ?? message, rows: 3, required: true, formErrors })}
${textField({ id: 'branch', label: 'Branch', value: form?.text('branch') ?? branch, required: true, formErrors, hint: `A name that no branch has creates one from ${target.ref}.` })}
${checkbox({ id: 'merge_request', label: 'Start a merge request if the branch is another one', isChecked: form === undefined || form.isChecked('merge_request') })}`
}

/** Once a form was refused: somebody may have changed the file since it was opened. */
export function overwriteField(file: string): Html {
  return html`${checkbox({ id: 'overwrite', label: 'Replace the file even if somebody else has changed it meanwhile' })}<p><a href="${file}">Show the file as it is now</a></p>`
}

/** Has a commit refused that would undo what somebody else has changed, unless the form says otherwise. */
export function lockOf(form: Form): { last_commit_id?: string } {
  return form.isChecked('overwrite') ? {} : { last_commit_id: form.text('last_commit_id') }
}

/** Commits what a form says. */
export function commitActions(
  { client, params, form }: PageCall,
  actions: readonly CommitAction[],
): Promise<Submission<CommitDetail>> {
  const [ref, branch] = [form.text('ref'), form.text('branch').trim()]
  return submit(
    startingFrom(ref, branch, (start) =>
      client.commits.create({
        projectId: params.project ?? '',
        branch,
        commit_message: form.text('commit_message'),
        actions: [...actions],
        stats: false,
        ...start,
      }),
    ),
    {
      commit_message: 'commit_message',
      branch: 'branch',
      content: 'content',
      file_path: 'file_path',
    },
  )
}

/** A branch that exists is committed to as it is; another one starts from what was shown. */
function startingFrom<T>(
  ref: string,
  branch: string,
  commit: (start: { start_branch?: string }) => PromiseLike<T>,
): PromiseLike<T> {
  return commit(ref === branch ? {} : { start_branch: ref })
}

/** Where a commit leads: to what was changed, or to a merge request of a new branch. */
export function afterCommit(call: PageCall, page: 'blob' | 'tree', path: string): Reply {
  const { form, params } = call
  const project = params.project ?? ''
  const branch = form.text('branch').trim()
  if (branch !== form.text('ref') && form.isChecked('merge_request')) {
    const create = projectAddress(project, 'merge_requests', 'new')
    return redirect(withQuery(create, { 'merge_request[source_branch]': branch }))
  }
  return redirect(projectAddress(project, page, branch, ...(path === '' ? [] : [path])))
}
