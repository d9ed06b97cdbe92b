import { hash } from 'node:crypto'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

export interface Viewing {
  mergeRequestId: number
  userId: number
}

/** A file that was viewed: its new path, and what it was then. */
export type ViewedFileRow = Pick<Row<'viewedFiles'>, 'path' | 'mode' | 'oid' | 'viewedAt'>

function hashOf(path: string): string {
  return hash('sha256', path, 'base64')
}

/** Lists the marks of a user on a merge request, by path. */
export function listViewedFiles(q: Queries, viewing: Viewing): Promise<ViewedFileRow[]> {
  return q.all('viewedFiles.list', { ...viewing }, (db, $) =>
    db
      .selectFrom('viewedFiles')
      .where('mergeRequestId', '=', $('mergeRequestId'))
      .where('userId', '=', $('userId'))
      .orderBy('path')
      .select(['path', 'mode', 'oid', 'viewedAt']),
  )
}

/** Marks a file as viewed, also again, and drops the marks before the last `max` of the user. */
export async function saveViewedFile(
  tx: Transaction,
  { mergeRequestId, userId }: Viewing,
  file: ViewedFileRow,
  max: number,
): Promise<void> {
  const row = { mergeRequestId, userId, ...file, pathHash: hashOf(file.path) }
  await tx.run('viewedFiles.save', row, (db, $) =>
    db
      .insertInto('viewedFiles')
      .values({
        mergeRequestId: $('mergeRequestId'),
        userId: $('userId'),
        path: $('path'),
        pathHash: $('pathHash'),
        mode: $('mode'),
        oid: $('oid'),
        viewedAt: $('viewedAt'),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['mergeRequestId', 'userId', 'pathHash'])
          .doUpdateSet({ mode: $('mode'), oid: $('oid'), viewedAt: $('viewedAt') }),
      ),
  )
  await tx.run('viewedFiles.trim', { mergeRequestId, userId, max }, (db, $) =>
    db.deleteFrom('viewedFiles').where('id', 'in', (eb) =>
      eb
        .selectFrom('viewedFiles as old')
        .where('old.mergeRequestId', '=', $('mergeRequestId'))
        .where('old.userId', '=', $('userId'))
        .orderBy('old.viewedAt', 'desc')
        .orderBy('old.id', 'desc')
        // SQLite has no offset without a limit.
        .limit(1000)
        .offset($('max'))
        .select('old.id'),
    ),
  )
}

/** Removes a mark; false if there is none. */
export async function deleteViewedFile(
  tx: Transaction,
  { mergeRequestId, userId }: Viewing,
  path: string,
): Promise<boolean> {
  const args = { mergeRequestId, userId, pathHash: hashOf(path) }
  const { changes } = await tx.run('viewedFiles.delete', args, (db, $) =>
    db
      .deleteFrom('viewedFiles')
      .where('mergeRequestId', '=', $('mergeRequestId'))
      .where('userId', '=', $('userId'))
      .where('pathHash', '=', $('pathHash')),
  )
  return changes > 0
}

/** Deletes up to `limit` marks of a user who is being deleted; returns how many. */
export async function removeViewedFilesOf(
  tx: Transaction,
  args: { userId: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('viewedFiles.ofUser', args, (db, $) =>
    db
      .deleteFrom('viewedFiles')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('viewedFiles as some')
          .where('some.userId', '=', $('userId'))
          .limit($('limit'))
          .select('some.id'),
      ),
  )
  return changes
}

/** Deletes up to `limit` marks on merge requests that are being deleted; returns how many. */
export async function removeViewedFiles(
  tx: Transaction,
  args: { ids: readonly number[]; limit: number },
): Promise<number> {
  const { changes } = await tx.run('viewedFiles.ofMergeRequests', args, (db, $) =>
    db.deleteFrom('viewedFiles').where('id', 'in', (eb) =>
      eb
        .selectFrom('viewedFiles')
        .where(inList('viewedFiles.mergeRequestId', $('ids')))
        .limit($('limit'))
        .select('viewedFiles.id'),
    ),
  )
  return changes
}
