import type { Todo } from '@stithy/core'
import { avatar } from '../../platform/design/avatar.ts'
import { actionButton } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { menu, pagination, tabs } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { shortBodies } from '../../platform/pages/short-bodies.ts'
import { signInAddress } from '../../platform/pages/sign-in-address.ts'
import { withoutDescriptions } from '../../platform/pages/without-descriptions.ts'
import { address, localPath, withQuery } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'

const self = '/dashboard/todos'

const states = { pending: 'To do', done: 'Done' } as const

const types = {
  Issue: 'Issues',
  MergeRequest: 'Merge requests',
  Epic: 'Epics',
  Project: 'Projects',
  Namespace: 'Groups',
} as const

/** What somebody did, by the reason for the to-do. */
const actions = {
  assigned: 'assigned you to',
  mentioned: 'mentioned you on',
  build_failed: 'had a failed pipeline on',
  marked: 'added a to-do for',
  approval_required: 'asks you to approve',
  unmergeable: 'could not merge',
  directly_addressed: 'addressed you on',
  member_access_requested: 'asks to become a member of',
} as const satisfies Record<Todo['action_name'], string>

function pick<K extends string>(query: URLSearchParams, name: string, known: Record<K, string>) {
  const value = query.get(name) ?? ''
  return Object.hasOwn(known, value) ? (value as K) : undefined
}

/** `GET /dashboard/todos`. */
export async function showTodos(call: PageCall): Promise<Reply> {
  if (call.csrfToken === '') return redirect(signInAddress(call))
  const { client, query } = call
  const state = pick(query, 'state', states) ?? 'pending'
  const type = pick(query, 'type', types)
  const action = pick(query, 'action', actions)
  const todos = await client.todos.list({
    ...withoutDescriptions,
    ...shortBodies,
    state,
    ...(type && { type }),
    ...(action && { action }),
    ...pageNumber(query),
  })
  const links = Object.entries(states).map(([value, text]) => ({
    text,
    href: withQuery(self, { state: value, page: undefined }, query),
    isCurrent: value === state,
    count: value === state ? (todos.total ?? undefined) : undefined,
  }))
  const all =
    state === 'pending' && todos.items.length > 0
      ? actionButton(call, { action: `${self}/done`, text: 'Mark all as done' })
      : undefined
  return page({
    title: 'To-do list',
    body: html`${heading('To-do list', all)}
<div class="filter-bar">${filterMenu('Type', 'type', types, query)}${filterMenu('Reason', 'action', reasons, query)}</div>
${tabs('States', links)}${card({ body: todoRows(call, todos.items), isFlush: true })}
${pagination(todos, self, query)}`,
  })
}

const reasons: Readonly<Record<string, string>> = {
  assigned: 'Assigned',
  mentioned: 'Mentioned',
  directly_addressed: 'Addressed',
  marked: 'Added by you',
  approval_required: 'Approval asked for',
  unmergeable: 'Not mergeable',
  build_failed: 'Failed pipeline',
  member_access_requested: 'Access asked for',
}

function filterMenu(
  title: string,
  name: string,
  values: Readonly<Record<string, string>>,
  query: URLSearchParams,
): Html {
  const current = query.get(name) ?? ''
  const items = [['', 'All'] as const, ...Object.entries(values)].map(([value, text]) => {
    const href = withQuery(self, { [name]: value, page: undefined }, query)
    return html`<a href="${href}"${value === current && html` aria-current="true"`}>${text}</a>`
  })
  return menu({ summary: values[current] ?? title, items, align: 'start' })
}

function todoRows(call: PageCall, todos: readonly Todo[]): Html {
  if (todos.length === 0) {
    return emptyState({
      title: 'Nothing to do',
      text: 'What you are assigned to, mentioned on or asked for is listed here.',
    })
  }
  return rows(todos.map((todo) => todoRow(call, todo)))
}

function todoRow(call: PageCall, todo: Todo): Html {
  const { author, project, group } = todo
  const owner = project?.path_with_namespace ?? group?.full_path ?? ''
  return row({
    start: avatar(author),
    title: html`<a href="${address(author.username)}">${author.name}</a> ${actions[todo.action_name]} <a class="title" href="${localPath(todo.target_url)}">${targetOf(todo)}</a>`,
    details: html`${!targetOf(todo).endsWith(todo.body) && html`<span>${excerpt(todo.body)}</span>`}<span>${owner}</span>${timeAgo(todo.created_at, call.now)}`,
    end:
      todo.state === 'pending'
        ? actionButton(call, {
            action: `${self}/${todo.id}/done`,
            text: 'Done',
            label: `Done: ${targetOf(todo)}`,
            values: { back: call.address },
          })
        : undefined,
  })
}

/** What a to-do is about: `#3 Crash`. */
function targetOf(todo: Todo): string {
  switch (todo.target_type) {
    case 'Issue':
      return `#${todo.target.iid} ${todo.target.title}`
    case 'MergeRequest':
      return `!${todo.target.iid} ${todo.target.title}`
    case 'Epic':
      return `&${todo.target.iid} ${todo.target.title}`
    case 'Commit':
      return todo.target === null ? 'a commit' : `${todo.target.short_id} ${todo.target.title}`
    default:
      return todo.target.name
  }
}

/** The beginning of a comment, on one line. */
function excerpt(body: string): string {
  const line = body.slice(0, 400).replaceAll('\n', ' ')
  return line.length > 160 ? `${line.slice(0, 160)}…` : line
}

/** `POST /dashboard/todos/:id/done`. */
export async function finishTodo(call: PageCall): Promise<Reply> {
  await call.client.todos.markAsDone({ todoId: rowId(call, 'id') })
  const back = call.form.text('back')
  return redirect(back.startsWith(`${self}?`) ? back : self)
}

/** `POST /dashboard/todos/done`. */
export async function finishAllTodos({ client }: PageCall): Promise<Reply> {
  await client.todos.markAllAsDone()
  return redirect(self)
}
