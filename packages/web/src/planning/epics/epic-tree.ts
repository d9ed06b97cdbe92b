import type { Page } from '@stithy/client'
import type { Epic, EpicIssue } from '@stithy/core'
import { card } from '../../platform/design/card.ts'
import { csrfField, textField } from '../../platform/design/form-fields.ts'
import { icon } from '../../platform/design/icon.ts'
import { rows } from '../../platform/design/lists.ts'
import { menu } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { groupAddress, withQuery } from '../../platform/text/addresses.ts'
import { issueRow } from '../issues/issue-row.ts'
import { filterTerm } from '../items/filter-text.ts'
import type { PlanOwner } from '../items/plan-owner.ts'
import { epicRow } from './epic-row.ts'

/** The child epics and issues of an epic. */
export interface EpicTree {
  call: PageCall
  /** Address of the epic. */
  own: string
  owner: PlanOwner
  children: Page<Epic>
  issues: Page<EpicIssue>
}

/** What is directly below an epic, in its order; a planner moves, adds and removes. */
export function epicTree(tree: EpicTree): Html {
  const { call, owner, children, issues, own } = tree
  const labelHref = (page: string) => (title: string) =>
    withQuery(groupAddress(owner.path, page), { filter: filterTerm('label', title) })
  const childRows = children.items.map((epic, at) =>
    epicRow(epic, {
      now: call.now,
      labelHref: labelHref('epics'),
      end: childMenu(
        tree,
        `${own}/children/${epic.id}`,
        `&${epic.iid}`,
        neighbours(children.items, at, ({ id }) => id),
      ),
    }),
  )
  const issueRows = issues.items.map((issue, at) =>
    issueRow(issue, {
      now: call.now,
      labelHref: labelHref('issues'),
      hasProject: true,
      end: childMenu(
        tree,
        `${own}/issues/${issue.epic_issue_id}`,
        `#${issue.iid}`,
        neighbours(issues.items, at, (each) => each.epic_issue_id),
      ),
    }),
  )
  const none = html`<p class="empty">None yet</p>`
  return html`${card({ title: 'Child epics', body: html`${childRows.length === 0 ? none : rows(childRows)}${owner.rights.mayPlan && addChild(tree)}`, isFlush: true })}
${card({ title: 'Issues', body: html`${issueRows.length === 0 ? none : rows(issueRows)}${owner.rights.mayPlan && addIssue(tree)}`, isFlush: true })}`
}

interface Neighbours {
  before: number | undefined
  after: number | undefined
}

function neighbours<T>(items: readonly T[], at: number, idOf: (item: T) => number): Neighbours {
  const [before, after] = [items[at - 1], items[at + 1]]
  return {
    before: before && idOf(before),
    after: after && idOf(after),
  }
}

function childMenu(
  { call, owner }: EpicTree,
  action: string,
  name: string,
  { before, after }: Neighbours,
): Html | undefined {
  if (!owner.rights.mayPlan) return undefined
  return html`<form method="post" action="${action}">${csrfField(call)}${menu({
    summary: icon('kebab-horizontal'),
    label: `Actions on ${name}`,
    look: 'plain',
    items: [
      ...(before === undefined
        ? []
        : [html`<button name="before" value="${before}">Move up</button>`]),
      ...(after === undefined
        ? []
        : [html`<button name="after" value="${after}">Move down</button>`]),
      html`<button name="remove" value="1">Remove</button>`,
    ],
  })}</form>`
}

function addChild({ call, own }: EpicTree): Html {
  return html`<form class="line inset" method="post" action="${own}/children">${csrfField(call)}
${textField({ id: 'child', label: 'Add a child epic', hint: 'A title for a new one, or &5 for one that exists', required: true, maxLength: 255 })}<button>Add epic</button></form>`
}

function addIssue({ call, own }: EpicTree): Html {
  return html`<form class="line inset" method="post" action="${own}/issues">${csrfField(call)}
${textField({ id: 'issue', label: 'Add an issue', hint: 'With its project, such as group/app#3', required: true })}<button>Add issue</button></form>`
}
