import type { Transaction } from '../../platform/queries/queries.ts'
import { touchStamp } from '../../platform/queries/stamps.ts'
import { deleteItemDependents } from '../items/item-removal.ts'
import { deleteEpics } from './epic-writes.ts'

const people = ['authorId', 'closedById'] as const

/** Replaces one user by another in epics; see `moveIssues`. */
export async function moveEpics(
  tx: Transaction,
  args: { from: number; to: number; limit: number },
): Promise<number> {
  let maxChanges = 0
  for (const part of people) {
    const { changes } = await tx.run(`users.move-epics|${part}`, args, (db, $) =>
      db
        .updateTable('epics')
        .set({ [part]: $('to') })
        .where('id', 'in', (eb) =>
          eb.selectFrom('epics').select('epics.id').where(part, '=', $('from')).limit($('limit')),
        ),
    )
    maxChanges = Math.max(maxChanges, changes)
  }
  if (maxChanges > 0) touchStamp(tx, 'epics')
  return maxChanges
}

/**
 * Deletes up to `limit` epics of an author or of a group, with their dependents; returns how many.
 */
export async function removeEpics(
  tx: Transaction,
  { limit, ...owner }: ({ authorId: number } | { groupId: number }) & { limit: number },
): Promise<number> {
  const column = 'authorId' in owner ? 'authorId' : 'groupId'
  const id = 'authorId' in owner ? owner.authorId : owner.groupId
  const rows = await tx.all(`epics.toDelete|${column}`, { id, limit }, (db, $) =>
    db.selectFrom('epics').where(column, '=', $('id')).limit($('limit')).select('id'),
  )
  const ids = rows.map((row) => row.id)
  if (ids.length === 0) return 0
  await deleteItemDependents(tx, { type: 'epic', ids })
  touchStamp(tx, 'epics')
  return deleteEpics(tx, ids)
}
