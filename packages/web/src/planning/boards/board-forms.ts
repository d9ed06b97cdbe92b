import type { Board } from '@stithy/core'
import { card } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { csrfField, selectField, textField } from '../../platform/design/form-fields.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import type { MilestoneChoice } from '../items/milestone-choice.ts'
import { ownAddress, type PlanOwner } from '../items/plan-owner.ts'

interface Settings {
  owner: PlanOwner
  board: Board
  labels: readonly MilestoneChoice[]
  milestones: readonly MilestoneChoice[]
}

/** New lists and boards, and what can be done with a board. */
export function boardSettings(call: PageCall, settings: Settings): Html {
  const { board, owner } = settings
  const own = ownAddress(call, 'boards', board.id)
  const rename = html`<form class="line" method="post" action="${own}">${csrfField(call)}${textField({ id: 'board_name', name: 'name', label: 'Name of this board', value: board.name ?? '', required: true, maxLength: 255 })}<button>Rename board</button></form>`
  const remove = confirmation(call, {
    action: `${own}/delete`,
    text: 'Delete this board',
    button: 'Delete board',
    question: 'Its issues remain. Delete it?',
    look: 'danger',
  })
  const isNamed = board.name !== undefined
  return card({
    title: 'Lists and boards',
    body: html`<div class="stack">${newListForm(call, settings)}${newBoardForm(call)}${isNamed && rename}${isNamed && owner.rights.mayPlan && remove}</div>`,
  })
}

/** The form for a list of a label, a user or a milestone. */
function newListForm(call: PageCall, { board, labels, milestones }: Settings): Html {
  const options = (choices: readonly MilestoneChoice[]) => [
    { value: '', text: 'None' },
    ...choices.map(({ id, title }) => ({ value: String(id), text: title })),
  ]
  return html`<form class="line" method="post" action="${ownAddress(call, 'boards', board.id, 'lists')}">${csrfField(call)}
${selectField({ id: 'label_id', label: 'List of a label', options: options(labels) })}
${textField({ id: 'assignee', label: 'or of a user', placeholder: '@kim' })}
${selectField({ id: 'milestone_id', label: 'or of a milestone', options: options(milestones) })}
<button>Add list</button></form>`
}

export function newBoardForm(call: PageCall): Html {
  return html`<form class="line" method="post" action="${ownAddress(call, 'boards')}">${csrfField(call)}
${textField({ id: 'new_board', name: 'name', label: 'Name of a new board', value: '', required: true, maxLength: 255 })}
<button>Create board</button></form>`
}
