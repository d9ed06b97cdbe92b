import type { Queries } from '../queries.ts'
import type { Row } from '../schema/schema.ts'
import { inList } from '../sql.ts'
import { type UserRefRow, userRefColumns } from '../users/user-row.ts'

/** A user as comments on commits show their authors. */
export type CommentAuthorRow = UserRefRow &
  Pick<Row<'users'>, 'publicEmail' | 'privateProfile' | 'createdAt'>

/** The authors of comments on commits, in no order; unknown ids are left out. */
export function listCommentAuthors(
  q: Queries,
  ids: readonly number[],
): Promise<CommentAuthorRow[]> {
  return q.all('notes.commentAuthors', { ids }, (db, $) =>
    db
      .selectFrom('users')
      .select([...userRefColumns, 'users.publicEmail', 'users.privateProfile', 'users.createdAt'])
      .where(inList('users.id', $('ids'))),
  )
}
