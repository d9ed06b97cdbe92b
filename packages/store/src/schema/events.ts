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

/** Activity of users; the columns from `commitCount` on belong to pushes alone. */
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
}
