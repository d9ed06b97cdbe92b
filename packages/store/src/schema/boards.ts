import type { Generated } from 'kysely'

/** Boards of a project or of a group, with the scope that they are narrowed to. */
export interface BoardsTable {
  id: Generated<number>
  projectId: number | null
  groupId: number | null
  name: string
  milestoneId: number | null
  assigneeId: number | null
  weight: number | null
  /** Set on the board that a project or group gets by itself, of which there is one at most. */
  starter: 1 | null
  createdAt: number
  updatedAt: number
}

/** Labels that the scope of a board names. */
export interface BoardLabelsTable {
  boardId: number
  labelId: number
}

/** A column of a board: of a label, an assignee or a milestone. */
export interface BoardListsTable {
  id: Generated<number>
  boardId: number
  labelId: number | null
  assigneeId: number | null
  milestoneId: number | null
  /** In which order; what goes with its label leaves a gap. */
  position: number
  createdAt: number
}
