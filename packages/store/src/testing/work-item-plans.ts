import type { CallerFacts } from '@stithy/core'
import { planEpics, planWorkItems, type WorkItemPlan } from '../planning/items/lists/plan.ts'
import type { Columns } from '../planning/items/lists/reading/select.ts'
import type {
  WorkItemFilter,
  WorkItemListScope,
  WorkItemRequest,
} from '../planning/items/lists/work-item-filter.ts'
import { countWorkItems, loadWorkItemsPage } from '../planning/items/lists/work-item-list.ts'
import { searchWorkItems } from '../planning/items/lists/work-item-search.ts'
import type { EpicTable, WorkItemTable } from '../planning/items/lists/work-item-table.ts'
import type { Build, Queries } from '../platform/queries/queries.ts'
import { explainQuery } from './explain.ts'

const caller: CallerFacts = { userId: 1, admin: false, external: false }
const project = { kind: 'project', projectId: 1, namespaceId: 1, includesHidden: false } as const
const group = { kind: 'group', groupId: 1, archived: false } as const
const anywhere = { kind: 'anywhere', archived: false } as const

type Plans = Map<string, string[]>

/** A table of items and the columns of its pages. */
export interface Listed<Table = WorkItemTable> {
  table: Table
  columns: Columns
}

/**
 * SQLite's plans of the queries of a list: `count` and `page`. There are said to be `partitions`
 * projects and labels, and the list is said to be `total` long, of a million items in its scope.
 */
export async function plansOf(
  { table, columns }: Listed,
  scope: WorkItemListScope,
  filter: WorkItemFilter,
  { total = 5000, partitions = 3, orderBy = 'created_at' }: Partial<Knowledge> = {},
): Promise<Plans> {
  const plans: Plans = new Map()
  const q = explaining(plans, total, partitions)
  const request = requestOf(scope, filter, orderBy)
  await readPage(q, await planWorkItems(q, table, request), columns)
  return plans
}

/** `plansOf` of a list of epics; there are said to be `partitions` groups and labels. */
export async function epicPlansOf(
  { table, columns }: Listed<EpicTable>,
  filter: WorkItemFilter,
  { total = 5000, partitions = 3, orderBy = 'created_at' }: Partial<Knowledge> = {},
): Promise<Plans> {
  const plans: Plans = new Map()
  const q = explaining(plans, total, partitions)
  const request = { ...requestOf(group, filter, orderBy), scope: { groupId: 1 } }
  await readPage(q, await planEpics(q, table, request), columns)
  return plans
}

async function readPage(
  q: Queries,
  plan: WorkItemPlan | undefined,
  columns: Columns,
): Promise<void> {
  if (plan === undefined) throw new Error('something is there')
  const count = await countWorkItems(q, plan)
  await loadWorkItemsPage(q, plan, { columns }, count, { page: 1, perPage: 20 })
}

/** `plansOf` of a search: the queries of a page that is not the last, and of the total. */
export async function searchPlansOf(
  { table, columns }: Listed,
  scope: WorkItemListScope,
  search: string,
  { total = 1_000_000, partitions = 3 }: Partial<Knowledge> = {},
): Promise<Plans> {
  const plans: Plans = new Map()
  const q = explaining(plans, total, partitions)
  const request = requestOf(scope, { search }, 'created_at')
  const page = { page: 1, perPage: 1 }
  await searchWorkItems(q, table, { columns }, { request, page, totalMs: 60_000 })
  return plans
}

function requestOf(
  scope: WorkItemListScope,
  filter: WorkItemFilter,
  orderBy: WorkItemRequest['orderBy'],
): WorkItemRequest {
  return { scope, filter, caller, today: '2019-06-15', orderBy, sort: 'desc' }
}

/** Queries that are explained, with the answers that plans depend on. */
function explaining(plans: Plans, total: number, partitions: number): Queries {
  let lists = 0
  const rows = Array.from({ length: partitions }, (_, index) => ({ id: index + 1, full: 0 }))
  async function note<A extends object>(shape: string, build: Build<A, unknown>) {
    const name = shape.endsWith('count') ? 'count' : shape.includes('.list|') ? 'page' : shape
    plans.set(name, await explainQuery(build))
  }
  return {
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
}

interface Knowledge {
  total: number
  partitions: number
  orderBy: WorkItemRequest['orderBy']
}

/** The first index that the page is read by, and whether rows are sorted for it. */
export async function readOf(...of: Parameters<typeof plansOf>) {
  const [{ table }] = of
  return readBy(table.name, (await plansOf(...of)).get('page') ?? [])
}

/** The first index that a page of this table is read by, and whether rows are sorted for it. */
export function readBy(table: string, steps: readonly string[]) {
  const items =
    steps.find((step) => step.includes(` ${table} USING`) && !step.includes('USING INTEGER')) ?? ''
  const linkSteps = steps.find((step) => / linked USING/.test(step))
  const index = /INDEX (\w+)/.exec(linkSteps ?? items)?.[1]
  return { index, sorts: steps.filter((step) => step.includes('ORDER BY')).length, steps }
}

export const lists = [
  ['project', project, 3],
  ['group', group, 3],
  ['everything', anywhere, 1000],
] as const

/** Whether more is sorted than the first rows of some partitions. */
export function sortsOf(steps: readonly string[]): boolean {
  const sorts = steps.filter((step) => step.includes('FOR ORDER BY')).length
  return sorts > (steps.some((step) => / top USING/.test(step)) ? 1 : 0)
}

/** Tables that are scanned without the order of an index. */
export function fullScans(steps: readonly string[]): string[] {
  return steps.filter(
    (step) =>
      step.startsWith('SCAN') &&
      !/SCAN (json_each|value|partition|top|\d+ CONSTANT|CONSTANT)|USING (COVERING )?INDEX (issues|mergeRequests|epics)_|SCAN projects USING COVERING/.test(
        step,
      ),
  )
}
