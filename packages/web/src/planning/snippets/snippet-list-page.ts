import type { Snippet } from '@stithy/core'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { badge } from '../../platform/design/badge.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { icon } from '../../platform/design/icon.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { pagination, tabs } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { signInAddress } from '../../platform/pages/sign-in-address.ts'
import { address, localPath } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { projectRights } from '../items/project-rights.ts'
import { snippetCalls } from './snippet-calls.ts'

/** `/dashboard/snippets`: those of the viewer; `/explore/snippets`: all public ones. */
export async function showSnippets(call: PageCall): Promise<Reply> {
  if (call.csrfToken === '') return redirect(signInAddress(call))
  const { client, query } = call
  const isExplore = call.address.startsWith('/explore')
  const self = isExplore ? '/explore/snippets' : '/dashboard/snippets'
  const snippets = await (isExplore
    ? client.snippets.listPublic(pageNumber(query))
    : client.snippets.list(pageNumber(query)))
  const create = buttonLink('/snippets/new', 'New snippet', 'primary')
  const links = [
    { text: 'Yours', href: '/dashboard/snippets', isCurrent: !isExplore },
    { text: 'Public', href: '/explore/snippets', isCurrent: isExplore },
  ]
  return page({
    title: 'Snippets',
    body: html`${heading('Snippets', create)}${tabs('Whose snippets', links)}
${card({ body: snippetRows(call, snippets.items, create), isFlush: true })}
${pagination(snippets, self, query)}`,
  })
}

/** `GET /<project>/-/snippets`. */
export async function showProjectSnippets(call: PageCall): Promise<Reply> {
  const calls = snippetCalls(call)
  const [project, viewer, snippets] = await loadAll([
    loadProject(call),
    call.viewer(),
    calls.all(pageNumber(call.query)),
  ])
  const create = projectRights(project, viewer).mayPlan
    ? buttonLink(`${calls.list}/new`, 'New snippet', 'primary')
    : undefined
  return page({
    title: `Snippets · ${project.path_with_namespace}`,
    place: projectPlace(project, 'snippets'),
    body: html`${heading('Snippets', create)}
${card({ body: snippetRows(call, snippets.items, create), isFlush: true })}
${pagination(snippets, calls.list, call.query)}`,
  })
}

function snippetRows(
  { now }: PageCall,
  snippets: readonly Snippet[],
  create: Html | undefined,
): Html {
  if (snippets.length === 0) {
    return emptyState({
      title: 'No snippets here',
      text: 'A snippet is a piece of code or text to share.',
      action: create,
    })
  }
  return rows(
    snippets.map((snippet) =>
      row({
        start: icon('note'),
        title: html`<a class="title" href="${localPath(snippet.web_url)}">${snippet.title}</a> ${visibilityBadge(snippet)}`,
        details: html`<span>$${snippet.id}</span><span>${snippet.file_name}</span><span>by <a href="${address(snippet.author.username)}">${snippet.author.name}</a> ${timeAgo(snippet.created_at, now)}</span>`,
      }),
    ),
  )
}

/** Who can see a snippet. */
export function visibilityBadge({ visibility }: Snippet): Html {
  return badge(visibility, '', visibility === 'private' ? 'lock' : 'globe')
}
