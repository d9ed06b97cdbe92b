import { StithyError } from '@stithy/client'
import type { Branch, Milestone, Project } from '@stithy/core'
import { loadProject, projectPlace } from '../../../directory/projects/project-place.ts'
import { card } from '../../../platform/design/card.ts'
import { csrfField, errorSummary } from '../../../platform/design/form-fields.ts'
import { heading } from '../../../platform/design/heading.ts'
import type { Form } from '../../../platform/forms/form.ts'
import type { FormError } from '../../../platform/forms/submit.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { loadAll } from '../../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../../platform/pages/page-call.ts'
import { page, type Reply, redirect } from '../../../platform/pages/reply.ts'
import { localPath, projectAddress, withQuery } from '../../../platform/text/addresses.ts'
import { chooseBranches } from './choose-branches.ts'
import { branchesIn, loadRequestProjects, type RequestBranches } from './request-branches.ts'
import { loadMilestones, noValues, requestFields, requestSettings } from './request-fields.ts'
import { mayChooseApprovers, saveRequest } from './save-request.ts'

interface FormState {
  /** What was typed, in a form that is shown again. */
  form?: Form
  formErrors?: readonly FormError[]
}

/**
 * `GET /<project>/-/merge_requests/new`: which branches, then the form. Links that a push prints have
 * `merge_request[source_branch]`.
 */
export function showNewRequest(call: PageCall): Promise<Reply> {
  return showForm(call, {})
}

/** `POST /<project>/-/merge_requests`: opens it, or shows the form again with what was typed. */
export async function createRequest(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const value = (name: string) => form.text(name)
  const created = await saveRequest(call, (assigneeIds) =>
    client.mergeRequests.create({
      projectId: value('source_project_id') || projectPath(call),
      source_branch: value('source_branch'),
      target_branch: value('target_branch'),
      ...(value('target_project_id') === ''
        ? {}
        : { target_project_id: Number(value('target_project_id')) }),
      ...requestSettings(form),
      assignee_ids: assigneeIds,
    }),
  )
  return created.ok
    ? redirect(localPath(created.value.web_url))
    : showForm(call, { form, formErrors: created.formErrors })
}

/** What an address names, as `merge_request[source_branch]`. */
function given({ query }: PageCall, name: string): string {
  return query.get(`merge_request[${name}]`) ?? ''
}

async function showForm(call: PageCall, { form, formErrors = [] }: FormState): Promise<Reply> {
  const project = await loadProject(call)
  const value = (name: string) => form?.text(name) ?? given(call, name)
  const projects = await loadRequestProjects(call, project, value('source_project_id'))
  const branches = branchesIn(value, project, projects)
  const head = await findBranch(call, branches.source, branches.sourceBranch)
  const isChosen = branches.sourceBranch !== '' && !call.query.has('change_branches')
  if (isChosen && head !== undefined) {
    return describe(call, { project, branches, head, form, formErrors })
  }
  const wrong = isChosen
    ? [{ field: 'source_branch', text: `There is no branch ${branches.sourceBranch}.` }]
    : []
  const path = projectAddress(project.path_with_namespace, 'merge_requests', 'new')
  const known = await branchNames(call, [branches.source, branches.target])
  return page({
    status: wrong.length > 0 ? 422 : 200,
    title: `New merge request · ${project.path_with_namespace}`,
    place: projectPlace(project, 'merge_requests'),
    body: html`${heading('New merge request')}
${chooseBranches({ path, branches, projects, known, formErrors: wrong })}`,
  })
}

async function findBranch(
  { client }: PageCall,
  { id: projectId }: Project,
  branch: string,
): Promise<Branch | undefined> {
  if (branch === '') return undefined
  try {
    return await client.branches.show({ projectId, branch })
  } catch (error) {
    if (error instanceof StithyError && [400, 404].includes(error.status ?? 0)) return undefined
    throw error
  }
}

/** The names of a hundred branches of each project, those that changed last first. */
async function branchNames(
  { client }: PageCall,
  projects: readonly Project[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const ids = [...new Set(projects.map(({ id }) => id))]
  const lists = await loadAll(
    ids.map((projectId) =>
      client.branches.list({ projectId, per_page: 100, sort: 'updated_desc' }),
    ),
  )
  return new Map(ids.map((id, at) => [id, lists[at]?.items.map(({ name }) => name) ?? []]))
}

interface Description extends Required<Pick<FormState, 'formErrors'>> {
  project: Project
  branches: RequestBranches
  /** The source branch. */
  head: Branch
  form: Form | undefined
}

/** The second step: title, description and the rest. */
async function describe(call: PageCall, description: Description): Promise<Reply> {
  const { project, branches, formErrors } = description
  const targetId = branches.target.id
  const [milestones, hasApprovals] = await loadAll([
    loadMilestones(call, targetId),
    mayChooseApprovers(call, targetId),
  ])
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `New merge request · ${project.path_with_namespace}`,
    place: projectPlace(project, 'merge_requests'),
    body: html`${heading('New merge request')}${errorSummary(formErrors)}
${branchLine(project, branches)}
${card({ body: descriptionForm(call, description, { milestones, hasApprovals }) })}`,
  })
}

const names = ['source_project_id', 'source_branch', 'target_project_id', 'target_branch'] as const

function valuesOf({ source, target, sourceBranch, targetBranch }: RequestBranches): string[] {
  return [String(source.id), sourceBranch, String(target.id), targetBranch]
}

function branchLine(project: Project, branches: RequestBranches): Html {
  const { source, target, sourceBranch, targetBranch } = branches
  const isFork = source.id !== target.id
  const text = ({ path_with_namespace: path }: Project, branch: string) =>
    isFork ? `${path}:${branch}` : branch
  const values = valuesOf(branches)
  const query = names.map((name, at) => [`merge_request[${name}]`, values[at]])
  const href = withQuery(projectAddress(project.path_with_namespace, 'merge_requests', 'new'), {
    ...Object.fromEntries(query),
    change_branches: 1,
  })
  return html`<p>From <code>${text(source, sourceBranch)}</code> into <code>${text(target, targetBranch)}</code> <a href="${href}">Change branches</a></p>`
}

interface Choices {
  milestones: readonly Milestone[]
  hasApprovals: boolean
}

function descriptionForm(
  call: PageCall,
  { project, branches, head, form, formErrors }: Description,
  choices: Choices,
): Html {
  const values = valuesOf(branches)
  const path = projectAddress(project.path_with_namespace, 'merge_requests')
  const isFork = branches.source.id !== branches.target.id
  const suggested = suggestion(head)
  return html`<form method="post" action="${path}">
${csrfField(call)}${names.map((name, at) => html`<input type="hidden" name="${name}" value="${values[at]}">`)}
${requestFields({
  values: {
    ...noValues,
    title: given(call, 'title') || suggested.title,
    description: given(call, 'description') || suggested.description,
    removeSourceBranch: !head.protected && !head.default,
  },
  choices: { ...choices, isFork },
  form,
  formErrors,
})}
<div class="buttons"><button class="primary">Create merge request</button> <a href="${path}">Cancel</a></div>
</form>`
}

/** The title and the text of the newest commit, as most branches have one. */
function suggestion({ commit }: Branch): { title: string; description: string } {
  const { title, message } = commit
  const end = message.indexOf('\n')
  return { title: title.slice(0, 255), description: end < 0 ? '' : message.slice(end).trim() }
}
