import { removeItemLeavings } from '../items/item-removal.ts'
import type { Transaction } from '../queries.ts'
import { inList } from '../sql.ts'

const people = ['authorId', 'closedById'] as const

/** Puts one user in the place of another who goes; see `moveIssues`. */
export async function moveEpics(
  tx: Transaction,
  args: { from: number; to: number; limit: number },
): Promise<number> {
  let most = 0
  for (const part of people) {
    const { changes } = await tx.run(`users.move-epics|${part}`, args, (db, $) =>
      db
        .updateTable('epics')
        .set({ [part]: $('to') })
        .where('id', 'in', (eb) =>
          eb.selectFrom('epics').select('epics.id').where(part, '=', $('from')).limit($('limit')),
        ),
    )
    most = Math.max(most, changes)
  }
  return most
}

/** Removes up to `limit` epics of an author or of a group, with all that hangs on them; answers how many. */
export async function removeEpics(
  tx: Transaction,
  { limit, ...whose }: ({ authorId: number } | { groupId: number }) & { limit: number },
): Promise<number> {
  const column = 'authorId' in whose ? 'authorId' : 'groupId'
  const id = 'authorId' in whose ? whose.authorId : whose.groupId
  const rows = await tx.all(`epics.doomed|${column}`, { id, limit }, (db, $) =>
    db.selectFrom('epics').where(column, '=', $('id')).limit($('limit')).select('id'),
  )
  const ids = rows.map((row) => row.id)
  if (ids.length === 0) return 0
  await removeItemLeavings(tx, { type: 'epic', ids })
  await tx.run('epics.delete', { ids }, (db, $) =>
    db.deleteFrom('epics').where(inList('epics.id', $('ids'))),
  )
  return ids.length
}
