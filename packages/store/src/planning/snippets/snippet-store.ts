import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList, pick } from '../../platform/queries/sql.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'
import type { NewRow, Row, RowChanges } from '../../platform/schema/schema.ts'

/** Inserts a snippet and returns its id. */
export async function insertSnippet(
  tx: Transaction,
  snippet: Omit<Row<'snippets'>, 'id'>,
): Promise<number> {
  const names = Object.keys(snippet).toSorted() as (keyof typeof snippet)[]
  const row = await tx.first('snippets.insert', snippet, (db, $) =>
    db
      .insertInto('snippets')
      .values(pick($, names) as NewRow<'snippets'>)
      .returning('snippets.id'),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  touchStamp(tx, stampOf('snippets', snippet.projectId))
  return row.id
}

/** The settable columns of a snippet. */
export type SnippetChanges = Pick<
  RowChanges<'snippets'>,
  'title' | 'fileName' | 'description' | 'content' | 'visibility'
>

/** Updates the given columns of a snippet; false if it no longer exists. @param now milliseconds */
export async function updateSnippet(
  tx: Transaction,
  id: number,
  changes: SnippetChanges,
  now: number,
): Promise<boolean> {
  const values = { ...changes, updatedAt: now }
  const names = Object.keys(values).toSorted() as (keyof typeof values)[]
  const updated = await tx.run(`snippets.update|${names.join()}`, { ...values, id }, (db, $) =>
    db.updateTable('snippets').set(pick($, names)).where('snippets.id', '=', $('id')),
  )
  if (changes.visibility !== undefined) touchStamp(tx, 'snippets')
  return updated.changes > 0
}

/** Deletes the row of a snippet; false if it no longer exists. */
export async function deleteSnippet(tx: Transaction, id: number): Promise<boolean> {
  const { changes } = await tx.run('snippets.delete', { id }, (db, $) =>
    db.deleteFrom('snippets').where('snippets.id', '=', $('id')),
  )
  touchStamp(tx, 'snippets')
  return changes > 0
}

/** The content of a snippet; undefined if it no longer exists. */
export async function findSnippetContent(q: Queries, id: number): Promise<string | undefined> {
  const row = await q.first('snippets.content', { id }, (db, $) =>
    db.selectFrom('snippets').select('snippets.content').where('snippets.id', '=', $('id')),
  )
  return row?.content
}

/** Moves up to `limit` project snippets from one user to another; returns how many. */
export async function moveSnippets(
  tx: Transaction,
  args: { from: number; to: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('snippets.move', args, (db, $) =>
    db
      .updateTable('snippets')
      .set({ authorId: $('to') })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('snippets')
          .select('snippets.id')
          .where('snippets.authorId', '=', $('from'))
          .where('snippets.projectId', 'is not', null)
          .limit($('limit')),
      ),
  )
  if (changes > 0) touchStamp(tx, 'snippets')
  return changes
}

/** Lists the ids of up to `limit` snippets of a user. */
export async function listSnippetIdsOf(
  q: Queries,
  args: { userId: number; limit: number },
): Promise<number[]> {
  const rows = await q.all('snippets.ids-of', args, (db, $) =>
    db
      .selectFrom('snippets')
      .select('snippets.id')
      .where('snippets.authorId', '=', $('userId'))
      .limit($('limit')),
  )
  return rows.map(({ id }) => id)
}

/** Deletes the rows of snippets. */
export async function deleteSnippets(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.run('snippets.delete-all', { ids }, (db, $) =>
    db.deleteFrom('snippets').where(inList('snippets.id', $('ids'))),
  )
  touchStamp(tx, 'snippets')
}
