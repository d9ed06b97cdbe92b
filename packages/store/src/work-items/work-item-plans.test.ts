import type { CallerFacts } from '@stithy/core'
import { describe, expect, it } from 'vitest'
import { issueTable } from '../issues/issue-list.ts'
import { issueColumns } from '../issues/issue-row.ts'
import type { Build, Queries } from '../queries.ts'
import { explainQuery } from '../testing/index.ts'
import { planWorkItems } from './plan.ts'
import type { WorkItemFilter, WorkItemPlace, WorkItemRequest } from './work-item-filter.ts'
import { countWorkItems, pageOfWorkItems } from './work-item-list.ts'

const caller: CallerFacts = { userId: 1, admin: false, external: false }
const project = { kind: 'project', projectId: 1, namespaceId: 1, seesHidden: false } as const
const group = { kind: 'group', groupId: 1, archived: false } as const
const anywhere = { kind: 'anywhere', archived: false } as const

type Plans = Map<string, string[]>

/**
 * How SQLite would run the queries of a list: `count` and `page`. Projects and labels that are asked for
 * first are said to be `lanes` many, and the list `total` long, of a million in its place.
 */
async function plansOf(
  place: WorkItemPlace,
  filter: WorkItemFilter,
  { total = 5000, lanes = 3, orderBy = 'created_at' }: Partial<Knowledge> = {},
): Promise<Plans> {
  const plans: Plans = new Map()
  let lists = 0
  const rows = Array.from({ length: lanes }, (_, index) => ({ id: index + 1, full: 0 }))
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
      if (shape.includes('openProjects')) return { total: lanes }
      if (shape.endsWith('.all')) return { total: 100_000_000 }
      lists += 1
      return { total: lists === 1 ? total : 1_000_000 }
    },
  } as unknown as Queries
  const request: WorkItemRequest = {
    place,
    filter,
    caller,
    today: '2019-06-15',
    orderBy,
    sort: 'desc',
  }
  const plan = await planWorkItems(q, issueTable, request)
  if (plan === undefined) throw new Error('something is there')
  await countWorkItems(q, plan)
  await pageOfWorkItems(q, plan, { columns: issueColumns }, total, { page: 1, perPage: 20 })
  return plans
}

interface Knowledge {
  total: number
  lanes: number
  orderBy: 'created_at' | 'updated_at'
}

/** The index by which the page is read first, and whether rows are sorted for it. */
async function readingOf(...of: Parameters<typeof plansOf>) {
  const steps = (await plansOf(...of)).get('page') ?? []
  const issues = steps.find((step) => / issues USING (?!INTEGER)/.test(step)) ?? ''
  const ties = steps.find((step) => / tie USING/.test(step))
  const index = /INDEX (\w+)/.exec(ties ?? issues)?.[1]
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
  for (const [place, where, lanes] of lists) {
    for (const [name, filter, ...indices] of served) {
      it(`of ${place} is read by an index: ${name}`, async () => {
        const titled = Object.values(filter).some(
          (value) => typeof value === 'object' && 'is' in value,
        )
        const few =
          titled && place === 'everything' && !('weight' in filter || 'assigneeId' in filter)
        const { index, steps } = await readingOf(where, filter, { lanes: few ? 3 : lanes })
        const expected = indices[lists.findIndex(([one]) => one === place)] ?? ''
        expect(index, steps.join('\n')).toMatch(new RegExp(`^\\w+?_(${expected})_`))
        // What is sorted are the twenty of each lane at the most, by the outermost query.
        expect(sortsOf(steps), steps.join('\n')).toBe(false)
        expect(fullScans(steps)).toEqual([])
      })
    }
  }

  it('is sorted where few match: numbers, reactions, texts, the other date', async () => {
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
      for (const [place, where, lanes] of lists) {
        const { steps } = await readingOf(where, filter, { total: 500, lanes })
        const told = `${place} ${JSON.stringify(filter)}\n${steps.join('\n')}`
        expect(
          steps.some((step) => index.test(step)),
          told,
        ).toBe(true)
        expect(
          fullScans(steps).filter((step) => !step.includes('issueTexts')),
          told,
        ).toEqual([])
      }
    }
  })

  it('is read in order where many match: reactions, texts, the other date', async () => {
    const filters: WorkItemFilter[] = [{ reaction: 'none' }, { search: 'word' }, { updatedFrom: 1 }]
    for (const filter of filters) {
      for (const [place, where, lanes] of lists) {
        const { index, sorts, steps } = await readingOf(where, filter, { lanes, total: 900_000 })
        const told = `${place} ${JSON.stringify(filter)}\n${steps.join('\n')}`
        expect(index, told).toMatch(/^issues_(projectId_)?createdAt_/)
        if (place === 'project') expect(sorts, told).toBe(0)
      }
    }
  })

  it('by its last change is read by an index', async () => {
    for (const [place, where, lanes] of lists) {
      const { index, steps } = await readingOf(where, {}, { orderBy: 'updated_at', lanes })
      expect(index, `${place}\n${steps.join('\n')}`).toMatch(/^issues_(projectId_)?updatedAt_id/)
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
      for (const [place, where, lanes] of lists) {
        const steps = (await plansOf(where, filter, { lanes })).get('count') ?? []
        const others = steps.filter((step) => step !== 'SCAN projects')
        expect(fullScans(others), `${place} ${JSON.stringify(filter)}`).toEqual([])
      }
    }
  })
})

/** Whether more is sorted than the first of some lanes. */
function sortsOf(steps: readonly string[]): boolean {
  const sorts = steps.filter((step) => step.includes('FOR ORDER BY')).length
  return sorts > (steps.some((step) => / top USING/.test(step)) ? 1 : 0)
}

/** Tables that are read from end to end without the order of an index. */
function fullScans(steps: readonly string[]): string[] {
  return steps.filter(
    (step) =>
      step.startsWith('SCAN') &&
      !/SCAN (json_each|value|lane|top|\d+ CONSTANT|CONSTANT)|USING (COVERING )?INDEX issues_|SCAN projects USING COVERING/.test(
        step,
      ),
  )
}
