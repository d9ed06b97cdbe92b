import type { Issue, Project } from '@stithy/core'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card } from '../../platform/design/card.ts'
import { csrfField, errorSummary } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { type FormError, submit } from '../../platform/forms/submit.ts'
import { html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { textPage } from '../../platform/pages/text-page.ts'
import { listMilestoneChoices } from '../items/milestone-choice.ts'
import { projectRights } from '../items/project-rights.ts'
import { issueAddress } from './issue-address.ts'
import { issueFieldIds, issueFields, readIssueSettings } from './issue-fields.ts'

async function load(call: PageCall): Promise<Issue> {
  const projectId = projectPath(call)
  return call.client.issues.show({ projectId, issueIid: rowId(call, 'iid') })
}

/** `GET /<project>/-/issues/:iid/description`. */
export const showIssueDescription = textPage(async (call) => (await load(call)).description)

/** `GET /<project>/-/issues/:iid/edit`. */
export async function showEditIssue(call: PageCall): Promise<Reply> {
  return editPage(call, await loadAll([loadProject(call), load(call)]))
}

/**
 * `POST /<project>/-/issues/:iid/edit`: changes all fields. A form of an issue that somebody has changed
 * meanwhile is shown again, with what was typed.
 */
export async function editIssue(call: PageCall): Promise<Reply> {
  const { client, form, params } = call
  const [project, issue] = await loadAll([loadProject(call), load(call)])
  if (form.text('version') !== issue.updated_at) {
    const text = `Somebody changed the issue meanwhile: its title is now “${issue.title}”. Save again to replace it.`
    return editPage(call, [project, issue], [{ field: '', text }])
  }
  const read = await readIssueSettings(call, { isWhole: true })
  if (!read.ok) return editPage(call, [project, issue], read.formErrors)
  const ids = { projectId: params.project ?? '', issueIid: issue.iid }
  const changed = await submit(client.issues.update({ ...ids, ...read.settings }), issueFieldIds)
  return changed.ok
    ? redirect(issueAddress(ids.projectId, issue.iid))
    : editPage(call, [project, issue], changed.formErrors)
}

async function editPage(
  call: PageCall,
  [project, issue]: readonly [Project, Issue],
  formErrors: readonly FormError[] = [],
): Promise<Reply> {
  const path = project.path_with_namespace
  const own = issueAddress(path, issue.iid)
  const [viewer, milestones] = await loadAll([
    call.viewer(),
    listMilestoneChoices(call, path, issue.milestone),
  ])
  const { mayPlan } = projectRights(project, viewer)
  const isAgain = formErrors.length > 0
  const fields = issueFields({
    form: isAgain ? call.form : undefined,
    issue,
    query: call.query,
    formErrors,
    milestones,
    mayPlan,
  })
  return page({
    status: isAgain ? 422 : 200,
    title: `Edit #${issue.iid} · ${path}`,
    place: projectPlace(project, 'issues'),
    body: html`${heading(`Edit issue #${issue.iid}`)}${errorSummary(formErrors)}
${card({
  body: html`<form method="post" action="${own}/edit">${csrfField(call)}<input type="hidden" name="version" value="${issue.updated_at}">
${fields}<div class="buttons"><button class="primary">Save changes</button> <a href="${own}">Cancel</a></div></form>`,
})}`,
  })
}
