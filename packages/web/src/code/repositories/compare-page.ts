import type { Comparison, Project } from '@stithy/core'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState, notice } from '../../platform/design/card.ts'
import { errorSummary, textField } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { rows } from '../../platform/design/lists.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { isMissing } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress, withQuery } from '../../platform/text/addresses.ts'
import { plural } from '../../platform/text/numbers.ts'
import { commitRow } from '../commits/commit-view.ts'
import { diffFileList, diffFiles, layoutOf } from '../diffs/diff-files.ts'
import { layoutLinks } from '../diffs/layout-links.ts'

/** Files and commits on a page. */
const filesPerPage = 50
const maxCommits = 100

/** `GET /<project>/-/compare`: which two to compare. */
export async function showCompareForm(call: PageCall): Promise<Reply> {
  const [from, to] = [call.query.get('from') ?? '', call.query.get('to') ?? '']
  const path = projectPath(call)
  if (from !== '' && to !== '') return redirect(projectAddress(path, 'compare', `${from}...${to}`))
  const project = await loadProject(call)
  const form = compareForm(project, from || (project.default_branch ?? ''), to)
  return page({
    title: `Compare · ${path}`,
    place: projectPlace(project, 'commits'),
    body: html`${heading('Compare')}${card({ body: form })}`,
  })
}

function compareForm(project: Project, from: string, to: string): Html {
  const self = projectAddress(project.path_with_namespace, 'compare')
  return html`<form action="${self}" class="compare">
${textField({ id: 'from', label: 'From', value: from, required: true, placeholder: 'A branch, a tag or a commit' })}
${textField({ id: 'to', label: 'To', value: to, required: true })}
<div class="buttons"><button class="primary">Compare</button></div></form>`
}

/** `GET /<project>/-/compare/<from>...<to>`: the commits and changes between two refs. */
export async function showComparison(call: PageCall): Promise<Reply> {
  const { client, params, query } = call
  const projectId = params.project ?? ''
  const [from, to] = refsOf(params.target ?? '')
  const straight = (params.target ?? '').includes('...') ? {} : { straight: true }
  const [project, compared] = await loadAll([
    loadProject(call),
    submit(client.repository.compare({ projectId, from, to, ...straight })).catch((error) => {
      if (!isMissing(error)) throw error
      const text = `There is no branch, tag or commit ${from}, or no ${to}.`
      return { ok: false as const, formErrors: [{ field: 'from', text }] }
    }),
  ])
  const formErrors = compared.ok ? [] : compared.formErrors
  const request = withQuery(projectAddress(projectId, 'merge_requests', 'new'), {
    'merge_request[source_branch]': to,
    'merge_request[target_branch]': from,
  })
  return page({
    status: compared.ok ? 200 : 404,
    title: `${from}...${to} · ${projectId}`,
    place: projectPlace(project, 'commits'),
    body: html`${heading('Compare', call.csrfToken === '' ? [] : buttonLink(request, 'New merge request'))}${errorSummary(formErrors)}
${card({ body: html`${compareForm(project, from, to)}<p><a href="${projectAddress(projectId, 'compare', `${to}...${from}`)}">Swap</a></p>` })}
${compared.ok && result(call, projectId, compared.value, to, query)}`,
  })
}

/** `a...b`: what `b` has since both parted; `a..b`: all that differs. */
function refsOf(target: string): [string, string] {
  const dots = target.includes('...') ? '...' : '..'
  const at = target.indexOf(dots)
  return at < 0 ? [target, 'HEAD'] : [target.slice(0, at), target.slice(at + dots.length)]
}

function result(
  call: PageCall,
  project: string,
  { commits, diffs, compare_same_ref: isSame, compare_timeout: isCut }: Comparison,
  to: string,
  query: URLSearchParams,
): Html {
  if (isSame || (commits.length === 0 && diffs.length === 0)) {
    return card({ body: emptyState({ title: 'Nothing differs' }) })
  }
  const self = call.address.split('?', 1)[0] ?? ''
  const newest = commits.toReversed().slice(0, maxCommits)
  const number = query.get('file')
  const alone = number !== null && /^\d{1,6}$/.test(number) ? Number(number) : undefined
  const start = alone ?? filesPerPage * (pageOf(query) - 1)
  const shown = diffs.slice(start, start + (alone === undefined ? filesPerPage : 1))
  return html`${isCut && notice('There is more than is shown: a limit was reached.', 'warning')}
${commits.length > 0 && card({ title: plural(commits.length, 'commit'), isFlush: true, body: rows(newest.map((commit) => commitRow(commit, project, call.now))) })}
${layoutLinks(self, query)}
${diffFileList(shown, `Changed files: ${shown.length} of ${diffs.length}`)}
${diffFiles({
  entries: shown,
  layout: layoutOf(query),
  isAlone: alone !== undefined,
  fileAddress: (_, index) => withQuery(self, { file: start + index, page: undefined }, query),
  blobAddress: (entry) =>
    entry.deleted_file ? undefined : projectAddress(project, 'blob', to, entry.new_path),
})}
${alone === undefined && pages(self, query, diffs.length)}`
}

function pageOf(query: URLSearchParams): number {
  const text = query.get('page') ?? ''
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 1
}

function pages(self: string, query: URLSearchParams, total: number): Html | undefined {
  if (total <= filesPerPage) return undefined
  const current = pageOf(query)
  const link = (to: number, text: string) =>
    html`<a class="button" href="${withQuery(self, { page: to }, query)}">${text}</a>`
  return html`<nav class="pages" aria-label="Pages">${current > 1 && link(current - 1, 'Previous')}<span class="muted">Page ${current}</span>${current * filesPerPage < total && link(current + 1, 'Next')}</nav>`
}
