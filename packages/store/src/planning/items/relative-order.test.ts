import { positionGap } from '@stithy/core'
import { describe, expect, it } from 'vitest'
import type { Transaction } from '../../platform/queries/queries.ts'
import {
  buildNamespace,
  buildUser,
  insertRow,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../../testing/index.ts'
import { childEpics } from '../epics/epic-tree-store.ts'
import { moveBeside, type Siblings } from './relative-order.ts'

/** An epic with `count` children, `gap` apart. */
async function buildSiblings(db: TestDatabase, count: number, gap = positionGap) {
  const group = await buildNamespace(db)
  const author = await buildUser(db)
  const times = { createdAt: someTime, updatedAt: someTime }
  const shared = { groupId: group.id, authorId: author.id, title: 'An epic', ...times }
  const parent = await insertRow(db, 'epics', { ...shared, iid: 1 })
  const ids: number[] = []
  for (let i = 0; i < count; i += 1) {
    const place = { parentId: parent.id, relativePosition: i * gap }
    ids.push((await insertRow(db, 'epics', { ...shared, ...place, iid: i + 2 })).id)
  }
  return { ids, siblings: { table: childEpics, parentId: parent.id } }
}

/** Counts the rows that a transaction writes. */
function countingWrites(tx: Transaction, count: (changes: number) => void): Transaction {
  return {
    ...tx,
    async run(...query) {
      const result = await tx.run(...query)
      count(result.changes)
      return result
    },
  }
}

type Move = Parameters<typeof moveBeside>[2]

/** Makes moves in one transaction; returns how many rows each wrote. */
async function moveAll(db: TestDatabase, siblings: Siblings, moves: readonly Move[]) {
  const writes: number[] = []
  await db.transaction(async (tx) => {
    for (const move of moves) {
      let written = 0
      const counting = countingWrites(tx, (changes) => {
        written += changes
      })
      expect(await moveBeside(counting, siblings, move)).toBe(true)
      writes.push(written)
    }
  })
  return writes
}

async function orderOf(db: TestDatabase, { parentId }: Siblings): Promise<number[]> {
  const rows = await db.all('test.order', { parentId }, (k, $) =>
    k
      .selectFrom('epics')
      .where('parentId', '=', $('parentId'))
      .orderBy('relativePosition')
      .select('id'),
  )
  return rows.map(({ id }) => id)
}

/** What the moves make of a list. */
function moved(ids: readonly number[], moves: readonly Move[]): number[] {
  const list = [...ids]
  for (const { id, to } of moves) {
    list.splice(list.indexOf(id), 1)
    list.splice(list.indexOf(to.siblingId) + (to.side === 'after' ? 1 : 0), 0, id)
  }
  return list
}

/** The id at an index that is known to exist. */
function at(ids: readonly number[], index: number): number {
  const id = ids[index]
  if (id === undefined) throw new RangeError(`no id at ${index}`)
  return id
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

describe('moveBeside', () => {
  it.each(['before', 'after'] as const)('moves to either end: %s', async (side) => {
    await using db = await openTestDatabase()
    const { ids, siblings } = await buildSiblings(db, 4)
    const siblingId = at(ids, side === 'before' ? 0 : 3)
    const moves = [{ id: at(ids, 2), to: { siblingId, side } }]
    expect(await moveAll(db, siblings, moves)).toEqual([1])
    expect(await orderOf(db, siblings)).toEqual(moved(ids, moves))
  })

  it('is false for a sibling of another parent', async () => {
    await using db = await openTestDatabase()
    const { ids, siblings } = await buildSiblings(db, 2)
    const other = await buildSiblings(db, 1)
    const move = { id: at(ids, 0), to: { siblingId: at(other.ids, 0), side: 'after' } } as const
    expect(await db.transaction((tx) => moveBeside(tx, siblings, move))).toBe(false)
    expect(await orderOf(db, siblings)).toEqual(ids)
  })

  it('writes one row where there is a gap, and 65 where it is used up', async () => {
    await using db = await openTestDatabase()
    const { ids, siblings } = await buildSiblings(db, 300)
    const target = at(ids, 150)
    const moves = ids
      .slice(0, 60)
      .map((id) => ({ id, to: { siblingId: target, side: 'before' } as const }))
    const writes = await moveAll(db, siblings, moves)
    expect(new Set(writes)).toEqual(new Set([1, 65]))
    expect(writes.indexOf(65)).toBe(26)
    expect(await orderOf(db, siblings)).toEqual(moved(ids, moves))
  })

  it('writes few rows per move over thousands of moves to the same place', async () => {
    await using db = await openTestDatabase()
    const { ids, siblings } = await buildSiblings(db, 4000)
    const target = at(ids, 2000)
    // Those that come from elsewhere make the place ever denser.
    const moves = [...ids.slice(0, 1900), ...ids.slice(2100)].map((id, index) => ({
      id,
      to: { siblingId: target, side: index % 3 === 0 ? 'after' : 'before' } as const,
    }))
    const writes = await moveAll(db, siblings, moves)
    expect(writes).toHaveLength(3800)
    expect(Math.max(...writes.slice(0, 1000))).toBeLessThanOrEqual(513)
    expect(Math.max(...writes)).toBeLessThanOrEqual(2049)
    expect(sum(writes) / writes.length).toBeLessThan(12)
    expect(await orderOf(db, siblings)).toEqual(moved(ids, moves))
  })

  it('finds room in a list without any gap', async () => {
    await using db = await openTestDatabase()
    const { ids, siblings } = await buildSiblings(db, 200, 1)
    const moves = [{ id: at(ids, 0), to: { siblingId: at(ids, 100), side: 'after' } }] as const
    const [writes] = await moveAll(db, siblings, moves)
    expect(writes).toBe(201)
    expect(await orderOf(db, siblings)).toEqual(moved(ids, moves))
  })
})
