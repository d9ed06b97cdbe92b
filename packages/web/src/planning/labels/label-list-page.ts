import { AccessLevel, type GroupLabel, type Label } from '@stithy/core'
import {
  inheritedTabs,
  showsInherited,
  withInherited,
} from '../../directory/namespaces/inherited-tabs.ts'
import { badge, label } from '../../platform/design/badge.ts'
import { actionButton, buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { heading } from '../../platform/design/heading.ts'
import { icon } from '../../platform/design/icon.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { withQuery } from '../../platform/text/addresses.ts'
import { plural } from '../../platform/text/numbers.ts'
import { filterTerm } from '../items/filter-text.ts'
import { loadOwner, ownAddress, type PlanOwner } from '../items/plan-owner.ts'
import { labelCalls } from './label-calls.ts'

/** `GET …/-/labels`: the labels of a project or group. */
export async function showLabels(call: PageCall): Promise<Reply> {
  const owner = await loadOwner(call, { project: 'issues', group: 'labels' })
  const { isSubgroup, rights } = owner
  const isInherited = showsInherited(
    { inherits: isSubgroup, canManage: rights.mayPlan },
    call.query,
  )
  const labels = await labelCalls(call).list({
    ...{ per_page: 50, ...pageNumber(call.query) },
    ...(isSubgroup && { include_ancestor_groups: isInherited }),
  })
  const self = ownAddress(call, 'labels')
  const create = rights.mayPlan ? buttonLink(`${self}/new`, 'New label', 'primary') : undefined
  const list =
    labels.items.length === 0
      ? noLabels(self, isSubgroup && !isInherited, create)
      : rows(labels.items.map((each) => labelRow(call, owner, each, isInherited)))
  return page({
    title: `Labels · ${owner.path}`,
    place: owner.place,
    body: html`${heading('Labels', create)}
${isSubgroup && inheritedTabs('Kinds of labels', { address: self, own: 'Own', isInherited })}
${card({ body: list, isFlush: true })}
${pagination(labels, self, call.query)}`,
  })
}

function noLabels(self: string, isPartial: boolean, create: Html | undefined): Html {
  return emptyState({
    title: isPartial ? 'No labels of its own' : 'No labels yet',
    text: isPartial
      ? html`It has those of the groups above: see <a href="${withQuery(self, withInherited(true))}">all of them</a>.`
      : 'Labels sort issues and merge requests by kind, part or urgency.',
    action: create,
  })
}

/** @param mayBeInherited in a subgroup, whose list doesn't say which labels are its own */
function labelRow(
  call: PageCall,
  owner: PlanOwner,
  each: Label | GroupLabel,
  mayBeInherited: boolean,
): Html {
  const issues = withQuery(ownAddress(call, 'issues'), { filter: filterTerm('label', each.name) })
  const requests = withQuery(ownAddress(call, 'merge_requests'), {
    filter: filterTerm('label', each.name),
  })
  const isInherited = 'is_project_label' in each && !each.is_project_label
  const priority = 'priority' in each ? each.priority : null
  return row({
    title: html`${label({ name: each.name, color: each.color, href: issues })} ${isInherited && badge('group')} ${priority !== null && badge(`priority ${priority}`)}`,
    details: html`<span>${each.description ?? ''}</span><a href="${issues}">${plural(each.open_issues_count, 'open issue')}</a><a href="${requests}">${plural(each.open_merge_requests_count, 'open merge request')}</a>`,
    end: labelActions(call, owner, each, isInherited || mayBeInherited),
  })
}

function labelActions(
  call: PageCall,
  { rights, viewer, levelAbove }: PlanOwner,
  each: Label | GroupLabel,
  mayBeInherited: boolean,
): Html | undefined {
  if (viewer === null) return undefined
  const own = ownAddress(call, 'labels', each.id)
  const verb = each.subscribed ? 'Unsubscribe' : 'Subscribe'
  const subscription = actionButton(call, {
    action: `${own}/${verb.toLowerCase()}`,
    text: html`${icon('bell')}${verb}`,
    kind: 'quiet',
    label: `${verb} ${each.subscribed ? 'from' : 'to'} ${each.name}`,
  })
  if (!rights.mayPlan || mayBeInherited) return subscription
  const promote =
    rights.mayManage &&
    levelAbove >= AccessLevel.maintainer &&
    confirmation(call, {
      action: `${own}/promote`,
      text: 'Promote',
      label: `Promote ${each.name}`,
      question: 'Make it a label of the group?',
    })
  return html`${subscription}<a class="button quiet" href="${own}/edit" aria-label="Edit ${each.name}">Edit</a>${promote}${confirmation(
    call,
    {
      action: `${own}/delete`,
      text: 'Delete',
      label: `Delete ${each.name}`,
      question: 'Take it off everything?',
    },
  )}`
}
