import type { NoteableType } from '@stithy/core'
import type { Generated } from 'kysely'

export type EventAction =
  | 'created'
  | 'updated'
  | 'closed'
  | 'reopened'
  | 'pushed'
  | 'commented'
  | 'merged'
  | 'joined'
  | 'left'
  | 'destroyed'
  | 'expired'

export type EventTargetType =
  | 'issue'
  | 'milestone'
  | 'merge_request'
  | 'note'
  | 'project'
  | 'snippet'
  | 'user'
  | 'discussion_note'
  | 'diff_note'

/** Activity of users; the columns from `commitCount` to `commitTitle` are set for pushes only. */
export interface EventsTable {
  id: Generated<number>
  projectId: number | null
  authorId: number
  action: EventAction
  targetType: EventTargetType | null
  targetId: number | null
  targetIid: number | null
  targetTitle: string | null
  commitCount: number | null
  pushAction: 'created' | 'removed' | 'pushed' | null
  refType: 'branch' | 'tag' | null
  commitFrom: string | null
  commitTo: string | null
  ref: string | null
  commitTitle: string | null
  createdAt: number
  /** The type of the noteable of the event's note; it outlives the note. */
  noteableType: NoteableType | null
  noteableId: number | null
}
