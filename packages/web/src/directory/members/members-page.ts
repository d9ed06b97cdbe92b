import type { Page } from '@stithy/client'
import type { AccessRequest, Member } from '@stithy/core'
import { avatar } from '../../platform/design/avatar.ts'
import { badge } from '../../platform/design/badge.ts'
import { actionButton } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { filterForm } from '../../platform/design/filter-form.ts'
import { errorSummary } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { pagination } from '../../platform/design/navigation.ts'
import type { FailedForm } from '../../platform/forms/form-view.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall, Viewer } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { address, withQuery } from '../../platform/text/addresses.ts'
import { shortDay, timeAgo } from '../../platform/text/time.ts'
import { inheritedTabs, showsInherited, withInherited } from '../namespaces/inherited-tabs.ts'
import { levelName } from './access-levels.ts'
import { addMemberForm, changeMemberForm, shareForm } from './member-forms.ts'
import { listMembers, listRequests, loadSource, type MemberSource } from './member-source.ts'

/** `GET /<project>/-/project_members`, `GET /groups/<group>/-/group_members`. */
export function showMembers(call: PageCall): Promise<Reply> {
  return membersPage(call)
}

/** The page, also after a form of it was refused. */
export async function membersPage(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const { query } = call
  const search = query.get('search') ?? ''
  const [source, viewer] = await loadAll([loadSource(call), call.viewer()])
  const isInherited = showsInherited(source, query)
  const [members, requests] = await loadAll([
    listMembers(call, {
      ...pageNumber(query),
      ...(search === '' ? {} : { query: search }),
      isInherited,
    }),
    listRequests(call, source.canManage),
  ])
  const view = { call, source, viewer, isInherited, failed }
  return page({
    status: failed === undefined ? 200 : 422,
    title: `Members · ${source.path}`,
    place: source.place,
    body: html`${heading('Members', ownActions(view))}
${failed !== undefined && errorSummary(failed.formErrors)}
${requests.length > 0 && source.notice}
${requests.length > 0 && requestsCard(view, requests)}
${source.canManage && addMemberForm(call, source, failed)}
${source.inherits && kindTabs(view)}
${filterForm({
  action: source.address,
  label: 'Filter members',
  search: { name: 'search', value: search, placeholder: 'Find by name or username' },
  kept: withInherited(isInherited),
})}
${card({ body: memberList(view, members), isFlush: true })}
${pagination(members, source.address, query)}
${sharesCard(view)}`,
  })
}

interface View {
  call: PageCall
  source: MemberSource
  viewer: Viewer | null
  /** Whether members of the groups above are shown too. */
  isInherited: boolean
  failed: FailedForm | undefined
}

function kindTabs({ source: { address }, isInherited }: View): Html {
  return inheritedTabs('Kinds of members', { address, own: 'Direct', isInherited })
}

/** What viewers do about their own membership. */
function ownActions({ call, source, viewer }: View): Html | undefined {
  if (viewer === null) return undefined
  if (viewer.id === source.ownerId) return undefined
  if (source.level > 0) {
    return confirmation(call, {
      action: `${source.address}/leave`,
      text: `Leave ${source.kind}`,
      question: 'You may lose access to it.',
      button: 'Leave',
      look: 'danger',
    })
  }
  if (!source.acceptsRequests) return undefined
  return actionButton(call, {
    action: `${source.address}/request_access`,
    text: 'Request access',
    kind: 'primary',
  })
}

function memberList(view: View, members: Page<Member>): Html {
  if (members.items.length > 0) return rows(members.items.map((one) => memberRow(view, one)))
  return view.isInherited || !view.source.inherits
    ? emptyState({ title: 'No members found' })
    : emptyState({
        title: 'No direct members',
        text: html`Those of the group are members as well: see <a href="${withQuery(view.source.address, withInherited(true))}">all of them</a>.`,
      })
}

function memberRow({ call, source, viewer, isInherited, failed }: View, member: Member): Html {
  const isSelf = member.id === viewer?.id
  const canChange = source.canManage && !isInherited && member.id !== source.ownerId
  return row({
    start: avatar(member),
    title: html`<a class="title" href="${address(member.username)}">${member.name}</a> <span class="muted">@${member.username}</span> ${isSelf && badge('you')}${member.state !== 'active' && badge(member.state, 'danger')}`,
    details: html`${member.expires_at !== null && html`<span>until ${shortDay(member.expires_at)}</span>`}`,
    end: html`${badge(levelName(member.access_level))}${canChange && html`${changeMemberForm(call, source, member, failed)}${removeButton(call, source, member)}`}`,
  })
}

function removeButton(call: PageCall, source: MemberSource, member: Member): Html {
  return confirmation(call, {
    action: `${source.address}/${member.id}/remove`,
    text: 'Remove',
    label: `Remove ${member.name}`,
    question: `Remove ${member.name} from the ${source.kind}?`,
  })
}

function requestsCard({ call, source }: View, requests: readonly AccessRequest[]): Html {
  const items = requests.map((request) =>
    row({
      start: avatar(request),
      title: html`<a class="title" href="${address(request.username)}">${request.name}</a> <span class="muted">@${request.username}</span>`,
      details: html`<span>asked ${timeAgo(request.requested_at, call.now)}</span>`,
      end: source.notice === undefined ? decision(call, source, request) : undefined,
    }),
  )
  return card({ title: 'Access requests', body: rows(items), isFlush: true })
}

function decision(call: PageCall, source: MemberSource, { id, name }: AccessRequest): Html {
  return html`${actionButton(call, {
    action: `${source.address}/${id}/approve_access_request`,
    text: 'Approve',
    label: `Approve ${name} as Developer`,
    kind: 'primary',
  })}${actionButton(call, {
    action: `${source.address}/${id}/deny_access_request`,
    text: 'Deny',
    label: `Deny ${name}`,
  })}`
}

function sharesCard({ call, source, failed }: View): Html | undefined {
  if (source.shares.length === 0 && !source.canManage) return undefined
  const items = source.shares.map((share) =>
    row({
      title: html`<a class="title" href="${address(share.group_full_path)}">${share.group_full_path}</a>`,
      details: html`${share.expires_at !== null && html`<span>until ${shortDay(share.expires_at)}</span>`}`,
      end: html`${badge(`at most ${levelName(share.group_access_level)}`)}${
        source.canManage &&
        confirmation(call, {
          action: `${source.address}/shares/${share.group_id}/remove`,
          text: 'Remove',
          label: `Remove the group ${share.group_full_path}`,
          question: 'Take the access from the members of this group?',
        })
      }`,
    }),
  )
  return card({
    title: 'Groups with access',
    body: html`${items.length > 0 && rows(items)}${source.canManage && html`<div class="body">${shareForm(call, source, failed)}</div>`}`,
    isFlush: true,
  })
}
