import type { NoteableType, TodoAction, TodoTargetType } from '@stithy/core'
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

export interface TodosTable {
  id: Generated<number>
  /** The user who has the todo. */
  userId: number
  authorId: number
  /** Exactly one of the two is set. */
  projectId: number | null
  groupId: number | null
  targetType: TodoTargetType
  /** Null for commits. */
  targetId: number | null
  commitId: string | null
  /** The note that caused it, if any. */
  noteId: number | null
  action: TodoAction
  state: Generated<'pending' | 'done'>
  createdAt: number
  updatedAt: number
}

/** Explicit choices; without a row, participants are subscribed. */
export interface SubscriptionsTable {
  targetType: 'issue' | 'merge_request' | 'epic' | 'label'
  targetId: number
  userId: number
  subscribed: Flag
  createdAt: number
}

/** The users mentioned in the texts of an item: its own, or those of its notes. */
export interface MentionsTable {
  targetType: NoteableType
  targetId: number
  /** 0 for title and description. */
  noteId: number
  userId: number
}

/**
 * Which item is referenced in the texts of which; once per pair, however often it is referenced.
 */
export interface CrossReferencesTable {
  id: Generated<number>
  /** The referenced item. */
  targetType: 'issue' | 'merge_request' | 'epic' | 'snippet'
  targetId: number
  /** The referencing item. */
  sourceType: NoteableType
  /** The id, or the hash of a commit. */
  sourceKey: string
  sourceProjectId: number | null
  createdAt: number
}
