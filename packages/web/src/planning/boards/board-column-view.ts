import type { Board, Issue } from '@stithy/core'
import { avatar } from '../../platform/design/avatar.ts'
import { count, label } from '../../platform/design/badge.ts'
import { csrfField } from '../../platform/design/form-fields.ts'
import { icon } from '../../platform/design/icon.ts'
import { menu } from '../../platform/design/navigation.ts'
import { css } from '../../platform/html/css.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { localPath, projectOf, withQuery } from '../../platform/text/addresses.ts'
import { shortDay } from '../../platform/text/time.ts'
import { issueHref } from '../issues/issue-row.ts'
import { filterTerm } from '../items/filter-text.ts'
import { labelTitles } from '../items/item-labels.ts'
import { ownAddress, type PlanOwner } from '../items/plan-owner.ts'
import type { Column } from './board-columns.ts'

export const boardStyle = css`
.board { position: relative; display: flex; gap: var(--space-3); overflow-x: auto; align-items: flex-start; padding-bottom: var(--space-4); margin: 0 0 var(--space-4); min-height: 24rem; }
.board > section { flex: 0 0 18rem; max-width: 85vw; background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); }
.board > section > header { display: flex; gap: var(--space-2); align-items: center; padding: var(--space-2) var(--space-3); }
.board h2 { font-size: .9375rem; margin: 0; }
.board header .end { margin-left: auto; display: flex; gap: var(--space-2); align-items: center; font-size: var(--small); color: var(--muted); }
.board ul.cards { list-style: none; margin: 0; padding: 0 var(--space-2) var(--space-2); }
.board ul.cards > li { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: var(--space-2) var(--space-3); margin: 0 0 var(--space-2); }
.board ul.cards .title { color: var(--text); font-weight: 600; }
.board ul.cards .details { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-2); align-items: center; font-size: var(--small); color: var(--muted); margin-top: var(--space-1); }
.board ul.cards .details > .menu { margin-left: auto; }
.board form.move { padding: var(--space-3); }
.board form.move button { margin: var(--space-2) var(--space-2) 0 0; }
.board form.move:not(:has(button)) { display: none; }
.board .dragged { opacity: .5; }
.board .drop-before { box-shadow: 0 -3px var(--accent); }
.board .drop-after { box-shadow: 0 3px var(--accent); }
.board .more, .board .none { padding: 0 var(--space-3) var(--space-2); font-size: var(--small); color: var(--muted); margin: 0; }
`

interface BoardView {
  call: PageCall
  owner: PlanOwner
  board: Board
  columns: readonly Column[]
}

/** The lists of a board beside each other, with their issues. */
export function boardColumns(view: BoardView): Html {
  const { columns } = view
  return html`<div class="board" tabindex="0" role="region" aria-label="Lists of the board" data-board="${view.board.id}"${isOrdered(view) && html` data-ordered`}>${columns.map(
    (column) => columnView(view, column),
  )}</div>`
}

/** Whether issues have an order within lists: that of their project. */
function isOrdered({ owner }: BoardView): boolean {
  return owner.kind === 'project'
}

function columnView(view: BoardView, column: Column): Html {
  const { key, title, color, issues, total } = column
  const isWhole = total === issues.length
  const weights = issues.flatMap(({ weight }) => weight ?? [])
  const weight = weights.reduce((sum, each) => sum + each, 0)
  const name = color === undefined ? title : label({ name: title, color })
  const number = key === 'open' ? (isWhole ? issues.length : undefined) : total
  const cards = issues.map((issue) => issueCard(view, column, issue))
  const more =
    (key === 'open' || !isWhole) && issues.length > 0
      ? html`<p class="more"><a href="${allOf(view, column)}">Show all</a></p>`
      : undefined
  return html`<section aria-label="${title}" data-list="${key}"><header><h2>${name}</h2>${number !== undefined && count(number)}<span class="end">${
    isWhole && weight > 0 && html`<span title="Weight">${icon('law', 'Weight')} ${weight}</span>`
  }${listMenu(view, column)}</span></header>
${cards.length === 0 ? html`<p class="none">No issues</p>` : html`<ul class="cards">${cards}</ul>`}${more}</section>`
}

/** The list of issues with what a column shows. */
function allOf({ call }: BoardView, { filter }: Column): string {
  const terms = [
    ...(filter.labels ?? []).map((title) => filterTerm('label', title)),
    ...(filter.assignee_username ?? []).map((name) => filterTerm('assignee', name)),
    ...(filter.milestone === undefined ? [] : [filterTerm('milestone', filter.milestone)]),
  ]
  const state = filter.state === 'closed' ? 'closed' : undefined
  return withQuery(ownAddress(call, 'issues'), { state, filter: terms.join(' ') })
}

function issueCard(view: BoardView, column: Column, issue: Issue): Html {
  const { owner } = view
  const isGroup = owner.kind === 'group'
  const labels = labelTitles(issue.labels).filter((title) => title !== column.list?.label?.name)
  return html`<li data-card="${issue.id}"><a class="title" href="${issueHref(issue)}">${issue.title}</a>
<div class="details"><span>${isGroup && projectOf(localPath(issue.web_url))}#${issue.iid}</span>${labels.map((title) => label({ name: title, color: colorOf(issue, title) }))}${
    issue.due_date !== null &&
    html`<span>${icon('calendar', 'Due')} ${shortDay(issue.due_date)}</span>`
  }${issue.weight !== null && issue.weight !== undefined && html`<span>${icon('law', 'Weight')} ${issue.weight}</span>`}${issue.assignees.map(
    (user) =>
      html`<span title="Assigned to ${user.name}">${avatar(user, 'small')}<span class="hidden">Assigned to ${user.name}</span></span>`,
  )}${owner.rights.mayPlan && moveForms(view, column, issue)}</div></li>`
}

function colorOf({ labels }: Issue, title: string): string | undefined {
  for (const each of labels) {
    if (typeof each !== 'string' && each.name === title) return each.color
  }
  return undefined
}

/**
 * Moves an issue within its list, or to another one; with the script, cards are dragged, which submits the
 * same forms.
 */
function moveForms(view: BoardView, column: Column, issue: Issue): Html {
  const { call, board, columns } = view
  const id = `to_${column.key}_${issue.id}`
  const options = columns
    .filter(({ key }) => key !== column.key)
    .map(({ key, title }) => html`<option value="${key}">${title}</option>`)
  const form = (kind: Html, body: Html) =>
    html`<form class="move" ${kind} method="post" action="${ownAddress(call, 'boards', board.id, 'move')}">${csrfField(call)}<input type="hidden" name="project" value="${issue.project_id}"><input type="hidden" name="iid" value="${issue.iid}">${body}</form>`
  const toList = html`<input type="hidden" name="from" value="${column.key}">
<label for="${id}">Move to</label><select id="${id}" name="to">${options}</select><button>Move</button>`
  return html`<details class="menu end" data-menu><summary aria-label="Move #${issue.iid}">${icon('kebab-horizontal')}</summary>
<div class="panel">${isOrdered(view) && form(html`data-order`, stepButtons(column, issue))}
${form(html`data-move`, toList)}</div></details>`
}

/** Moves an issue before the one above it in the list, or after the one below. */
function stepButtons({ issues }: Column, issue: Issue): Html {
  const at = issues.indexOf(issue)
  const [above, below] = [issues[at - 1], issues[at + 1]]
  const button = (name: string, other: Issue, text: string) =>
    html`<button name="${name}" value="${other.id}" aria-label="${text}: #${issue.iid}">${text}</button>`
  return html`${above && button('before', above, 'Move up')}${below && button('after', below, 'Move down')}`
}

function listMenu({ call, board, owner, columns }: BoardView, column: Column): Html | undefined {
  const { list, title } = column
  if (list === undefined || !owner.rights.mayPlan) return undefined
  const lists = columns.filter((each) => each.list !== undefined)
  const at = lists.indexOf(column)
  const action = ownAddress(call, 'boards', board.id, 'lists', list.id)
  const move = (position: number, text: string) =>
    html`<button name="position" value="${position}">${text}</button>`
  return html`<form method="post" action="${action}">${csrfField(call)}${menu({
    summary: icon('kebab-horizontal'),
    label: `Actions on the list ${title}`,
    look: 'plain',
    items: [
      ...(at > 0 ? [move(at - 1, 'Move left')] : []),
      ...(at < lists.length - 1 ? [move(at + 1, 'Move right')] : []),
      html`<button name="remove" value="1">Remove list</button>`,
    ],
  })}</form>`
}
