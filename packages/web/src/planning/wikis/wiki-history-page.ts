import type { Commit } from '@stithy/core'
import { commitTitle } from '../../code/commits/commit-view.ts'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { avatar } from '../../platform/design/avatar.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { projectAddress, withQuery } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'

/** What an address ends in that asks for the history of a page. */
export const historyEnding = '/history'

/** The parameter that asks for a page as of a commit. */
export const versionParameter = 'version_id'

/** `GET /<project>/-/wikis/<slug>/history`: the commits that changed a page. */
export async function showWikiHistory(call: PageCall, slug: string): Promise<Reply> {
  const projectId = projectPath(call)
  const [project, commits] = await loadAll([
    loadProject(call),
    call.client.wikis.commits({ projectId, slug, ...pageNumber(call.query) }),
  ])
  const own = projectAddress(projectId, 'wikis', slug)
  return page({
    title: `History of ${slug} · Wiki · ${projectId}`,
    place: projectPlace(project, 'wikis'),
    body: html`${heading(`History of ${slug}`, buttonLink(own, 'Page'))}
${card({ isFlush: true, body: rows(commits.items.map((commit) => versionRow(commit, own, call.now))) })}
${pagination(commits, `${own}${historyEnding}`, call.query)}`,
  })
}

/** A commit, which leads to the page as it was then. */
function versionRow(commit: Commit, own: string, now: number): Html {
  const href = withQuery(own, { [versionParameter]: commit.id })
  return row({
    start: avatar({ name: commit.author_name || '?' }),
    title: html`<a class="title" href="${href}">${commitTitle(commit)}</a>`,
    details: html`<span>${commit.author_name}</span><span>${timeAgo(commit.committed_date, now)}</span>`,
    end: html`<span class="mono">${commit.short_id}</span>`,
  })
}
