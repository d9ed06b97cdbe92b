import type { Page } from '@stithy/client'
import type { Issue, MergeRequest, Project, SimpleMergeRequest, Todo } from '@stithy/core'
import { projectLink } from '../../directory/projects/project-row.ts'
import { loadProjectsOf } from '../../directory/projects/projects-by-id.ts'
import { avatar, squareAvatar } from '../../platform/design/avatar.ts'
import { stateIcon } from '../../platform/design/badge.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { asideSection, card, columns, emptyState } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { shortBodies } from '../../platform/pages/short-bodies.ts'
import { signInAddress } from '../../platform/pages/sign-in-address.ts'
import { withoutDescriptions } from '../../platform/pages/without-descriptions.ts'
import { address, localPath, projectOf, withQuery } from '../../platform/text/addresses.ts'
import { formatCount } from '../../platform/text/numbers.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { eventRows } from '../events/event-list.ts'

const shown = 5
const shownProjects = 10

/** `GET /`: what needs the viewer, their projects, and what they did last. */
export async function showHome(call: PageCall): Promise<Reply> {
  if (call.csrfToken === '') return redirect(signInAddress(call))
  const { client, now } = call
  const assigned = {
    scope: 'assigned_to_me',
    state: 'opened',
    per_page: shown,
    ...withoutDescriptions,
  } as const
  const [viewer, todos, mergeRequests, issues, projects, [events, places]] = await loadAll([
    call.viewer(),
    client.todos.list({ per_page: shown, ...withoutDescriptions, ...shortBodies }),
    client.mergeRequests.list(assigned),
    client.issues.list(assigned),
    client.projects.list({
      membership: true,
      archived: false,
      order_by: 'last_activity_at',
      per_page: shownProjects,
    }),
    loadEvents(call),
  ])
  const activity = card({
    title: 'What you did',
    end: html`<a href="/dashboard/activity">All activity</a>`,
    body: eventRows(events.items, places, now),
    isFlush: true,
  })
  const main = html`${todoCard(todos, now)}
${itemCard('merge_request', 'Merge requests assigned to you', mergeRequests, now)}
${itemCard('issue', 'Issues assigned to you', issues, now)}
${activity}`
  return page({
    title: 'Home',
    body: html`${heading(`Hello, ${viewer?.name ?? ''}`)}
${columns(main, asideSection('Your projects', projectLinks(projects.items)))}`,
  })
}

async function loadEvents({ client }: PageCall) {
  const events = await client.events.list({ ...shortBodies, per_page: 2 * shown })
  return [events, await loadProjectsOf(client, events.items)] as const
}

function all<T>(found: Page<T>, href: string): Html | undefined {
  if (found.nextPage === null) return undefined
  return html`<a href="${href}">All${found.total !== null && ` ${formatCount(found.total)}`}</a>`
}

const reasons: Readonly<Record<Todo['action_name'], string>> = {
  assigned: 'assigned you',
  mentioned: 'mentioned you on',
  build_failed: 'made the pipeline fail of',
  marked: 'reminds you of',
  approval_required: 'asks you to review',
  unmergeable: 'has conflicts in',
  directly_addressed: 'wrote to you on',
  member_access_requested: 'asks for access to',
}

function todoCard(todos: Page<Todo>, now: number): Html {
  const body =
    todos.items.length === 0
      ? emptyState({
          title: 'Nothing to do',
          text: 'Requests to review, mentions and assignments appear here.',
        })
      : rows(todos.items.map((todo) => todoRow(todo, now)))
  return card({
    title: 'To-do list',
    end: all(todos, '/dashboard/todos'),
    body,
    isFlush: true,
  })
}

function todoRow(todo: Todo, now: number): Html {
  const { author, target } = todo
  const title = target === null ? todo.body : 'title' in target ? target.title : target.name
  const place = todo.project?.path_with_namespace ?? todo.group?.full_path ?? ''
  return row({
    start: avatar(author),
    title: html`<a href="${address(author.username)}">${author.name}</a> ${reasons[todo.action_name]} <a class="title" href="${localPath(todo.target_url)}">${title}</a>`,
    details: html`<span>${place}</span>`,
    end: timeAgo(todo.created_at, now),
  })
}

type ItemType = 'issue' | 'merge_request'
type Item = Issue | MergeRequest | SimpleMergeRequest

function itemCard(type: ItemType, title: string, items: Page<Item>, now: number): Html | undefined {
  if (items.items.length === 0) return undefined
  const path = type === 'issue' ? '/dashboard/issues' : '/dashboard/merge_requests'
  return card({
    title,
    end: all(items, withQuery(path, { scope: 'assigned_to_me' })),
    body: rows(items.items.map((item) => itemRow(type, item, now))),
    isFlush: true,
  })
}

function itemRow(type: ItemType, item: Item, now: number): Html {
  const href = localPath(item.web_url)
  const sign = type === 'issue' ? '#' : '!'
  return row({
    start: stateIcon(type, item.state),
    title: html`<a class="title" href="${href}">${item.title}</a>`,
    details: html`<span>${projectOf(href)}${sign}${item.iid}</span>`,
    end: html`<span>updated ${timeAgo(item.updated_at, now)}</span>`,
  })
}

function projectLinks(projects: readonly Project[]): Html {
  if (projects.length === 0) {
    return html`<p class="muted">None yet.</p>${buttonLink('/projects/new', 'New project', 'primary')}`
  }
  const items = projects.map(
    (project) =>
      html`<li class="row">${squareAvatar(project)}<span class="grow">${projectLink(project)}</span></li>`,
  )
  return html`<ul class="plain spaced">${items}</ul><p class="small"><a href="/dashboard/projects">All projects</a></p>`
}
