import type { Board } from '@stithy/core'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { errorSummary } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { tabs } from '../../platform/design/navigation.ts'
import type { FormError } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { ifPermitted } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { withoutDescriptions } from '../../platform/pages/without-descriptions.ts'
import { listMilestoneChoices, type MilestoneChoice } from '../items/milestone-choice.ts'
import { loadOwner, ownAddress, type PlanOwner } from '../items/plan-owner.ts'
import { boardCalls } from './board-calls.ts'
import { boardColumns } from './board-column-view.ts'
import { readColumns } from './board-columns.ts'
import { boardSettings, newBoardForm } from './board-forms.ts'

/** `GET …/-/boards`, with the first board, and `GET …/-/boards/:id`. */
export function showBoard(call: PageCall): Promise<Reply> {
  return boardPage(call)
}

/** @param formErrors what a form of the page was refused for */
export async function boardPage(
  call: PageCall,
  formErrors: readonly FormError[] = [],
): Promise<Reply> {
  const [owner, boards, labels, milestones] = await loadAll([
    loadOwner(call, { project: 'boards', group: 'boards' }),
    boardCalls(call).list(),
    labelChoices(call),
    milestoneChoices(call),
  ])
  const board = chosen(call, boards.items)
  const title = board?.name ?? 'Board'
  const body =
    board === undefined
      ? noBoard(call, owner)
      : html`${boardTabs(call, boards.items, board)}
${boardColumns({ call, owner, board, columns: await readColumns(call, board) })}
${owner.rights.mayPlan && boardSettings(call, { owner, board, labels, milestones })}`
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `${title} · Boards · ${owner.path}`,
    place: owner.place,
    body: html`${heading(title, buttonLink(ownAddress(call, 'issues'), 'List of issues'))}${errorSummary(formErrors)}
${body}`,
  })
}

function chosen(call: PageCall, boards: readonly Board[]): Board | undefined {
  if (call.params.id === undefined) return boards[0]
  const id = rowId(call)
  const board = boards.find((each) => each.id === id)
  if (board === undefined) throw missing()
  return board
}

async function labelChoices({ client, params }: PageCall) {
  const { project: projectId, group: groupId = '' } = params
  const found = await ifPermitted(
    projectId === undefined
      ? client.labels.list({ groupId, per_page: 100 })
      : client.labels.list({ projectId, per_page: 100 }),
  )
  return (found?.items ?? []).map(({ id, name }) => ({ id, title: name }))
}

async function milestoneChoices(call: PageCall): Promise<readonly MilestoneChoice[]> {
  const { project, group: groupId = '' } = call.params
  if (project !== undefined) return listMilestoneChoices(call, project)
  const query = { groupId, state: 'active' as const, per_page: 100, ...withoutDescriptions }
  return (await ifPermitted(call.client.milestones.list(query)))?.items ?? []
}

function boardTabs(call: PageCall, boards: readonly Board[], current: Board): Html | undefined {
  if (boards.length < 2) return undefined
  return tabs(
    'Boards',
    boards.map(({ id, name }) => ({
      text: name ?? 'Board',
      href: ownAddress(call, 'boards', id),
      isCurrent: id === current.id,
    })),
  )
}

function noBoard(call: PageCall, { rights }: PlanOwner): Html {
  return card({
    body: emptyState({
      title: 'No board yet',
      text: 'A board shows issues in columns, one for each label, user or milestone.',
      action: rights.mayPlan ? newBoardForm(call) : undefined,
    }),
  })
}
