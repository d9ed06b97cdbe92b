import { AccessLevel, type Branch, type Project } from '@stithy/core'
import { changeLevel, loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { badge } from '../../platform/design/badge.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { filterForm } from '../../platform/design/filter-form.ts'
import { errorSummary } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type FormError, submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress, withQuery } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { commitTitle } from '../commits/commit-view.ts'
import { refTabs } from '../revisions/ref-tabs.ts'

const orders = [
  { value: 'updated_desc', text: 'Newest first' },
  { value: 'updated_asc', text: 'Oldest first' },
  { value: 'name', text: 'By name' },
] as const
type Order = (typeof orders)[number]['value']

/** `GET /<project>/-/branches`. */
export function showBranches(call: PageCall): Promise<Reply> {
  return listPage(call, [])
}

async function listPage(call: PageCall, formErrors: readonly FormError[]): Promise<Reply> {
  const { client, params, query } = call
  const projectId = params.project ?? ''
  const search = query.get('search') ?? ''
  const sort = orderOf(query)
  const [project, branches] = await loadAll([
    loadProject(call),
    client.branches.list({ projectId, search, sort, with_divergence: true, ...pageNumber(query) }),
  ])
  const self = projectAddress(projectId, 'branches')
  const mayPush = changeLevel(project) >= AccessLevel.developer
  const create = mayPush && buttonLink(`${self}/new`, 'New branch', 'primary')
  const list = branches.items.map((branch) => branchRow(call, project, branch, mayPush))
  const empty = emptyState({
    title: search === '' ? 'No branches yet' : 'No such branches',
    text: 'Push a branch, or start one from another.',
  })
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `Branches · ${projectId}`,
    place: projectPlace(project, 'branches'),
    body: html`${heading('Branches', create || [])}${errorSummary(formErrors)}${refTabs(projectId, 'branches')}
${filterForm({ action: self, label: 'Filter branches', search: { name: 'search', value: search }, choices: [{ name: 'sort', label: 'Order', options: [...orders], value: sort }] })}
${card({ isFlush: true, body: list.length === 0 ? empty : rows(list) })}
${pagination(branches, self, query)}`,
  })
}

function orderOf(query: URLSearchParams): Order {
  return orders.find(({ value }) => value === query.get('sort'))?.value ?? 'updated_desc'
}

function branchRow(call: PageCall, project: Project, branch: Branch, mayPush: boolean): Html {
  const path = project.path_with_namespace
  const { name, commit } = branch
  const base = project.default_branch ?? ''
  const mayDelete = mayPush && !branch.default && !branch.protected
  const compare = projectAddress(path, 'compare', `${base}...${name}`)
  const request = withQuery(projectAddress(path, 'merge_requests', 'new'), {
    'merge_request[source_branch]': name,
  })
  return row({
    title: html`<a class="title" href="${projectAddress(path, 'tree', name)}">${name}</a> ${branch.default && badge('default')} ${branch.protected && badge('protected', '', 'lock')} ${branch.merged && badge('merged', 'merged')}`,
    details: html`<a class="mono" href="${projectAddress(path, 'commit', commit.id)}" aria-label="Commit ${commit.short_id}">${commit.short_id}</a><span>${commitTitle(commit)}</span><span>${timeAgo(commit.committed_date, call.now)}</span>`,
    end: html`${!branch.default && html`${divergence(branch, base)}<a href="${compare}" aria-label="Compare ${name}">Compare</a>${mayPush && !branch.merged && html`<a href="${request}" aria-label="Merge request of ${name}">Merge request</a>`}`}${
      mayDelete &&
      confirmation(call, {
        action: projectAddress(path, 'branches', 'delete'),
        text: 'Delete',
        label: `Delete ${name}`,
        question: `Delete ${name}?`,
        values: { branch: name },
      })
    }`,
  })
}

function divergence({ divergence: counts }: Branch, base: string): Html | undefined {
  if (!counts) return undefined
  const { ahead, behind } = counts
  return html`<span class="ahead" title="${ahead} ahead of ${base}, ${behind} behind"><span aria-hidden="true">${ahead} &uarr;</span><span aria-hidden="true">${behind} &darr;</span><span class="hidden">${ahead} ahead, ${behind} behind ${base}</span></span>`
}

/** `POST /<project>/-/branches/delete`. */
export async function deleteBranch(call: PageCall): Promise<Reply> {
  const { client, form, params } = call
  const projectId = params.project ?? ''
  const deleted = await submit(client.branches.delete({ projectId, branch: form.text('branch') }))
  if (!deleted.ok) return listPage(call, deleted.formErrors)
  return redirect(projectAddress(projectId, 'branches'))
}
