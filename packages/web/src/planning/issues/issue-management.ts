import { actionButton } from '../../platform/design/button.ts'
import { asideSection } from '../../platform/design/card.ts'
import { csrfField, fieldLabel } from '../../platform/design/form-fields.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { IssueView } from './issue-view.ts'

/** What planners and owners may do with an issue besides. */
export function issueManagement(view: IssueView, own: string): Html | undefined {
  const { call, issue, rights } = view
  if (!rights.mayPlan) return undefined
  const switches = [
    {
      name: 'confidential',
      isOn: issue.confidential,
      on: 'Make visible',
      off: 'Make confidential',
    },
    {
      name: 'discussion_locked',
      isOn: issue.discussion_locked === true,
      on: 'Unlock discussion',
      off: 'Lock discussion',
    },
  ]
  return asideSection(
    'Manage',
    html`<div class="row">${switches.map(({ name, isOn, on, off }) =>
      actionButton(call, {
        action: own,
        text: isOn ? on : off,
        values: { [name]: isOn ? '0' : '1' },
      }),
    )}</div>${moveForm(view, own)}${rights.mayOwn && deleteForm(view, own)}`,
  )
}

function moveForm({ call }: IssueView, own: string): Html {
  return html`<details class="reply"><summary>Move to another project</summary><form method="post" action="${own}/move">${csrfField(call)}
${fieldLabel({ id: 'move_to', label: 'Project', required: true })}<p class="hint" id="move_to-hint">Its full path, such as group/app</p>
<div class="row"><input class="grow" id="move_to" name="project" aria-describedby="move_to-hint" required><button>Move issue</button></div></form></details>`
}

function deleteForm({ call }: IssueView, own: string): Html {
  return html`<details class="reply"><summary>Delete this issue</summary><form method="post" action="${own}/delete">${csrfField(call)}
<p>The issue and its comments can’t be brought back.</p><button class="danger">Delete issue</button></form></details>`
}
