import type { Generated } from 'kysely'

/** Boards of a project or of a group, with their scope. */
export interface BoardsTable {
  id: Generated<number>
  projectId: number | null
  groupId: number | null
  name: string
  milestoneId: number | null
  assigneeId: number | null
  weight: number | null
  /**
   * Set on a board that was created in the community tier, where a project or group has one.
   */
  starter: 1 | null
  createdAt: number
  updatedAt: number
}

/** The labels of a board's scope. */
export interface BoardLabelsTable {
  boardId: number
  labelId: number
}

/** A board list: of a label, an assignee or a milestone. */
export interface BoardListsTable {
  id: Generated<number>
  boardId: number
  labelId: number | null
  assigneeId: number | null
  milestoneId: number | null
  /** The position in the order; deleting a label leaves a gap. */
  position: number
  createdAt: number
}
