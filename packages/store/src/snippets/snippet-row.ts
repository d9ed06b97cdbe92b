import type { Queries } from '../queries.ts'
import type { Row } from '../schema/schema.ts'

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
