import type { CallerFacts, CommentAuthor, CommitComment } from '@stithy/core'
import type { CommentAuthorRow, NoteRow, StoredPosition } from '@stithy/store'
import type { Config } from '../config/config.ts'
import { instantText } from '../http/instant.ts'
import { placeOf } from '../notes/note-place.ts'
import { presentUserRef } from '../users/user.presenter.ts'

/** Comments on a commit as they go over the wire; `authors` holds all of theirs, as the caller sees them. */
export function presentComments(
  rows: readonly NoteRow[],
  authors: ReadonlyMap<number, CommentAuthor>,
): CommitComment[] {
  return rows.flatMap((row) => {
    const author = authors.get(row.authorId)
    return author === undefined ? [] : [presentComment(row, author)]
  })
}

/** One comment on a commit (document 1, Commit). */
function presentComment(row: NoteRow, author: CommentAuthor): CommitComment {
  return {
    note: row.body,
    author,
    created_at: instantText(row.createdAt),
    ...presentLine(placeOf(row)?.position),
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
 * The author of a comment. The address is the one that the user shows to everybody; since when there is
 * an account, a private profile hides from others.
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
    ...(hidden ? {} : { created_at: instantText(row.createdAt) }),
  }
}
