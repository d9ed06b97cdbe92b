import type { Transaction } from '../../platform/queries/queries.ts'
import { deleteItemDependents, dependentsAtOnce } from '../items/item-removal.ts'
import { deleteSnippets } from './snippet-store.ts'

/**
 * Deletes up to `limit` snippets of a project, with their dependents; returns `limit` if there may be
 * more.
 */
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
  const dependents = { type: 'snippet', ids, limit: dependentsAtOnce } as const
  if ((await deleteItemDependents(tx, dependents)) === dependentsAtOnce) return args.limit
  await deleteSnippets(tx, ids)
  return ids.length
}
