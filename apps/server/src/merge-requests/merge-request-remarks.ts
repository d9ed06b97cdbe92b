import { anonymous } from '@stithy/core'
import type { MergeRequestRow, Transaction } from '@stithy/store'
import type { App } from '../app.ts'
import type { MergeRequestItem } from '../items/item.ts'
import { loadProject } from '../projects/project-subject.ts'
import { remarkAll } from '../system-notes/system-note.service.ts'
import { finishTodos } from '../todos/todo.service.ts'

/** What somebody did to a merge request, as it is remarked. */
export interface RequestDeed {
  authorId: number
  bodies: readonly string[]
  /** Milliseconds. */
  at: number
}

/**
 * A merge request as background work has it, seen by nobody; undefined where its project is gone.
 * One query.
 */
export async function unseenItem(
  app: App,
  row: MergeRequestRow,
): Promise<MergeRequestItem | undefined> {
  const project = await loadProject(app, String(row.projectId), { facts: anonymous })
  return project && { type: 'merge_request', row, project, assigneeIds: [] }
}

/** Remarks on what somebody did to a merge request; what they had to do about it is done with that. */
export async function tellOfDeed(
  tx: Transaction,
  item: MergeRequestItem,
  { authorId, bodies, at }: RequestDeed,
): Promise<void> {
  await finishTodos(tx, { item, userId: authorId, at })
  await remarkAll(tx, item, { authorId, bodies, at })
}
