import type { AwardableType, NoteableType } from '@stithy/core'
import type { ExpressionBuilder } from 'kysely'
import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList, pick } from '../../platform/queries/sql.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'
import type { Row, Schema } from '../../platform/schema/schema.ts'
import { addToCount, type ItemCount, isCounted } from '../items/item-counts.ts'

export type AwardRow = Row<'awards'>

/** The target of an award. */
export interface Awardable {
  targetType: AwardableType
  targetId: number
}

const columns = [
  'awards.id',
  'awards.targetType',
  'awards.targetId',
  'awards.projectId',
  'awards.userId',
  'awards.name',
  'awards.createdAt',
  'awards.updatedAt',
] as const

/** Lists a page of the awards of a target, oldest first. At most two queries. */
export async function listAwards(
  q: Queries,
  awardable: Awardable,
  request: PageRequest,
): Promise<Page<AwardRow>> {
  return listUncached(q, request, {
    shape: 'awards.list',
    args: awardable,
    from: (db, $) =>
      db
        .selectFrom('awards')
        .where('awards.targetType', '=', $('targetType'))
        .where('awards.targetId', '=', $('targetId')),
    order: (query) => query.orderBy('awards.id'),
    columns: (query) => query.select(columns),
    key: 'awards.id',
  })
}

/** How often an emoji was awarded to a target, and the award of one user. */
export interface AwardCountRow extends Pick<AwardRow, 'targetType' | 'targetId' | 'name'> {
  count: number
  ownId: number | null
}

/** Counts the awards of a target by name, in the order of the first. */
export function countAwards(
  q: Queries,
  args: Awardable & { userId: number },
): Promise<AwardCountRow[]> {
  return q.all('awards.count', args, (db, $) =>
    db
      .selectFrom('awards')
      .where('awards.targetType', '=', $('targetType'))
      .where('awards.targetId', '=', $('targetId'))
      .groupBy(['awards.targetType', 'awards.targetId', 'awards.name'])
      .select((eb) => countedColumns(eb, $('userId')))
      .orderBy((eb) => eb.fn.min('awards.id')),
  )
}

/** The same for those notes among `noteIds` that are on a noteable. */
export function countAwardsOfNotes(
  q: Queries,
  args: {
    noteableType: NoteableType
    noteableId: number
    noteIds: readonly number[]
    userId: number
  },
): Promise<AwardCountRow[]> {
  return q.all('awards.count-of-notes', args, (db, $) =>
    db
      .selectFrom('notes')
      .innerJoin('awards', (join) =>
        join.onRef('awards.targetId', '=', 'notes.id').on('awards.targetType', '=', 'note'),
      )
      .where(inList('notes.id', $('noteIds')))
      .where('notes.noteableType', '=', $('noteableType'))
      .where('notes.noteableId', '=', $('noteableId'))
      .groupBy(['awards.targetType', 'awards.targetId', 'awards.name'])
      .select((eb) => countedColumns(eb, $('userId')))
      .orderBy((eb) => eb.fn.min('awards.id')),
  )
}

function countedColumns(eb: ExpressionBuilder<Schema, 'awards'>, userId: number) {
  return [
    'awards.targetType' as const,
    'awards.targetId' as const,
    'awards.name' as const,
    eb.fn.count<number>('awards.id').as('count'),
    eb.fn
      .max(eb.case().when('awards.userId', '=', userId).then(eb.ref('awards.id')).end())
      .as('ownId'),
  ] as const
}

/** One award of a target. */
export function findAward(
  q: Queries,
  key: Awardable & { id: number },
): Promise<AwardRow | undefined> {
  return q.first('awards.find', key, (db, $) =>
    db
      .selectFrom('awards')
      .where('awards.id', '=', $('id'))
      .where('awards.targetType', '=', $('targetType'))
      .where('awards.targetId', '=', $('targetId'))
      .select(columns),
  )
}

/** The award with this name that a user gave a target. */
export function findAwardOf(
  q: Queries,
  key: Awardable & { userId: number; name: string },
): Promise<AwardRow | undefined> {
  return q.first('awards.of', key, (db, $) =>
    db
      .selectFrom('awards')
      .where('awards.targetType', '=', $('targetType'))
      .where('awards.targetId', '=', $('targetId'))
      .where('awards.userId', '=', $('userId'))
      .where('awards.name', '=', $('name'))
      .select(columns),
  )
}

/**
 * Inserts an award and counts a vote; undefined if the user has given it already, also when two
 * calls run concurrently. Timestamps in milliseconds.
 */
export async function insertAward(
  tx: Transaction,
  award: Omit<AwardRow, 'id' | 'createdAt' | 'updatedAt'> & { now: number },
): Promise<AwardRow | undefined> {
  const { now, ...row } = award
  const args = { ...row, createdAt: now, updatedAt: now }
  const inserted = await tx.first('awards.insert', args, (db, $) =>
    db
      .insertInto('awards')
      .values(
        pick($, [
          'targetType',
          'targetId',
          'projectId',
          'userId',
          'name',
          'createdAt',
          'updatedAt',
        ]),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  )
  if (inserted === undefined) return undefined
  const written = { ...args, id: inserted.id }
  await countVotes(tx, [written], 1)
  return written
}

/** Deletes awards and subtracts their votes; returns how many still existed. */
export async function deleteAwards(tx: Transaction, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  const deleted = await tx.all('awards.delete', { ids }, (db, $) =>
    db
      .deleteFrom('awards')
      .where(inList('awards.id', $('ids')))
      .returning(['id', 'targetType', 'targetId', 'name', 'projectId']),
  )
  await countVotes(tx, deleted, -1)
  return deleted.length
}

const votes: Readonly<Record<string, ItemCount>> = { thumbsup: 'upvotes', thumbsdown: 'downvotes' }

/** Each target has at most one award of one name among these, as they are all by one user. */
async function countVotes(
  tx: Transaction,
  awards: readonly Pick<AwardRow, 'targetType' | 'targetId' | 'name' | 'projectId'>[],
  by: 1 | -1,
): Promise<void> {
  for (const [name, count] of Object.entries(votes)) {
    const given = awards.filter((award) => award.name === name)
    for (const [type, ofType] of Map.groupBy(given, (award) => award.targetType)) {
      const ids = ofType.map(({ targetId }) => targetId)
      if (isCounted(type)) await addToCount(tx, { type, count, ids, by })
    }
  }
  // Lists can be filtered by award.
  for (const { targetType, projectId } of awards) {
    if (targetType === 'issue') touchStamp(tx, stampOf('issues', projectId))
    if (targetType === 'merge_request') touchStamp(tx, stampOf('mergeRequests', projectId))
  }
}

/** Moves up to `limit` awards from one user to another, who keeps one of each; returns how many. */
export async function moveAwards(
  tx: Transaction,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<number> {
  const ids = await idsOf(tx, { userId: from, limit })
  if (ids.length === 0) return 0
  const doubled = await tx.all('awards.doubled', { ids, to }, (db, $) =>
    db
      .selectFrom('awards')
      .innerJoin('awards as kept', (join) =>
        join
          .onRef('kept.targetType', '=', 'awards.targetType')
          .onRef('kept.targetId', '=', 'awards.targetId')
          .onRef('kept.name', '=', 'awards.name'),
      )
      .where(inList('awards.id', $('ids')))
      .where('kept.userId', '=', $('to'))
      .select('awards.id'),
  )
  await deleteAwards(
    tx,
    doubled.map(({ id }) => id),
  )
  await tx.run('awards.move', { ids, to }, (db, $) =>
    db
      .updateTable('awards')
      .set({ userId: $('to') })
      .where(inList('awards.id', $('ids'))),
  )
  return ids.length
}

/** Deletes up to `limit` awards of a user; returns how many. */
export async function removeAwards(
  tx: Transaction,
  args: { userId: number; limit: number },
): Promise<number> {
  return deleteAwards(tx, await idsOf(tx, args))
}

async function idsOf(tx: Transaction, args: { userId: number; limit: number }): Promise<number[]> {
  const rows = await tx.all('awards.of-user', args, (db, $) =>
    db
      .selectFrom('awards')
      .where('userId', '=', $('userId'))
      .orderBy('targetType')
      .limit($('limit'))
      .select('id'),
  )
  return rows.map(({ id }) => id)
}
