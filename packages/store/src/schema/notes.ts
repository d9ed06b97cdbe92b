import type { NoteableType, NoteType } from '@stithy/core'
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/**
 * Comments, and what the program itself remarks, on anything that takes them. A commit is named by
 * `projectId` and `commitId`, everything else by `noteableId`.
 */
export interface NotesTable {
  id: Generated<number>
  /** Null outside projects. */
  projectId: number | null
  noteableType: NoteableType
  /** Null for commits. */
  noteableId: number | null
  /** In full; set for commits alone. */
  commitId: string | null
  /** 40 hex digits that all notes of one thread share; a single comment has its own. */
  discussionId: string
  /** Null for a single comment. */
  type: NoteType | null
  authorId: number
  body: string
  /** A `StoredPosition`. */
  position: string | null
  /** Tells the line of the position apart. */
  lineCode: string | null
  /** Written by the program. */
  system: Generated<Flag>
  resolvedAt: number | null
  resolvedById: number | null
  createdAt: number
  updatedAt: number
}
