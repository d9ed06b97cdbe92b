import type { Queries } from '../queries.ts'
import type { Row } from '../schema/schema.ts'
import { inList } from '../sql.ts'

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

/** The snippet with this id, of whatever project, or personal. */
export function findSnippet(q: Queries, id: number): Promise<SnippetRow | undefined> {
  return q.first('snippets.by-id', { id }, (db, $) =>
    db.selectFrom('snippets').select(snippetColumns).where('id', '=', $('id')),
  )
}

/** Snippets by their ids, in no order; those that are gone are left out. */
export function findSnippetsById(q: Queries, ids: readonly number[]): Promise<SnippetRow[]> {
  return q.all('snippets.by-ids', { ids }, (db, $) =>
    db
      .selectFrom('snippets')
      .select(snippetColumns)
      .where(inList('snippets.id', $('ids'))),
  )
}
