import { removeItemLeavings } from '../items/item-removal.ts'
import type { Transaction } from '../queries.ts'
import { deleteSnippets } from './snippet-store.ts'

/** Removes up to `limit` snippets of a project, with all that hangs on them; answers how many. */
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
  await removeItemLeavings(tx, { type: 'snippet', ids })
  await deleteSnippets(tx, ids)
  return ids.length
}
