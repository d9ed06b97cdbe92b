import type { ActivityEvent } from '@stithy/core'
import type { ProjectsById } from '../../directory/projects/projects-by-id.ts'
import { avatar } from '../../platform/design/avatar.ts'
import { emptyState } from '../../platform/design/card.ts'
import { icon } from '../../platform/design/icon.ts'
import type { IconName } from '../../platform/design/icon-paths.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { address, noteAddress, projectAddress } from '../../platform/text/addresses.ts'
import { plural } from '../../platform/text/numbers.ts'
import { timeAgo } from '../../platform/text/time.ts'

/** What was done, the newest first. */
export function eventRows(
  events: readonly ActivityEvent[],
  projects: ProjectsById,
  now: number,
): Html {
  if (events.length === 0) return emptyState({ title: 'No activity yet' })
  return rows(events.map((event) => eventRow(event, projects, now)))
}

function eventRow(event: ActivityEvent, projects: ProjectsById, now: number): Html {
  const { author } = event
  const project = projects.get(event.project_id ?? 0)?.path_with_namespace
  const target = event.push_data === undefined ? targetOf(event, project) : pushOf(event, project)
  return row({
    start: avatar(author),
    title: html`<span class="muted">${icon(iconOf(event))}</span> <span class="sentence"><a href="${address(author.username)}">${author.name}</a> ${event.action_name} ${target}</span>`,
    details: html`${place(event, project)}${excerpt(event)}`,
    end: timeAgo(event.created_at, now),
  })
}

/** Where it happened, unless the event is about the project itself. */
function place(event: ActivityEvent, project: string | undefined): Html | undefined {
  if (project === undefined || isAboutProject(event)) return undefined
  return html`<a class="muted" href="${projectAddress(project)}">${project}</a>`
}

function isAboutProject({ target_type: type, push_data: push }: ActivityEvent): boolean {
  return push === undefined && (type === null || type === 'Project')
}

/** What a comment begins with, or the message of what was pushed. */
function excerpt({ note, push_data: push }: ActivityEvent): Html | undefined {
  const text = note?.body ?? push?.commit_title ?? ''
  if (text === '') return undefined
  const [line = ''] = text.split('\n', 1)
  const short = [...line.slice(0, 400)].slice(0, 160).join('')
  return html`<span>${short}${short.length < text.length && '…'}</span>`
}

/** The segment of the addresses of each type of target in a project. */
const pages: Readonly<Record<string, string>> = {
  Issue: 'issues',
  MergeRequest: 'merge_requests',
  Milestone: 'milestones',
  Snippet: 'snippets',
}

const nouns: Readonly<Record<string, string>> = {
  Issue: 'issue #',
  MergeRequest: 'merge request !',
  Milestone: 'milestone ',
  Snippet: 'snippet $',
  Epic: 'epic &',
}

function targetOf(event: ActivityEvent, project: string | undefined): Html {
  if (event.note !== undefined) return noteTarget(event, event.note, project)
  const { action_name: action, target_type: type, target_iid: iid, target_title: title } = event
  if (action === 'commented on') {
    return html`${title ?? 'something'} <span class="muted">(the comment was deleted)</span>`
  }
  if (isAboutProject(event)) {
    return project === undefined
      ? html`a project`
      : html`<a href="${projectAddress(project)}">${project}</a>`
  }
  const noun = nouns[type ?? ''] ?? ''
  const text = type === 'Milestone' ? noun : `${noun}${iid ?? ''} `
  const href = iid === null ? undefined : targetAddress(type ?? '', iid, project)
  return href === undefined ? html`${text}${title}` : html`<a href="${href}">${text}${title}</a>`
}

function targetAddress(type: string, iid: number, project: string | undefined): string | undefined {
  const page = pages[type]
  if (project !== undefined) return page && projectAddress(project, page, iid)
  return type === 'Snippet' ? address('snippets', iid) : undefined
}

type EventNote = NonNullable<ActivityEvent['note']>

function noteTarget(event: ActivityEvent, note: EventNote, project: string | undefined): Html {
  const { noteable_type: type, noteable_iid: iid, noteable_id: id } = note
  const title = event.target_title ?? ''
  if (type === 'Commit') {
    const sha = note.commit_id ?? ''
    const text = `commit ${sha.slice(0, 8)}`
    return project === undefined
      ? html`${text}`
      : html`<a href="${projectAddress(project, 'commit', sha)}#note_${note.id}">${text}</a>`
  }
  const number = iid ?? id ?? ''
  const text = `${nouns[type] ?? ''}${number} ${title}`
  const page = pages[type]
  if (project === undefined || page === undefined) return html`${text}`
  return html`<a href="${noteAddress(projectAddress(project, page, number), note.id)}">${text}</a>`
}

function pushOf(event: ActivityEvent, project: string | undefined): Html {
  const push = event.push_data
  if (push === undefined || project === undefined) return html`${push?.ref_type} ${push?.ref}`
  const { commit_from: from, commit_to: to, ref, commit_count: total } = push
  const name =
    push.action === 'removed'
      ? html`${ref}`
      : html`<a href="${projectAddress(project, 'tree', ref)}">${ref}</a>`
  const isRange = push.ref_type === 'branch' && from !== null && to !== null && total > 0
  const href =
    total === 1 && to !== null
      ? projectAddress(project, 'commit', to)
      : projectAddress(project, 'compare', `${from}...${to}`)
  return html`${push.ref_type} ${name}${isRange && html`: <a href="${href}">${plural(total, 'commit')}</a>`}`
}

const icons: Readonly<Record<string, IconName>> = {
  'commented on': 'comment',
  accepted: 'git-merge',
  closed: 'check-circle',
  created: 'plus',
  deleted: 'trash',
  destroyed: 'trash',
  joined: 'person',
  left: 'sign-out',
  opened: 'issue-opened',
}

function iconOf({
  action_name: action,
  target_type: type,
  push_data: push,
}: ActivityEvent): IconName {
  if (push !== undefined) return push.ref_type === 'tag' ? 'tag' : 'git-commit'
  if (type === 'MergeRequest' && action === 'opened') return 'git-pull-request'
  return icons[action] ?? 'history'
}
