import type { NoteableType, NoteType, SystemNoteAction, SystemNoteSource } from '@stithy/core'
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** Changes of lines that notes on the diffs of merge requests suggest. */
export interface SuggestionsTable {
  id: Generated<number>
  noteId: number
  /** Its place among those of the note, from 0. */
  relativeOrder: number
  /** How many lines around that of the note it replaces as well. */
  linesAbove: number
  linesBelow: number
  /** The lines that it replaces, as of the note. */
  fromContent: string
  toContent: string
  /** Set once a later version of the merge request changed the lines. */
  outdated: Generated<Flag>
  /** The commit that applied it. */
  commitId: string | null
}

/**
 * Comments and system notes on any noteable. A commit is identified by `projectId` and `commitId`,
 * everything else by `noteableId`.
 */
export interface NotesTable {
  id: Generated<number>
  /** Null outside projects. */
  projectId: number | null
  noteableType: NoteableType
  /** Null for commits. */
  noteableId: number | null
  /** In full; set for commits only. */
  commitId: string | null
  /** 40 hex digits that all notes of one thread share; a single comment has its own. */
  discussionId: string
  /** Null for a single comment. */
  type: NoteType | null
  authorId: number
  /** Empty for a system note, whose text is rendered when it is read. */
  body: string
  /** A `StoredPosition`. */
  position: string | null
  /** Identifies the line of the position. */
  lineCode: string | null
  /** Whether it is a system note; the next five columns are set only for those. */
  system: Generated<Flag>
  action: SystemNoteAction | null
  /** The JSON of `systemNoteParams`. */
  params: string | null
  /**
   * The type of the item that the note refers to, if any: users who can't see that can't see the
   * note.
   */
  sourceType: SystemNoteSource['type'] | null
  /** The id, the hash of a commit, or the name of a branch. */
  sourceKey: string | null
  /** Stays set when the project is deleted, which hides the note from everyone. */
  sourceProjectId: number | null
  resolvedAt: number | null
  resolvedById: number | null
  createdAt: number
  updatedAt: number
}
