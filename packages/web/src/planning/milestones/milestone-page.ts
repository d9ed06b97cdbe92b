import {
  AccessLevel,
  type BurndownEvent,
  type Issue,
  type MergeRequest,
  type Milestone,
} from '@stithy/core'
import { badge, stateBadge, stateIcon } from '../../platform/design/badge.ts'
import { actionButton, buttonLink } from '../../platform/design/button.ts'
import { card } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { heading } from '../../platform/design/heading.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { prose } from '../../platform/design/prose.ts'
import { css } from '../../platform/html/css.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { ifPermitted } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { renderTexts } from '../../platform/pages/render-texts.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { localPath, withQuery } from '../../platform/text/addresses.ts'
import { issueRow } from '../issues/issue-row.ts'
import { filterTerm } from '../items/filter-text.ts'
import { loadOwner, ownAddress, type PlanOwner } from '../items/plan-owner.ts'
import { burndownChart } from './burndown-chart.ts'
import { findMilestone } from './find-milestone.ts'
import { type MilestoneCalls, milestoneCalls } from './milestone-calls.ts'
import { milestoneDates } from './milestone-list-page.ts'

export const milestoneStyle = css`
.thirds { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: var(--space-4); align-items: start; }
form.inset { padding: var(--space-3) var(--space-4); border-top: 1px solid var(--line); }
progress { width: 100%; height: .5rem; accent-color: var(--good); }
`

/** Issues and merge requests on the page. */
const shown = 100

/** Pages of changes that the burndown chart reads. */
const maxEventPages = 10

/** `GET …/-/milestones/:iid`. */
export async function showMilestone(call: PageCall): Promise<Reply> {
  const [owner, milestone] = await loadAll([
    loadOwner(call, { project: 'issues', group: 'milestones' }),
    findMilestone(call),
  ])
  const calls = milestoneCalls(call)
  const whole = ownAddress(call, 'milestones', milestone.iid, 'description')
  const [issues, requests, events, [description = '']] = await loadAll([
    calls.issues(milestone.id, { per_page: shown }),
    calls.mergeRequests(milestone.id, { per_page: shown }),
    readEvents(calls, milestone),
    renderTexts(call, [{ text: milestone.description, whole }], call.params.project),
  ])
  const parts = { issues: issues.items, requests: requests.items, total: issues.total ?? 0 }
  const end = owner.rights.mayDevelop ? milestoneActions(call, owner, milestone) : undefined
  return page({
    title: `${milestone.title} · Milestones · ${owner.path}`,
    place: owner.place,
    body: html`${heading(milestone.title, end)}
<p class="row">${stateBadge('milestone', milestone.state)}<span class="muted row">${milestoneDates(milestone)}</span></p>
${description !== '' && card({ body: prose(description) })}
${progress(parts.issues)}
${chartCard(milestone, events, call.now)}
${issueColumns(call, milestone, parts)}
${parts.requests.length > 0 && card({ title: 'Merge requests', body: rows(parts.requests.map(requestRow)), isFlush: true })}`,
  })
}

/** Undefined in tiers without burndown charts. */
async function readEvents(
  calls: MilestoneCalls,
  { id, start_date: start, due_date: due }: Milestone,
): Promise<readonly BurndownEvent[]> {
  if (start === null || due === null) return []
  const first = await ifPermitted(calls.burndown(id, { per_page: 100 }))
  if (first === undefined) return []
  const pages = Math.min(first.totalPages ?? 1, maxEventPages)
  const rest = Array.from({ length: Math.max(pages - 1, 0) }, (_, at) => at + 2)
  const others = await loadAll(
    rest.map((number) => calls.burndown(id, { per_page: 100, page: number })),
  )
  return [first, ...others].flatMap(({ items }) => items)
}

function progress(issues: readonly Issue[]): Html | undefined {
  if (issues.length === 0) return undefined
  const done = issues.filter(({ state }) => state === 'closed').length
  const text = `${done} of ${issues.length} issues closed`
  return html`<p><label class="small muted" for="progress">${text}</label><progress id="progress" max="${issues.length}" value="${done}">${text}</progress></p>`
}

function chartCard(
  milestone: Milestone,
  events: readonly BurndownEvent[],
  now: number,
): Html | undefined {
  const chart = burndownChart(milestone, events, now)
  return chart && card({ title: 'Burndown', body: chart })
}

interface Parts {
  issues: readonly Issue[]
  requests: readonly MergeRequest[]
  total: number
}

function issueColumns(call: PageCall, milestone: Milestone, { issues, total }: Parts): Html {
  const labelHref = (title: string) =>
    withQuery(ownAddress(call, 'issues'), { filter: filterTerm('label', title) })
  const options = { now: call.now, labelHref, hasProject: call.params.project === undefined }
  const isOpen = ({ state }: Issue) => state === 'opened'
  const columns = [
    ['To do', issues.filter((issue) => isOpen(issue) && issue.assignees.length === 0)],
    ['Doing', issues.filter((issue) => isOpen(issue) && issue.assignees.length > 0)],
    ['Done', issues.filter((issue) => !isOpen(issue))],
  ] as const
  const list = withQuery(ownAddress(call, 'issues'), {
    state: 'all',
    filter: filterTerm('milestone', milestone.title),
  })
  const cards = columns.map(([title, found]) =>
    card({
      title: html`${title} ${badge(String(found.length))}`,
      isFlush: true,
      body:
        found.length === 0
          ? html`<p class="empty">None</p>`
          : rows(found.map((issue) => issueRow(issue, options))),
    }),
  )
  return html`<div class="thirds">${cards}</div>${total > issues.length && html`<p><a href="${list}">Show all ${total} issues</a></p>`}`
}

function requestRow(request: MergeRequest): Html {
  return row({
    start: stateIcon('merge_request', request.state),
    title: html`<a class="title" href="${localPath(request.web_url)}">${request.title}</a>`,
    details: html`<span>!${request.iid}</span><span>by ${request.author.name}</span>`,
  })
}

function milestoneActions(call: PageCall, { levelAbove }: PlanOwner, milestone: Milestone): Html[] {
  const own = ownAddress(call, 'milestones', milestone.iid)
  const isActive = milestone.state === 'active'
  return [
    buttonLink(`${own}/edit`, 'Edit'),
    actionButton(call, {
      action: own,
      text: isActive ? 'Close milestone' : 'Reopen milestone',
      values: { state_event: isActive ? 'close' : 'activate' },
    }),
    ...(levelAbove >= AccessLevel.developer
      ? [
          confirmation(call, {
            action: `${own}/promote`,
            text: 'Promote',
            question: 'Make it a milestone of the group?',
          }),
        ]
      : []),
    confirmation(call, {
      action: `${own}/delete`,
      text: 'Delete',
      question: 'Its issues remain. Delete it?',
      look: 'danger',
    }),
  ]
}
