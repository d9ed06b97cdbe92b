import { avatar, person } from '../../platform/design/avatar.ts'
import { stateIcon } from '../../platform/design/badge.ts'
import { actionButton } from '../../platform/design/button.ts'
import { asideSection } from '../../platform/design/card.ts'
import { csrfField, fieldLabel } from '../../platform/design/form-fields.ts'
import { icon } from '../../platform/design/icon.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { address, localPath } from '../../platform/text/addresses.ts'
import { shortDay } from '../../platform/text/time.ts'
import { labelLinks, labelTitles } from '../items/item-labels.ts'
import { issueAddress, issuesWithLabel } from './issue-address.ts'
import { issueManagement } from './issue-management.ts'
import type { IssueView } from './issue-view.ts'

/** What stands beside an issue: its properties, each with a form, and what it is related to. */
export function issueSidebar(view: IssueView): Html {
  const { issue, viewer } = view
  const own = issueAddress(view.project.path_with_namespace, issue.iid)
  return html`${assignees(view, own)}${labels(view, own)}${milestone(view, own)}${dueDate(view, own)}${weight(view, own)}${timeTracking(view, own)}
${mergeRequests(view)}${links(view, own)}${participants(view)}
${viewer !== null && notifications(view, own)}${issueManagement(view, own)}`
}

interface QuickForm {
  own: string
  id: string
  name: string
  label: string
  value: string
  type?: 'text' | 'date' | 'number'
  hint?: string
}

/**
 * A form of one field, folded until it is needed, for those whose changes of the plan have effect: the API
 * ignores those of an author who is a guest.
 */
function quickForm({ call, rights }: IssueView, form: QuickForm): Html | undefined {
  if (!rights.mayPlan) return undefined
  const { own, id, name, label, value, type = 'text', hint } = form
  return html`<details class="reply"><summary>Edit<span class="hidden"> ${label.toLowerCase()}</span></summary><form method="post" action="${own}">${csrfField(call)}
<label class="hidden" for="${id}">${label}</label>${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
<div class="row"><input class="grow" id="${id}" name="${name}" type="${type}" value="${value}"${hint !== undefined && html` aria-describedby="${id}-hint"`}${type === 'number' && html` min="0"`}><button aria-label="Save ${label.toLowerCase()}">Save</button></div></form></details>`
}

const none = html`<span class="muted">None</span>`

function assignees(view: IssueView, own: string): Html {
  const { issue } = view
  const names = issue.assignees.map(({ username }) => `@${username}`).join(' ')
  const people = issue.assignees.map((user) => html`<li>${person(user)}</li>`)
  return asideSection(
    'Assignees',
    html`${people.length === 0 ? none : html`<ul class="plain">${people}</ul>`}${quickForm(view, {
      own,
      id: 'quick_assignees',
      name: 'assignees',
      label: 'Assignees',
      value: names,
      hint: 'Usernames',
    })}`,
  )
}

function labels(view: IssueView, own: string): Html {
  const { issue, project } = view
  const links = labelLinks(issue.labels, (title) =>
    issuesWithLabel(project.path_with_namespace, title),
  )
  return asideSection(
    'Labels',
    html`${links.length === 0 ? none : html`<div class="labels">${links}</div>`}${quickForm(view, {
      own,
      id: 'quick_labels',
      name: 'labels',
      label: 'Labels',
      value: labelTitles(issue.labels).join(', '),
      hint: 'Titles, with commas between',
    })}`,
  )
}

function milestone({ issue, rights }: IssueView, own: string): Html {
  const { milestone: found } = issue
  const shown =
    found === null
      ? none
      : html`<a href="${localPath(found.web_url)}">${icon('milestone')} ${found.title}</a>`
  return asideSection(
    'Milestone',
    html`${shown}${rights.mayPlan && html`<div class="small"><a href="${own}/edit#milestone_id">Edit<span class="hidden"> milestone</span></a></div>`}`,
  )
}

function dueDate(view: IssueView, own: string): Html {
  const { due_date: day } = view.issue
  return asideSection(
    'Due date',
    html`${day === null ? none : shortDay(day)}${quickForm(view, {
      own,
      id: 'quick_due_date',
      name: 'due_date',
      label: 'Due date',
      value: day ?? '',
      type: 'date',
    })}`,
  )
}

/** Absent in tiers without weights. */
function weight(view: IssueView, own: string): Html | undefined {
  const { weight: value } = view.issue
  if (value === undefined) return undefined
  return asideSection(
    'Weight',
    html`${value === null ? none : value}${quickForm(view, {
      own,
      id: 'quick_weight',
      name: 'weight',
      label: 'Weight',
      value: value === null ? '' : String(value),
      type: 'number',
    })}`,
  )
}

function timeTracking({ issue, call, mayUpdate }: IssueView, own: string): Html {
  const { human_total_time_spent: spent, human_time_estimate: estimate } = issue.time_stats
  const shown =
    spent === null && estimate === null
      ? none
      : html`${spent ?? '0h'} spent${estimate !== null && ` of ${estimate}`}`
  const form =
    mayUpdate &&
    html`<details class="reply"><summary>Edit<span class="hidden"> time tracking</span></summary><form method="post" action="${own}/time">${csrfField(call)}
<label for="time_spent">Add time spent</label><input id="time_spent" name="spent" placeholder="1h 30m">
<label for="time_estimate">Estimate</label><input id="time_estimate" name="estimate" value="${estimate ?? ''}" placeholder="3d">
<div class="buttons"><button>Save time</button></div></form></details>`
  return asideSection('Time tracking', html`${shown}${form}`)
}

function mergeRequests({ related }: IssueView): Html | undefined {
  if (related.mergeRequests.length === 0) return undefined
  return asideSection(
    'Merge requests',
    html`<ul class="plain">${related.mergeRequests.map(
      (each) =>
        html`<li>${stateIcon('merge_request', each.state)} <a href="${localPath(each.web_url)}">!${each.iid} ${each.title}</a></li>`,
    )}</ul>`,
  )
}

function links(view: IssueView, own: string): Html | undefined {
  const { related, rights, call } = view
  if (related.links === undefined || (related.links.length === 0 && !rights.mayPlan)) {
    return undefined
  }
  const items = related.links.map(
    (each) =>
      html`<li class="row"><span class="grow">${stateIcon('issue', each.state)} <a href="${localPath(each.web_url)}">#${each.iid} ${each.title}</a></span>${
        rights.mayPlan &&
        actionButton(call, {
          action: `${own}/links/${each.issue_link_id}/delete`,
          text: icon('x'),
          kind: 'quiet',
          label: `Remove the link to #${each.iid}`,
        })
      }</li>`,
  )
  const form =
    rights.mayPlan &&
    html`<details class="reply"><summary>Add a related issue</summary><form method="post" action="${own}/links">${csrfField(call)}
${fieldLabel({ id: 'related', label: 'Issue', required: true })}<p class="hint" id="related-hint">Such as #3 or group/app#3</p>
<div class="row"><input class="grow" id="related" name="reference" aria-describedby="related-hint" required><button>Add</button></div></form></details>`
  return asideSection(
    'Related issues',
    html`${items.length === 0 ? none : html`<ul class="plain">${items}</ul>`}${form}`,
  )
}

function participants({ related }: IssueView): Html | undefined {
  const users = related.participants
  if (users.length === 0) return undefined
  return asideSection(
    users.length === 1 ? '1 participant' : `${users.length} participants`,
    html`<div class="row">${users.map((user) => html`<a href="${address(user.username)}" aria-label="${user.name}" title="${user.name}">${avatar(user)}</a>`)}</div>`,
  )
}

function notifications({ call, issue }: IssueView, own: string): Html {
  const isSubscribed = issue.subscribed === true
  return asideSection(
    'Notifications',
    html`<div class="row">${actionButton(call, {
      action: `${own}/${isSubscribed ? 'unsubscribe' : 'subscribe'}`,
      text: html`${icon('bell')}${isSubscribed ? 'Unsubscribe' : 'Subscribe'}`,
    })}${actionButton(call, { action: `${own}/todo`, text: html`${icon('checklist')}Add a to-do` })}</div>`,
  )
}
