import type { Transaction } from '../../platform/queries/queries.ts'
import { deleteItemDependents } from '../items/item-removal.ts'
import { deleteSnippets } from './snippet-store.ts'

/** Deletes up to `limit` snippets of a project, with their dependents; returns how many. */
export async function removeSnippetsIn(
  tx: Transaction,
  args: { projectId: number; limit: number },
): Promise<number> {
  const rows = await tx.all('snippets.in-project', args, (db, $) =>
    db
      .selectFrom('snippets')
      .where('projectId', '=', $('projectId'))
      .limit($('limit'))
      .select('id'),
  )
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  await deleteItemDependents(tx, { type: 'snippet', ids })
  await deleteSnippets(tx, ids)
  return ids.length
}
