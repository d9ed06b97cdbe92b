import type { Commit } from '@stithy/core'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { projectAddress, withQuery } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { commitTitle } from '../commits/commit-view.ts'
import { locate } from '../revisions/code-target.ts'
import { refMenu } from '../revisions/ref-menu.ts'
import { type CommitGraph, type GraphEdge, layOutGraph } from './commit-graph.ts'

/** Commits on a page. */
const perPage = 100
/** Pixels of a row, as in the style, and of a lane. */
const rowHeight = 28
const laneWidth = 14

/** `GET /<project>/-/network/<ref>`: how commits follow each other; `?all=1` of all branches. */
export async function showNetwork(call: PageCall): Promise<Reply> {
  const { client, params, query } = call
  const projectId = params.project ?? ''
  const isAll = query.get('all') === '1'
  const [project, { ref, found }] = await loadAll([
    loadProject(call),
    locate(call, params.target ?? '', async ({ ref, path }) => {
      const which = isAll ? { all: true } : { ref_name: ref }
      const commits = await client.commits.list({
        ...{ projectId, per_page: perPage, ...which, ...pageNumber(query) },
      })
      if (path !== '' || commits.total === 0) throw missing()
      return commits
    }),
  ])
  const self = projectAddress(projectId, 'network', ref)
  const other = withQuery(self, { all: isAll ? undefined : '1' })
  return page({
    title: `Graph · ${projectId}`,
    place: projectPlace(project, 'commits'),
    body: html`${heading('Graph of commits')}
<div class="toolbar">${refMenu({ project: projectId, page: 'network', ref, path: '' })}<div class="end"><a class="button" href="${other}">${isAll ? `Only ${ref}` : 'All branches and tags'}</a></div></div>
${card({ body: graphRows(projectId, found.items, call.now) })}
${pagination(found, self, query)}`,
  })
}

function graphRows(project: string, commits: readonly Commit[], now: number): Html {
  const graph = layOutGraph(commits)
  const items = commits.map(
    (commit) =>
      html`<li><a class="mono" href="${projectAddress(project, 'commit', commit.id)}" aria-label="Commit ${commit.short_id}">${commit.short_id}</a> ${commitTitle(commit)} <span class="muted small">${commit.author_name}, ${timeAgo(commit.committed_date, now)}</span></li>`,
  )
  return html`<div class="graph-rows" tabindex="0" role="region" aria-label="Commits">${drawing(graph)}<ol>${items}</ol></div>`
}

const colors = [
  '#3178c6',
  '#c2552d',
  '#2f8f5b',
  '#b5447d',
  '#7d5bd0',
  '#a87700',
  '#1d8a99',
] as const

function colorOf(lane: number): string {
  return colors[lane % colors.length] ?? colors[0]
}

function drawing({ lanes, edges, width }: CommitGraph): Html {
  const [wide, high] = [(width + 1) * laneWidth, lanes.length * rowHeight]
  const lines = edges.map(
    (edge) =>
      html`<path d="${pathOf(edge)}" fill="none" stroke="${colorOf(edge.lane)}" stroke-width="2"/>`,
  )
  const dots = lanes.map(
    (lane, row) => html`<circle cx="${x(lane)}" cy="${y(row)}" r="5" fill="${colorOf(lane)}"/>`,
  )
  return html`<svg class="network" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}" aria-hidden="true">${lines}${dots}</svg>`
}

const x = (lane: number) => laneWidth * (lane + 0.75)
const y = (row: number) => rowHeight * (row + 0.5)

/** Leaves its commit, runs in its lane, and turns to the parent in the last row. */
function pathOf({ fromRow, fromLane, lane, toRow, toLane }: GraphEdge): string {
  const start = `M${x(fromLane)} ${y(fromRow)}`
  const out = lane === fromLane ? '' : curve(fromLane, fromRow, lane)
  const turn = lane === toLane ? toRow : toRow - 1
  const down = `V${y(Math.max(turn, lane === fromLane ? fromRow : fromRow + 1))}`
  const end = lane === toLane ? '' : curve(lane, toRow - 1, toLane)
  return start + out + down + end
}

/** To another lane, one row down. */
function curve(from: number, row: number, to: number): string {
  const middle = y(row) + rowHeight / 2
  return `C${x(from)} ${middle} ${x(to)} ${middle} ${x(to)} ${y(row + 1)}`
}
