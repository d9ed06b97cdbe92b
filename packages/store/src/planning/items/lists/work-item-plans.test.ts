import type { CallerFacts } from '@stithy/core'
import { describe, expect, it } from 'vitest'
import type { Build, Queries } from '../../../platform/queries/queries.ts'
import { explainQuery } from '../../../testing/index.ts'
import { issueTable } from '../../issues/issue-list.ts'
import { issueColumns } from '../../issues/issue-row.ts'
import { planWorkItems } from './plan.ts'
import type { WorkItemFilter, WorkItemListScope, WorkItemRequest } from './work-item-filter.ts'
import { countWorkItems, loadWorkItemsPage } from './work-item-list.ts'

const caller: CallerFacts = { userId: 1, admin: false, external: false }
const project = { kind: 'project', projectId: 1, namespaceId: 1, includesHidden: false } as const
const group = { kind: 'group', groupId: 1, archived: false } as const
const anywhere = { kind: 'anywhere', archived: false } as const

type Plans = Map<string, string[]>

/**
 * SQLite's plans of the queries of a list: `count` and `page`. There are said to be `partitions`
 * projects and labels, and the list is said to be `total` long, of a million items in its scope.
 */
async function plansOf(
  scope: WorkItemListScope,
  filter: WorkItemFilter,
  { total = 5000, partitions = 3, orderBy = 'created_at' }: Partial<Knowledge> = {},
): Promise<Plans> {
  const plans: Plans = new Map()
  let lists = 0
  const rows = Array.from({ length: partitions }, (_, index) => ({ id: index + 1, full: 0 }))
  async function note<A extends object>(shape: string, build: Build<A, unknown>) {
    const name = shape.endsWith('count') ? 'count' : shape.includes('.list|') ? 'page' : shape
    plans.set(name, await explainQuery(build))
  }
  const q = {
    dialect: 'sqlite',
    async all(shape: string, _: object, build: Build<never, unknown>) {
      await note(shape, build)
      return rows
    },
    async first(shape: string, _: object, build: Build<never, unknown>) {
      await note(shape, build)
      if (shape.includes('openProjects')) return { total: partitions }
      if (shape.endsWith('.all')) return { total: 100_000_000 }
      lists += 1
      return { total: lists === 1 ? total : 1_000_000 }
    },
  } as unknown as Queries
  const request: WorkItemRequest = {
    scope,
    filter,
    caller,
    today: '2019-06-15',
    orderBy,
    sort: 'desc',
  }
  const plan = await planWorkItems(q, issueTable, request)
  if (plan === undefined) throw new Error('something is there')
  const count = await countWorkItems(q, plan)
  await loadWorkItemsPage(q, plan, { columns: issueColumns }, count, { page: 1, perPage: 20 })
  return plans
}

interface Knowledge {
  total: number
  partitions: number
  orderBy: 'created_at' | 'updated_at'
}

/** The first index that the page is read by, and whether rows are sorted for it. */
async function readAuth(...of: Parameters<typeof plansOf>) {
  const steps = (await plansOf(...of)).get('page') ?? []
  const issues = steps.find((step) => / issues USING (?!INTEGER)/.test(step)) ?? ''
  const linkSteps = steps.find((step) => / linked USING/.test(step))
  const index = /INDEX (\w+)/.exec(linkSteps ?? issues)?.[1]
  return { index, sorts: steps.filter((step) => step.includes('ORDER BY')).length, steps }
}

/** Each filter alone, and the index that must serve it in a project, in a group and everywhere. */
const served: [string, WorkItemFilter, string, string, string][] = [
  ['nothing', {}, 'projectId_createdAt', 'projectId_createdAt', 'createdAt'],
  ['state', { state: 'opened' }, 'projectId_state', 'projectId_state', 'state'],
  ['author', { authorId: 1 }, 'authorId', 'authorId', 'authorId'],
  ['author by name', { authorUsername: 'a' }, 'authorId', 'authorId', 'authorId'],
  ['created by me', { createdById: 1 }, 'authorId', 'authorId', 'authorId'],
  ['assignee', { assigneeId: { is: 1 } }, 'userId', 'userId', 'userId'],
  ['assignee by name', { assigneeUsernames: ['a', 'b'] }, 'userId', 'userId', 'userId'],
  ['assigned to me', { assignedToId: 1 }, 'userId', 'userId', 'userId'],
  ['no assignee', { assigneeId: 'none' }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  ['any assignee', { assigneeId: 'any' }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  ['label', { labels: { is: ['a'] } }, 'projectId_labelId', 'labelId', 'labelId'],
  ['labels', { labels: { is: ['a', 'b'] } }, 'projectId_labelId', 'labelId', 'labelId'],
  ['no label', { labels: 'none' }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  ['any label', { labels: 'any' }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  ['milestone', { milestone: { is: 'a' } }, 'milestoneId', 'milestoneId', 'milestoneId'],
  ['no milestone', { milestone: 'none' }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  ['any milestone', { milestone: 'any' }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  ['weight', { weight: { is: 3 } }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  ['no weight', { weight: 'none' }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  ['any weight', { weight: 'any' }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  [
    'confidential',
    { confidential: true },
    'confidential_projectId',
    'projectId_createdAt',
    'confidential',
  ],
  [
    'not confidential',
    { confidential: false },
    'projectId_createdAt',
    'projectId_createdAt',
    'createdAt',
  ],
  [
    'created',
    { createdFrom: 1, createdUntil: 2 },
    'projectId_createdAt',
    'projectId_createdAt',
    'createdAt',
  ],
]

const lists = [
  ['project', project, 3],
  ['group', group, 3],
  ['everything', anywhere, 1000],
] as const

describe('the first page of a list of issues', () => {
  for (const [scope, where, partitions] of lists) {
    for (const [name, filter, ...indices] of served) {
      it(`of ${scope} is read by an index: ${name}`, async () => {
        const titled = Object.values(filter).some(
          (value) => typeof value === 'object' && 'is' in value,
        )
        const few =
          titled && scope === 'everything' && !('weight' in filter || 'assigneeId' in filter)
        const { index, steps } = await readAuth(where, filter, {
          partitions: few ? 3 : partitions,
        })
        const expected = indices[lists.findIndex(([one]) => one === scope)] ?? ''
        expect(index, steps.join('\n')).toMatch(new RegExp(`^\\w+?_(${expected})_`))
        // Only the twenty of each partition are sorted, by the outermost query.
        expect(sortsOf(steps), steps.join('\n')).toBe(false)
        expect(fullScans(steps)).toEqual([])
      })
    }
  }

  it('is sorted where few match: iids, reactions, texts, the other date', async () => {
    const filters: [WorkItemFilter, RegExp][] = [
      [
        { iids: [1, 2] },
        /issues USING INDEX issues_(projectId_iid_key|iid_createdAt_id_confidential_index)/,
      ],
      [{ reaction: { is: 'tada' } }, /given USING COVERING INDEX awards_userId_targetType_name/],
      [{ reaction: 'any' }, /given USING COVERING INDEX awards_userId_targetType/],
      [{ search: 'word' }, /issueTexts VIRTUAL TABLE INDEX/],
      [{ updatedFrom: 1 }, /issues USING INDEX issues_(projectId_)?updatedAt/],
    ]
    for (const [filter, index] of filters) {
      for (const [scope, where, partitions] of lists) {
        const { steps } = await readAuth(where, filter, { total: 500, partitions })
        const message = `${scope} ${JSON.stringify(filter)}\n${steps.join('\n')}`
        expect(
          steps.some((step) => index.test(step)),
          message,
        ).toBe(true)
        expect(
          fullScans(steps).filter((step) => !step.includes('issueTexts')),
          message,
        ).toEqual([])
      }
    }
  })

  it('is read in order where many match: reactions, texts, the other date', async () => {
    const filters: WorkItemFilter[] = [{ reaction: 'none' }, { search: 'word' }, { updatedFrom: 1 }]
    for (const filter of filters) {
      for (const [scope, where, partitions] of lists) {
        const { index, sorts, steps } = await readAuth(where, filter, {
          partitions,
          total: 900_000,
        })
        const message = `${scope} ${JSON.stringify(filter)}\n${steps.join('\n')}`
        expect(index, message).toMatch(/^issues_(projectId_)?createdAt_/)
        if (scope === 'project') expect(sorts, message).toBe(0)
      }
    }
  })

  it('by its last change is read by an index', async () => {
    for (const [scope, where, partitions] of lists) {
      const { index, steps } = await readAuth(where, {}, { orderBy: 'updated_at', partitions })
      expect(index, `${scope}\n${steps.join('\n')}`).toMatch(/^issues_(projectId_)?updatedAt_id/)
    }
  })
})

describe('counting a list of issues', () => {
  it('goes from the projects to their issues by an index', async () => {
    for (const filter of [
      {},
      { state: 'opened' },
      { labels: 'none' },
      { weight: 'any' },
    ] as const) {
      for (const [scope, where, partitions] of lists) {
        const steps = (await plansOf(where, filter, { partitions })).get('count') ?? []
        const others = steps.filter((step) => step !== 'SCAN projects')
        expect(fullScans(others), `${scope} ${JSON.stringify(filter)}`).toEqual([])
      }
    }
  })
})

/** Whether more is sorted than the first rows of some partitions. */
function sortsOf(steps: readonly string[]): boolean {
  const sorts = steps.filter((step) => step.includes('FOR ORDER BY')).length
  return sorts > (steps.some((step) => / top USING/.test(step)) ? 1 : 0)
}

/** Tables that are scanned without the order of an index. */
function fullScans(steps: readonly string[]): string[] {
  return steps.filter(
    (step) =>
      step.startsWith('SCAN') &&
      !/SCAN (json_each|value|partition|top|\d+ CONSTANT|CONSTANT)|USING (COVERING )?INDEX issues_|SCAN projects USING COVERING/.test(
        step,
      ),
  )
}
