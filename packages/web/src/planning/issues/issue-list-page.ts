import type { Issue } from '@stithy/core'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { avatar } from '../../platform/design/avatar.ts'
import { stateIcon } from '../../platform/design/badge.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { pagination, tabs } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { address, projectAddress, withQuery } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'

const states = { opened: 'Open', closed: 'Closed', all: 'All' } as const

/** `GET /<project>/-/issues`: the issues of a project. */
export async function showIssues(call: PageCall): Promise<Reply> {
  const { client, query } = call
  const path = call.params.project ?? ''
  const state = stateOf(query)
  const [project, issues] = await Promise.all([
    loadProject(call),
    client.issues.list({
      projectId: path,
      ...pageNumber(query),
      ...(state === 'all' ? {} : { state }),
    }),
  ])
  const self = projectAddress(path, 'issues')
  const create = buttonLink(`${self}/new`, 'New issue', 'primary')
  const filters = Object.entries(states).map(([value, text]) => ({
    text,
    href: withQuery(self, { state: value, page: undefined }, query),
    isCurrent: value === state,
  }))
  const list =
    issues.items.length === 0
      ? emptyState({
          title: 'No issues here',
          text: 'Report a bug, or plan a change.',
          action: create,
        })
      : rows(issues.items.map((issue) => issueRow(issue, path, call.now)))
  return page({
    title: `Issues · ${path}`,
    place: projectPlace(project, 'issues'),
    body: html`${heading('Issues', create)}
${tabs('States', filters)}
${card({ body: list, isFlush: true })}
${pagination(issues, self, query)}`,
  })
}

function stateOf(query: URLSearchParams): keyof typeof states {
  const state = query.get('state') ?? ''
  return Object.hasOwn(states, state) ? (state as keyof typeof states) : 'opened'
}

function issueRow(issue: Issue, project: string, now: number): Html {
  return row({
    start: stateIcon('issue', issue.state),
    title: html`<a class="title" href="${projectAddress(project, 'issues', issue.iid)}">${issue.title}</a>`,
    details: html`<span>#${issue.iid}</span><span>opened ${timeAgo(issue.created_at, now)} by <a href="${address(issue.author.username)}">${issue.author.name}</a></span>`,
    end: html`${issue.assignees.map((user) => avatar(user, 'small'))}`,
  })
}
