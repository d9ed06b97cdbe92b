import {
  decideOnMergeRequest,
  type MergeRequestAbility,
  type MergeRequestFacts,
  notFound,
} from '@stithy/core'
import { findMergeRequest, listMergeRequestAssignees, type MergeRequestRow } from '@stithy/store'
import type { App } from '../app.ts'
import { enforce } from '../http/authorize.ts'
import type { Caller } from '../http/call.ts'
import type { MergeRequestItem } from '../items/item.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'

/**
 * The merge request with this number, as far as the caller may see it, and may do `ability` to it.
 * Two queries.
 * @throws DomainError `not_found` where it is hidden, `forbidden` where it is only readable.
 */
export async function requireMergeRequest(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  iid: number,
  ability: MergeRequestAbility = 'read_merge_request',
): Promise<MergeRequestItem> {
  const row = await findMergeRequest(app.db, { projectId: project.row.id, iid })
  if (row === undefined) throw notFound('Merge Request')
  const assigneeIds = (await listMergeRequestAssignees(app.db, [row.id])).map((a) => a.userId)
  const facts = mergeRequestFacts(row, assigneeIds, caller.facts.userId)
  const decide = (name: MergeRequestAbility) =>
    decideOnMergeRequest(name, caller.facts, project.facts, facts)
  if (!decide('read_merge_request').allowed) throw notFound('Merge Request')
  enforce(decide(ability), caller)
  return { type: 'merge_request', row, project, assigneeIds }
}

/** What the policy needs to know of a merge request. */
export function mergeRequestFacts(
  row: MergeRequestRow,
  assigneeIds: readonly number[],
  userId: number | null,
): MergeRequestFacts {
  return {
    discussionLocked: row.discussionLocked === 1,
    authorId: row.authorId,
    assigned: userId !== null && assigneeIds.includes(userId),
  }
}
