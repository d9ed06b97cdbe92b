import { listedColumns } from '../../platform/queries/listed-text.ts'
import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** A snippet without its content, which may be large. */
export type SnippetRow = Omit<Row<'snippets'>, 'content'>

/** Columns of a `SnippetRow`. */
export const snippetColumns = [
  'snippets.id',
  'snippets.projectId',
  'snippets.authorId',
  'snippets.title',
  'snippets.fileName',
  'snippets.description',
  'snippets.visibility',
  'snippets.createdAt',
  'snippets.updatedAt',
] as const

/** The snippet with this id, of any project, or personal. */
export function findSnippet(q: Queries, id: number): Promise<SnippetRow | undefined> {
  return q.first('snippets.by-id', { id }, (db, $) =>
    db.selectFrom('snippets').select(snippetColumns).where('id', '=', $('id')),
  )
}

/** Snippets by their ids without long descriptions, in no particular order; deleted ones are left out. */
export function listSnippetsById(q: Queries, ids: readonly number[]): Promise<SnippetRow[]> {
  return q.all('snippets.by-ids', { ids }, (db, $) =>
    db
      .selectFrom('snippets')
      .select(listedColumns('snippets', snippetColumns))
      .where(inList('snippets.id', $('ids'))),
  )
}
