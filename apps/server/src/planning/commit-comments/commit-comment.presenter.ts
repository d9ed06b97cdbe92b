import type { CallerFacts, CommentAuthor, CommitComment } from '@stithy/core'
import type { CommentAuthorRow, StoredPosition } from '@stithy/store'
import { presentUserRef } from '../../directory/users/user.presenter.ts'
import type { Config } from '../../platform/config/config.ts'
import { timestampText } from '../../platform/http/timestamp.ts'
import type { ShownNoteRow } from '../notes/note-bodies.ts'
import { storedPosition } from '../notes/stored-position.ts'

/** Presents comments on a commit; `authors` holds all of their authors, as the caller sees them. */
export function presentComments(
  rows: readonly ShownNoteRow[],
  authors: ReadonlyMap<number, CommentAuthor>,
): CommitComment[] {
  return rows.flatMap((row) => {
    const author = authors.get(row.authorId)
    return author === undefined ? [] : [presentComment(row, author)]
  })
}

function presentComment(row: ShownNoteRow, author: CommentAuthor): CommitComment {
  return {
    note: row.body,
    ...(row.bodySize === undefined ? {} : { note_size: row.bodySize }),
    author,
    created_at: timestampText(row.createdAt),
    ...presentLine(storedPosition(row)?.position),
  }
}

function presentLine(
  position: StoredPosition | undefined,
): Pick<CommitComment, 'path' | 'line' | 'line_type'> {
  if (position === undefined) return { path: null, line: null, line_type: null }
  const path = position.new_path
  if (position.position_type === 'image') return { path, line: null, line_type: null }
  const isOld = position.side === 'old' || position.new_line === null
  const line = isOld ? position.old_line : position.new_line
  return { path, line, line_type: isOld ? 'old' : 'new' }
}

/**
 * The author of a comment, with their public email address. `created_at` of a private profile is
 * hidden from other users.
 */
export function presentCommentAuthor(
  config: Config,
  row: CommentAuthorRow,
  caller: CallerFacts,
): CommentAuthor {
  const hidden = row.privateProfile === 1 && row.id !== caller.userId && !caller.admin
  return {
    ...presentUserRef(config, row),
    email: row.publicEmail,
    ...(hidden ? {} : { created_at: timestampText(row.createdAt) }),
  }
}
