import {
  type ActivityEvent,
  eventActionName,
  type PushData,
  targetTypeName,
  type UserRef,
} from '@stithy/core'
import type { Row } from '@stithy/store'

/** Events as they go over the wire (document 1, Activity event); `authors` holds all of theirs. */
export function presentEvents(
  rows: readonly Row<'events'>[],
  authors: ReadonlyMap<number, UserRef>,
): ActivityEvent[] {
  return rows.flatMap((row) => {
    const author = authors.get(row.authorId)
    return author === undefined ? [] : [presentEvent(row, author)]
  })
}

function presentEvent(row: Row<'events'>, author: UserRef): ActivityEvent {
  const push = presentPush(row)
  return {
    id: row.id,
    title: null,
    project_id: row.projectId,
    action_name: eventActionName(row.action, row.targetType, row.pushAction),
    target_id: row.targetId,
    target_iid: row.targetIid,
    target_type: row.targetType === null ? null : targetTypeName(row.targetType),
    author_id: row.authorId,
    target_title: row.targetTitle,
    created_at: new Date(row.createdAt).toISOString(),
    author,
    author_username: author.username,
    ...(push === undefined ? {} : { push_data: push }),
  }
}

function presentPush(row: Row<'events'>): PushData | undefined {
  const { pushAction, refType, ref } = row
  if (pushAction === null || refType === null || ref === null) return undefined
  return {
    commit_count: row.commitCount ?? 0,
    action: pushAction,
    ref_type: refType,
    commit_from: row.commitFrom,
    commit_to: row.commitTo,
    ref,
    commit_title: row.commitTitle,
  }
}
