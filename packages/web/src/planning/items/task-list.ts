import { csrfField } from '../../platform/design/form-fields.ts'
import { icon } from '../../platform/design/icon.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { tasksOf } from './tasks.ts'

interface TaskListView {
  description: string
  /** Address that takes the number of a task, and whether it is done. */
  action: string
  /** When the description was last changed: a form of an older one changes nothing. */
  version: string
  mayUpdate: boolean
}

/** Tasks that have buttons. */
const maxButtons = 100

/** The tasks of a description as buttons, by which they are ticked without JavaScript. */
export function taskList(
  call: Pick<PageCall, 'csrfToken'>,
  { description, action, version, mayUpdate }: TaskListView,
): Html | undefined {
  const tasks = tasksOf(description)
  if (tasks.length === 0) return undefined
  const done = tasks.filter(({ isDone }) => isDone).length
  const summary = html`${icon('tasklist')} ${done} of ${tasks.length} tasks done`
  if (!mayUpdate) return html`<p class="muted small">${summary}</p>`
  return html`<details class="tasks" data-tasks><summary class="muted small">${summary}</summary>
<form method="post" action="${action}">${csrfField(call)}<input type="hidden" name="version" value="${version}">
<ul class="plain">${tasks
    .slice(0, maxButtons)
    .map(
      ({ at, text, isDone }) =>
        html`<li><button class="quiet" name="${isDone ? 'undo' : 'done'}" value="${at}">${icon(isDone ? 'check-circle' : 'circle', isDone ? 'Done, mark as open:' : 'Open, mark as done:')} ${text}</button></li>`,
    )}</ul>${tasks.length > maxButtons && html`<p class="muted">The others are changed in the description.</p>`}</form></details>`
}
