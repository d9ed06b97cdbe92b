import {
  type Place,
  positionIn,
  respacedCounts,
  type Spacing,
  spacingIn,
  sufficientGap,
} from '@stithy/core'
import { type SqlBool, sql } from 'kysely'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'

/** A table whose rows have an order among those with the same parent. */
export interface OrderedTable {
  name: 'epics' | 'epicIssues' | 'issues'
  /** Its column with the id of the parent. */
  parent: 'parentId' | 'epicId' | 'projectId'
}

/** One parent's rows. */
export interface Siblings {
  table: OrderedTable
  parentId: number
}

/** Where to: directly before a sibling, or directly after it. */
export interface Destination {
  siblingId: number
  side: 'before' | 'after'
}

const limits = { after: -Number.MAX_SAFE_INTEGER, before: Number.MAX_SAFE_INTEGER } as const

function ofParent({ parent }: OrderedTable, id: number) {
  return sql<SqlBool>`${sql.ref(parent)} = ${id}`
}

/** A position after all siblings. The parent must be locked. */
export async function positionAtEnd(q: Queries, { table, parentId }: Siblings): Promise<number> {
  const row = await q.first(`order.last|${table.name}`, { parentId }, (db, $) =>
    db
      .selectFrom(table.name)
      .where(ofParent(table, $('parentId')))
      .select((eb) => eb.fn.max<number | null>('relativePosition').as('position')),
  )
  return positionIn({ after: row?.position ?? null, before: null }) ?? 0
}

/** The position of a row; undefined if the parent has no such row. */
export async function findPosition(
  q: Queries,
  { table, parentId }: Siblings,
  id: number,
): Promise<number | undefined> {
  const row = await q.first(`order.position|${table.name}`, { parentId, id }, (db, $) =>
    db
      .selectFrom(table.name)
      .where('id', '=', $('id'))
      .where(ofParent(table, $('parentId')))
      .select('relativePosition'),
  )
  return row?.relativePosition ?? undefined
}

/**
 * Moves a row beside a sibling. One row is written; at a place where a gap is used up, some neighbours
 * are spaced anew before: 64 as a rule, 2,048 at the most. 3,800 moves to the same place wrote six rows
 * each on average. The parent must be locked. False if it has no such sibling.
 */
export async function moveBeside(
  tx: Transaction,
  siblings: Siblings,
  { id, to }: { id: number; to: Destination },
): Promise<boolean> {
  let position = await findPlace(tx, siblings, id, to)
  if (position === 'full') {
    await spaceAround(tx, siblings, (await findPosition(tx, siblings, to.siblingId)) ?? 0)
    position = await findPlace(tx, siblings, id, to)
  }
  if (position === undefined) return false
  if (position === 'full') throw new TypeError('An order has no place left')
  await tx.run(`order.move|${siblings.table.name}`, { id, position }, (db, $) =>
    db
      .updateTable(siblings.table.name)
      .set({ relativePosition: $('position') })
      .where('id', '=', $('id')),
  )
  return true
}

/** The position at a destination; undefined if there is no such sibling. */
async function findPlace(
  tx: Transaction,
  siblings: Siblings,
  id: number,
  { siblingId, side }: Destination,
): Promise<number | 'full' | undefined> {
  const sibling = await findPosition(tx, siblings, siblingId)
  if (sibling === undefined) return undefined
  const other = await findNeighbour(tx, siblings, { position: sibling, side, exceptId: id })
  const place: Place =
    side === 'before' ? { after: other, before: sibling } : { after: sibling, before: other }
  return positionIn(place) ?? 'full'
}

/** The position of the next row on one side; null at the end. */
async function findNeighbour(
  q: Queries,
  { table, parentId }: Siblings,
  { side, ...args }: { position: number; side: Destination['side']; exceptId: number },
): Promise<number | null> {
  const row = await q.first(
    `order.neighbour|${table.name}|${side}`,
    { parentId, ...args },
    (db, $) =>
      db
        .selectFrom(table.name)
        .where(ofParent(table, $('parentId')))
        .where('relativePosition', side === 'before' ? '<' : '>', $('position'))
        .where('id', '<>', $('exceptId'))
        .orderBy('relativePosition', side === 'before' ? 'desc' : 'asc')
        .limit(1)
        .select('relativePosition'),
  )
  return row?.relativePosition ?? null
}

/** Spaces as few neighbours of a position as give enough room. */
async function spaceAround(tx: Transaction, siblings: Siblings, position: number): Promise<void> {
  for (const count of respacedCounts) {
    const half = count / 2
    const before = await listPositions(tx, siblings, { side: 'before', position, limit: half + 1 })
    const after = await listPositions(tx, siblings, { side: 'after', position, limit: half + 1 })
    const place: Place = { after: before[half] ?? null, before: after[half] ?? null }
    const spaced = Math.min(before.length, half) + Math.min(after.length, half)
    const spacing = spacingIn(place, spaced)
    if (spacing.gap < sufficientGap(count) && count !== respacedCounts.at(-1)) continue
    return space(tx, siblings, place, spacing)
  }
}

/** Up to `limit` positions from one on: its own and those before it, or those after it. */
async function listPositions(
  q: Queries,
  { table, parentId }: Siblings,
  { side, ...args }: { side: Destination['side']; position: number; limit: number },
): Promise<number[]> {
  const isBefore = side === 'before'
  const rows = await q.all(
    `order.positions|${table.name}|${side}`,
    { parentId, ...args },
    (db, $) =>
      db
        .selectFrom(table.name)
        .where(ofParent(table, $('parentId')))
        .where('relativePosition', isBefore ? '<=' : '>', $('position'))
        .orderBy('relativePosition', isBefore ? 'desc' : 'asc')
        .limit($('limit'))
        .select('relativePosition'),
  )
  return rows.map(({ relativePosition }) => relativePosition ?? 0)
}

/** Spaces the rows in a place anew, in their order. */
async function space(
  tx: Transaction,
  { table, parentId }: Siblings,
  { after, before }: Place,
  { from, gap }: Spacing,
): Promise<void> {
  const args = {
    parentId,
    from,
    gap,
    after: after ?? limits.after,
    before: before ?? limits.before,
  }
  await tx.run(`order.space|${table.name}`, args, (_, $) => {
    const name = sql.table(table.name)
    return sql`update ${name} set "relativePosition" = cast(${$('from')} as bigint)
        + cast(${$('gap')} as bigint) * "spaced"."number"
      from (
        select "id", row_number() over (order by "relativePosition", "id") as "number"
        from ${name} where ${ofParent(table, $('parentId'))}
          and "relativePosition" > ${$('after')} and "relativePosition" < ${$('before')}
      ) as "spaced"
      where "spaced"."id" = ${name}."id"`
  })
}
