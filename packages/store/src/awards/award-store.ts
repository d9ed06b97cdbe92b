import type { AwardableType } from '@stithy/core'
import { addToCount, isCounted, type KeptCount } from '../items/kept-counts.ts'
import type { Page, PageRequest } from '../page.ts'
import { selectPage } from '../page.ts'
import type { Queries, Transaction } from '../queries.ts'
import type { Row } from '../schema/schema.ts'
import { inList, pick } from '../sql.ts'
import { touchStamp } from '../stamps.ts'

export type AwardRow = Row<'awards'>

/** What is awarded. */
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

/** A page of the awards of a thing, oldest first. Two queries. */
export async function listAwards(
  q: Queries,
  awardable: Awardable,
  request: PageRequest,
): Promise<Page<AwardRow>> {
  const items = await selectPage(q, request, {
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
  const count = await q.first('awards.list|count', awardable, (db, $) =>
    db
      .selectFrom('awards')
      .where('targetType', '=', $('targetType'))
      .where('targetId', '=', $('targetId'))
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return { items, total: count?.total ?? 0, ...request }
}

/** One award of a thing. */
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

/** The award of this name that a user gave a thing. */
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
 * Writes an award and counts a vote; undefined where the user has given it already, also when two calls do
 * so at once. Milliseconds.
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

/** Removes awards and takes back their votes; answers how many there still were. */
export async function deleteAwards(tx: Transaction, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  const gone = await tx.all('awards.delete', { ids }, (db, $) =>
    db
      .deleteFrom('awards')
      .where(inList('awards.id', $('ids')))
      .returning(['id', 'targetType', 'targetId', 'name']),
  )
  await countVotes(tx, gone, -1)
  return gone.length
}

const votes: Readonly<Record<string, KeptCount>> = { thumbsup: 'upvotes', thumbsdown: 'downvotes' }

/** Each thing has at most one award of one name among these, as they are of one user. */
async function countVotes(
  tx: Transaction,
  awards: readonly Pick<AwardRow, 'targetType' | 'targetId' | 'name'>[],
  by: 1 | -1,
): Promise<void> {
  for (const [name, count] of Object.entries(votes)) {
    const given = awards.filter((award) => award.name === name)
    for (const [type, ofType] of Map.groupBy(given, (award) => award.targetType)) {
      const ids = ofType.map(({ targetId }) => targetId)
      if (isCounted(type)) await addToCount(tx, { type, count, ids, by })
    }
  }
  // Lists are narrowed to what somebody awarded.
  if (awards.some(({ targetType }) => targetType === 'issue')) await touchStamp(tx, 'issues')
  if (awards.some(({ targetType }) => targetType === 'merge_request')) {
    await touchStamp(tx, 'mergeRequests')
  }
}

/** Gives up to `limit` awards of one user to another, who keeps one of each; answers how many went. */
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

/** Removes up to `limit` awards of a user; answers how many. */
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
