import type { Board, BoardList, LabelDetails, Milestone, UserRef } from '@stithy/core'
import type { BoardListRow, BoardRow } from '@stithy/store'

/** The labels, milestones and users of boards and their lists, by id. */
export interface BoardMentions {
  labels: ReadonlyMap<number, LabelDetails>
  milestones: ReadonlyMap<number, Milestone>
  users: ReadonlyMap<number, UserRef>
}

/** The lists of one board, in their order. */
export function presentBoardLists(
  lists: readonly BoardListRow[],
  { labels, milestones, users }: BoardMentions,
): BoardList[] {
  return lists.map(({ id, labelId, assigneeId, milestoneId }, position) => ({
    id,
    ...mentioned('label', labelId, labels),
    ...mentioned('assignee', assigneeId, users),
    ...mentioned('milestone', milestoneId, milestones),
    position,
  }))
}

function mentioned<Name extends string, T>(
  name: Name,
  id: number | null,
  byId: ReadonlyMap<number, T>,
): { [N in Name]?: T } {
  const subject = id === null ? undefined : byId.get(id)
  return subject === undefined ? {} : ({ [name]: subject } as { [N in Name]?: T })
}

/** A board with its lists and, in paid tiers, the labels of its scope. */
export interface BoardView {
  row: BoardRow
  lists: readonly BoardList[]
  labelIds: readonly number[]
}

/** Boards of one project or group. */
export function presentBoards(
  views: readonly BoardView[],
  mentions: BoardMentions,
  { owner, isPaid }: { owner: Pick<Board, 'project' | 'group'>; isPaid: boolean },
): Board[] {
  return views.map((view) => ({
    id: view.row.id,
    ...owner,
    lists: [...view.lists],
    ...(isPaid ? presentScope(view, mentions) : {}),
  }))
}

function presentScope(
  { row, labelIds }: BoardView,
  { labels, milestones, users }: BoardMentions,
): Pick<Board, 'name' | 'milestone' | 'assignee' | 'labels' | 'weight'> {
  const { name, milestoneId, assigneeId, weight } = row
  const labelDetails = labelIds.flatMap((id) => labels.get(id) ?? [])
  return {
    name,
    milestone: milestoneId === null ? null : (milestones.get(milestoneId) ?? null),
    assignee: assigneeId === null ? null : (users.get(assigneeId) ?? null),
    labels: labelDetails.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    weight,
  }
}
