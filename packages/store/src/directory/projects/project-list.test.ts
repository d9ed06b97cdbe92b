import { anonymous } from '@stithy/core'
import { describe, expect, it } from 'vitest'
import type { Queries } from '../../platform/queries/queries.ts'
import { plansOf } from '../../testing/plans.ts'
import { listGroups } from '../groups/group-list.ts'
import { listProjects, listProjectsSimply, type ProjectListRequest } from './project-list.ts'

/** SQLite's plan of the page of a list. */
async function pagePlan(list: (q: Queries) => Promise<unknown>): Promise<string[]> {
  const plans = await plansOf(list)
  return [...plans].find(([shape]) => /\|(?:page|deep)$/.test(shape))?.[1] ?? []
}

const internal = { userId: 1, admin: false, external: false }
const admin = { ...internal, admin: true }
const callers = { anonymous, internal, admin }
const today = '2026-01-01'
const page = { page: 1, perPage: 20 }

function rowsPlan(request: Omit<ProjectListRequest, 'today'>): Promise<string[]> {
  return pagePlan((q) => listProjects(q, { ...request, today }, page))
}

describe('listProjects', () => {
  const orders = ['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'] as const
  const cases = orders.flatMap((orderBy) =>
    Object.entries(callers).map(([who, caller]) => [orderBy, who, caller] as const),
  )

  it.each(cases)('orders by %s for %s by an index', async (orderBy, _, caller) => {
    for (const sort of ['asc', 'desc'] as const) {
      const plan = await rowsPlan({ caller, orderBy, sort })
      expect(plan.filter((step) => step.includes('TEMP B-TREE FOR'))).toEqual([])
      expect(plan.filter((step) => /^SCAN (?!p( USING|$))/.test(step))).toEqual([])
    }
  })

  it.each([
    ['starred', { starred: true }],
    ['owned', { owned: true }],
    ['a user', { scope: { kind: 'user', userId: 1 } }],
    ['a group', { scope: { kind: 'group', groupId: 1, subgroups: true, shared: true } }],
    ['a language', { language: 'ruby' }],
    ['an attribute', { customAttributes: { a: 'b' } }],
  ] as const)('reads what %s asks for through an index', async (_, filter) => {
    const plan = await rowsPlan({ caller: internal, ...filter })
    const scans = plan.filter((step) => step.startsWith('SCAN') && !step.includes('INDEX'))
    expect(scans.filter((step) => !/^SCAN (CONSTANT|json_each|first$)/.test(step))).toEqual([])
  })

  const byCreation = 'USING COVERING INDEX projects_namespaceId_createdAt_id_visibility_deletedAt'

  it.each(Object.entries(callers))(
    'finds the newest projects of a group in their order for %s',
    async (_, caller) => {
      const scope = { kind: 'group', groupId: 1, subgroups: false, shared: false } as const
      for (const sort of ['asc', 'desc'] as const) {
        const plan = await rowsPlan({ caller, scope, sort })
        expect(plan).toContain(`SEARCH p ${byCreation}_index (namespaceId=?)`)
        // Of the rows of the page.
        const sorts = plan.filter((step) => step.includes('TEMP B-TREE FOR'))
        expect(sorts).toEqual(['USE TEMP B-TREE FOR ORDER BY'])
        expect(plan.at(-1)).toBe(sorts[0])
      }
    },
  )

  it.each([true, false])(
    'reads those of a group and those shared with it by an index each, subgroups: %s',
    async (subgroups) => {
      const scope = { kind: 'group', groupId: 1, subgroups, shared: true } as const
      const plan = await rowsPlan({ caller: internal, scope })
      expect(plan.filter((step) => step === 'CO-ROUTINE first')).toHaveLength(2)
      expect(plan.some((step) => step.startsWith(`SEARCH p ${byCreation}`))).toBe(true)
      expect(plan.filter((step) => step.startsWith('MULTI-INDEX'))).toEqual([])
    },
  )

  it('finds the ids of a deep page before its columns', async () => {
    const deep = { page: 100, perPage: 100 }
    const steps = await pagePlan((q) => listProjectsSimply(q, { caller: admin, today }, deep))
    expect(steps.some((step) => step.includes('LIST SUBQUERY'))).toBe(true)
  })
})

describe('listGroups', () => {
  it.each(['id', 'name', 'path'] as const)('orders by %s by an index', async (orderBy) => {
    for (const caller of Object.values(callers)) {
      const steps = await pagePlan((q) => listGroups(q, { caller, today, orderBy }, page))
      expect(steps).not.toEqual([])
      expect(steps.filter((step) => step.includes('TEMP B-TREE FOR ORDER'))).toEqual([])
    }
  })

  it('counts and lists subgroups by their parent', async () => {
    for (const caller of Object.values(callers)) {
      const plans = await plansOf((q) => listGroups(q, { caller, today, parentId: 1 }, page))
      expect(plans.size).toBe(2)
      for (const [, plan] of plans) {
        expect(plan[0]).toBe(
          'SEARCH n USING INDEX namespaces_parentId_nameLower_id_index (parentId=?)',
        )
        expect(plan).not.toContain('USE TEMP B-TREE FOR ORDER BY')
      }
    }
  })
})
