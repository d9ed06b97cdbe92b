import { type UserRefRow, userRefColumns } from '../../directory/users/user-row.ts'
import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** The author of a comment on a commit. */
export type CommentAuthorRow = UserRefRow &
  Pick<Row<'users'>, 'publicEmail' | 'privateProfile' | 'createdAt'>

/** Lists the authors of comments on commits, in no particular order; unknown ids are left out. */
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
