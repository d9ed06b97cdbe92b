import { describe, expect, it } from 'vitest'
import { plansOf } from '../../testing/plans.ts'
import { epicPlansOf, fullScans, readBy, sortsOf } from '../../testing/work-item-plans.ts'
import type { WorkItemFilter } from '../items/lists/work-item-filter.ts'
import { epicTable } from './epic-list.ts'
import { removeEpics } from './epic-removal.ts'
import { listedEpicColumns } from './epic-row.ts'
import { findEpic, findEpicByNumber, findEpicsById } from './epic-store.ts'

const epics = { table: epicTable, columns: listedEpicColumns }

/** Each filter alone, and the index that must serve it. */
const served: [string, WorkItemFilter, string][] = [
  ['nothing', {}, 'groupId_createdAt'],
  ['state', { state: 'opened' }, 'groupId_state'],
  ['author', { authorId: 1 }, 'authorId'],
  ['label', { labels: { is: ['a'] } }, 'labelId'],
  ['labels', { labels: { is: ['a', 'b'] } }, 'labelId'],
  ['created', { createdFrom: 1, createdUntil: 2 }, 'groupId_createdAt'],
]

describe('the first page of a list of epics', () => {
  it.each(served)('is read by an index: %s', async (_, filter, expected) => {
    const steps = (await epicPlansOf(epics, filter)).get('page') ?? []
    const { index } = readBy('epics', steps)
    expect(index, steps.join('\n')).toMatch(new RegExp(`^\\w+?_(${expected})_`))
    // Only the twenty of each partition are sorted, by the outermost query.
    expect(sortsOf(steps), steps.join('\n')).toBe(false)
    expect(fullScans(steps)).toEqual([])
  })

  it('by the last change is read by an index', async () => {
    const steps = (await epicPlansOf(epics, {}, { orderBy: 'updated_at' })).get('page') ?? []
    expect(readBy('epics', steps).index, steps.join('\n')).toMatch(/^epics_groupId_updatedAt_id/)
    expect(sortsOf(steps)).toBe(false)
  })

  it('of many groups is read in order', async () => {
    for (const orderBy of ['created_at', 'updated_at'] as const) {
      const knowledge = { orderBy, partitions: 1000, total: 900_000 }
      const steps = (await epicPlansOf(epics, {}, knowledge)).get('page') ?? []
      const column = orderBy === 'created_at' ? 'createdAt' : 'updatedAt'
      expect(readBy('epics', steps).index, steps.join('\n')).toMatch(`epics_${column}_id`)
      expect(sortsOf(steps), steps.join('\n')).toBe(false)
    }
  })

  it('is sorted where few match: texts, the other date', async () => {
    const filters: [WorkItemFilter, RegExp][] = [
      [{ search: 'word' }, /epicTexts VIRTUAL TABLE INDEX/],
      [{ updatedFrom: 1 }, /epics USING INDEX epics_groupId_updatedAt/],
    ]
    for (const [filter, index] of filters) {
      const steps = (await epicPlansOf(epics, filter, { total: 500 })).get('page') ?? []
      expect(
        steps.some((step) => index.test(step)),
        steps.join('\n'),
      ).toBe(true)
      expect(fullScans(steps).filter((step) => !step.includes('epicTexts'))).toEqual([])
    }
  })
})

describe('queries about epics', () => {
  it('count by an index', async () => {
    for (const filter of [{}, { state: 'opened' }, { authorId: 1 }, { labels: { is: ['a'] } }]) {
      const steps = (await epicPlansOf(epics, filter)).get('count') ?? []
      expect(steps.length).toBeGreaterThan(0)
      expect(fullScans(steps), JSON.stringify(filter)).toEqual([])
    }
  })

  it('find single ones, and those to delete, by an index', async () => {
    const plans = await plansOf(async (tx) => {
      await findEpic(tx, { groupId: 1, ref: 1 })
      await findEpicByNumber(tx, { groupId: 1, iid: 1 })
      await findEpicsById(tx, [1])
      await removeEpics(tx, { groupId: 1, limit: 10 })
      await removeEpics(tx, { authorId: 1, limit: 10 })
    })
    for (const [shape, steps] of plans) expect(fullScans(steps), shape).toEqual([])
  })
})
