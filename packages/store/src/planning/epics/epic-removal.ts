import type { Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { touchStamp } from '../../platform/queries/stamps.ts'
import { deleteItemDependents, dependentsAtOnce } from '../items/item-removal.ts'
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
 * Deletes up to `limit` epics of an author or of a group, with their dependents; returns `limit` if
 * there may be more.
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
  const some = { ids, limit: dependentsAtOnce }
  if ((await detachEpics(tx, some)) === dependentsAtOnce) return limit
  if ((await deleteItemDependents(tx, { type: 'epic', ...some })) === dependentsAtOnce) return limit
  touchStamp(tx, 'epics')
  return deleteEpics(tx, ids)
}

/**
 * Takes up to `limit` issues and as many children from epics that are being deleted, which would
 * otherwise go with them in one statement, however many there are; returns `limit` if there may be
 * more.
 */
export async function detachEpics(
  tx: Transaction,
  args: { ids: readonly number[]; limit: number },
): Promise<number> {
  const issues = await tx.run('epics.detach-issues', args, (db, $) =>
    db.deleteFrom('epicIssues').where('id', 'in', (eb) =>
      eb
        .selectFrom('epicIssues as some')
        .where((e) => inList(e.ref('some.epicId'), $('ids')))
        .limit($('limit'))
        .select('some.id'),
    ),
  )
  const children = await tx.run('epics.detach-children', args, (db, $) =>
    db
      .updateTable('epics')
      .set({ parentId: null })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('epics as some')
          .where((e) => inList(e.ref('some.parentId'), $('ids')))
          .limit($('limit'))
          .select('some.id'),
      ),
  )
  return Math.max(issues.changes, children.changes)
}
