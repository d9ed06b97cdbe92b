import type { NoteableType, TodoAction, TodoTargetType } from '@stithy/core'
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

export interface TodosTable {
  id: Generated<number>
  /** Whose it is. */
  userId: number
  authorId: number
  /** One of the two is named. */
  projectId: number | null
  groupId: number | null
  targetType: TodoTargetType
  /** Null for commits. */
  targetId: number | null
  commitId: string | null
  /** The note that made it, if one did. */
  noteId: number | null
  action: TodoAction
  state: Generated<'pending' | 'done'>
  createdAt: number
  updatedAt: number
}

/** What somebody chose; without a row, who takes part is subscribed. */
export interface SubscriptionsTable {
  targetType: 'issue' | 'merge_request' | 'epic' | 'label'
  targetId: number
  userId: number
  subscribed: Flag
  createdAt: number
}

/** Who is named in the texts of an item: its own, or those of its notes. */
export interface MentionsTable {
  targetType: NoteableType
  targetId: number
  /** 0 for title and description. */
  noteId: number
  userId: number
}

/** Which item is named in the texts of which; once for each pair, however often it is named. */
export interface CrossReferencesTable {
  id: Generated<number>
  /** What is named. */
  targetType: 'issue' | 'merge_request' | 'epic' | 'snippet'
  targetId: number
  /** What names it. */
  sourceType: NoteableType
  /** The id, or the hash of a commit. */
  sourceKey: string
  sourceProjectId: number | null
  createdAt: number
}

/**
 * What a remark tells of, so that it is only shown to who may see that, and goes with it. The remark is on the
 * target.
 */
export interface RemarkSourcesTable {
  noteId: number
  targetType: 'issue' | 'merge_request' | 'epic' | 'snippet'
  targetId: number
  /** `code`: a branch. */
  sourceType: NoteableType | 'code'
  /** The id, the hash of a commit, or the name of a branch. */
  sourceKey: string
  /** Names the project also when that is gone: what nobody can see any more is hidden from all. */
  sourceProjectId: number | null
}
