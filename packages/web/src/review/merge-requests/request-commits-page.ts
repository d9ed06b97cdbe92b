import type { Commit } from '@stithy/core'
import { projectPlace } from '../../directory/projects/project-place.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { icon } from '../../platform/design/icon.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { requestAddress } from './merge-request-address.ts'
import { requestKey, requestParams } from './request-call.ts'
import { requestHeader } from './request-header.ts'
import { loadRequest } from './request-view.ts'

/** `GET /<project>/-/merge_requests/:iid/commits`. */
export async function showRequestCommits(call: PageCall): Promise<Reply> {
  const { client, query, now } = call
  const params = requestParams(call)
  const [view, commits] = await loadAll([
    loadRequest(call),
    client.mergeRequests.commits({ ...params, ...pageNumber(query), per_page: 50 }),
  ])
  const path = view.project.path_with_namespace
  const list =
    commits.items.length === 0
      ? emptyState({
          title: 'No commits',
          text: 'The source branch has none that the target branch lacks.',
        })
      : rows(commits.items.map((commit) => commitRow(commit, path, now)))
  return page({
    title: `Commits · ${view.request.title} (!${view.request.iid}) · ${path}`,
    place: projectPlace(view.project, 'merge_requests'),
    body: html`${requestHeader(call, view, 'commits')}
<h2 class="hidden">Commits</h2>
${card({ body: list, isFlush: true })}
${pagination(commits, requestAddress(requestKey(call), 'commits'), query)}`,
  })
}

function commitRow(commit: Commit, project: string, now: number): Html {
  const href = projectAddress(project, 'commit', commit.id)
  return row({
    start: icon('git-commit'),
    title: html`<a class="title" href="${href}">${commit.title || 'No message'}</a>`,
    details: html`<span>${commit.author_name}</span><span>${timeAgo(commit.authored_date, now)}</span>`,
    end: html`<a href="${href}"><code>${commit.short_id}</code></a>`,
  })
}
