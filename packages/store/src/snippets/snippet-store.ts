import type { Queries, Transaction } from '../queries.ts'
import type { NewRow, Row, RowChanges } from '../schema/schema.ts'
import { inList, pick } from '../sql.ts'
import { touchStamp } from '../stamps.ts'

/** Writes a snippet and answers its id. */
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
  if (row === undefined) throw new TypeError('An insert answered no row')
  await touchStamp(tx, 'snippets')
  return row.id
}

/** What may be changed of a snippet. */
export type SnippetChanges = Pick<
  RowChanges<'snippets'>,
  'title' | 'fileName' | 'description' | 'content' | 'visibility'
>

/** Changes a snippet, as far as values are given; false where it is gone. @param now milliseconds */
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
  if (changes.visibility !== undefined) await touchStamp(tx, 'snippets')
  return updated.changes > 0
}

/** Removes a snippet itself; false where it is gone. */
export async function deleteSnippet(tx: Transaction, id: number): Promise<boolean> {
  const { changes } = await tx.run('snippets.delete', { id }, (db, $) =>
    db.deleteFrom('snippets').where('snippets.id', '=', $('id')),
  )
  await touchStamp(tx, 'snippets')
  return changes > 0
}

/** The content of a snippet; undefined where it is gone. */
export async function findSnippetContent(q: Queries, id: number): Promise<string | undefined> {
  const row = await q.first('snippets.content', { id }, (db, $) =>
    db.selectFrom('snippets').select('snippets.content').where('snippets.id', '=', $('id')),
  )
  return row?.content
}

/** Gives up to `limit` snippets that one user wrote in projects to another; answers how many. */
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
  if (changes > 0) await touchStamp(tx, 'snippets')
  return changes
}

/** Ids of up to `limit` snippets of a user. */
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

/** Removes snippets themselves. */
export async function deleteSnippets(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.run('snippets.delete-all', { ids }, (db, $) =>
    db.deleteFrom('snippets').where(inList('snippets.id', $('ids'))),
  )
  await touchStamp(tx, 'snippets')
}
