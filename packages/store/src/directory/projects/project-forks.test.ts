import type { Visibility } from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import {
  buildNamespace,
  buildProject,
  openTestDatabase,
  type TestDatabase,
} from '../../testing/index.ts'
import { asTransaction, costlySteps, plansOf } from '../../testing/plans.ts'
import {
  clearForkSource,
  countFork,
  discountFork,
  lockForkLine,
  lockForkSource,
  narrowForks,
  setForkSource,
} from './project-forks.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const write = <T>(work: (tx: Transaction) => Promise<T>) => db.transaction(work)

async function build(visibility: Visibility = 'public', changes: object = {}): Promise<number> {
  const namespace = await buildNamespace(db, { visibility: 'public' })
  return (await buildProject(db, namespace, { visibility, ...changes })).id
}

/** A project and a fork of it, a fork of that, and so on. */
async function buildLine(length: number): Promise<number[]> {
  const ids: number[] = []
  for (let index = 0; index < length; index += 1) {
    const forkedFromProjectId = ids.at(-1) ?? null
    ids.push(await build('public', { forkedFromProjectId }))
  }
  return ids
}

const find = (id: number) =>
  db.first('test.project', { id }, (q, $) =>
    q
      .selectFrom('projects')
      .where('id', '=', $('id'))
      .select(['forksCount', 'forkedFromProjectId', 'visibility', 'updatedAt']),
  )

describe('countFork and discountFork', () => {
  it('count forks, and never below zero', async () => {
    const sourceId = await build('internal')
    expect(await write((tx) => countFork(tx, { sourceId }))).toBe('internal')
    expect(await find(sourceId)).toMatchObject({ forksCount: 1 })
    await write((tx) => discountFork(tx, { sourceId }))
    await write((tx) => discountFork(tx, { sourceId }))
    expect(await find(sourceId)).toMatchObject({ forksCount: 0 })
  })

  it('count none of a deleted project', async () => {
    const sourceId = await build('public', { deletedAt: 1 })
    expect(await write((tx) => countFork(tx, { sourceId }))).toBeUndefined()
    expect(await write((tx) => lockForkSource(tx, { sourceId }))).toBeUndefined()
    expect(await find(sourceId)).toMatchObject({ forksCount: 0 })
  })
})

describe('setForkSource and clearForkSource', () => {
  it('set the source once, and clear only the one named', async () => {
    const [projectId, sourceId, other] = [await build(), await build(), await build()]
    expect(await write((tx) => setForkSource(tx, { projectId, sourceId }))).toBe(true)
    expect(await write((tx) => setForkSource(tx, { projectId, sourceId: other }))).toBe(false)
    expect(await write((tx) => clearForkSource(tx, { projectId, sourceId: other }))).toBe(false)
    expect(await find(projectId)).toMatchObject({ forkedFromProjectId: sourceId })
    expect(await write((tx) => clearForkSource(tx, { projectId, sourceId }))).toBe(true)
    expect(await write((tx) => clearForkSource(tx, { projectId, sourceId }))).toBe(false)
  })

  it('set none of a deleted project', async () => {
    const [projectId, sourceId] = [await build('public', { deletedAt: 1 }), await build()]
    expect(await write((tx) => setForkSource(tx, { projectId, sourceId }))).toBe(false)
  })
})

describe('lockForkLine', () => {
  it('returns the project and all above it, and changes nothing', async () => {
    const [first, second, third] = await buildLine(3)
    const before = await find(third ?? 0)
    const line = await write((tx) => lockForkLine(tx, { projectId: second ?? 0 }))
    expect(line.toSorted((a, b) => a - b)).toEqual([first, second])
    expect(await write((tx) => lockForkLine(tx, { projectId: first ?? 0 }))).toEqual([first])
    expect(await find(third ?? 0)).toEqual(before)
  })

  it('keeps two lines from becoming forks of each other at the same time', async () => {
    // Each transaction reads one line and writes the other; no row is in both.
    const link = (projectId: number, sourceId: number) =>
      write(async (tx) => {
        if ((await lockForkLine(tx, { projectId: sourceId })).includes(projectId)) return false
        return setForkSource(tx, { projectId, sourceId })
      })
    for (let round = 0; round < 5; round += 1) {
      const [[top = 0, bottom = 0], [otherTop = 0, otherBottom = 0]] = [
        await buildLine(2),
        await buildLine(2),
      ]
      const linked = await Promise.all([link(top, otherBottom), link(otherTop, bottom)])
      expect(linked.toSorted()).toEqual([false, true])
    }
  })
})

describe('narrowForks', () => {
  it('narrows forks of forks, and leaves what is narrower already', async () => {
    const [source = 0, child = 0, grandchild = 0] = await buildLine(3)
    const hidden = await build('private', { forkedFromProjectId: child })
    const unrelated = await build()
    const narrow = (visibility: Visibility) =>
      write((tx) => narrowForks(tx, { projectId: source, visibility, now: 7 }))
    const all = async () => {
      const rows = await Promise.all([child, grandchild, hidden, unrelated].map(find))
      return rows.map((row) => row?.visibility)
    }
    await narrow('public')
    expect(await all()).toEqual(['public', 'public', 'private', 'public'])
    await narrow('internal')
    expect(await all()).toEqual(['internal', 'internal', 'private', 'public'])
    expect(await find(grandchild)).toMatchObject({ updatedAt: 7 })
    expect(await find(source)).toMatchObject({ visibility: 'public' })
    await narrow('private')
    expect(await all()).toEqual(['private', 'private', 'private', 'public'])
  })
})

describe('queries of forks', () => {
  const ids = { projectId: 1, sourceId: 2 }

  it.each<[string, (q: Queries) => Promise<unknown>]>([
    ['countFork', (q) => countFork(asTransaction(q), ids)],
    ['lockForkSource', (q) => lockForkSource(asTransaction(q), ids)],
    ['discountFork', (q) => discountFork(asTransaction(q), ids)],
    ['setForkSource', (q) => setForkSource(asTransaction(q), ids)],
    ['clearForkSource', (q) => clearForkSource(asTransaction(q), ids)],
    ['lockForkLine', (q) => lockForkLine(asTransaction(q), ids)],
    [
      'narrowForks',
      (q) => narrowForks(asTransaction(q), { projectId: 1, visibility: 'private', now: 0 }),
    ],
  ])('reads an index: %s', async (_, work) => {
    const plans = await plansOf(work)
    expect(plans.size).toBeGreaterThan(0)
    for (const plan of plans.values()) {
      // The rows found so far by a recursion are scanned.
      expect(costlySteps(plan).filter((step) => !/^SCAN (line|below)\b/.test(step))).toEqual([])
    }
  })
})
