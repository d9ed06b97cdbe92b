import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Row } from '../../platform/schema/schema.ts'
import {
  buildMember,
  buildNamespace,
  buildProject,
  buildUser,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../../testing/index.ts'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { runText, writeText } from '../../testing/run-text.ts'
import {
  putIssue,
  putLabel,
  putMergeRequest,
  type WorkItemModel,
} from '../../testing/work-items.ts'
import { deleteItemDependents } from '../items/item-removal.ts'
import { deleteLabelLinks, insertLabelLinks } from './label-links.ts'
import { moveLabelLinks } from './label-merge.ts'
import { completeLabelMerge } from './label-promotion.ts'
import { countLabelledItems } from './label-totals.ts'
import { deleteLabels } from './label-writes.ts'

let db: TestDatabase
let user: Row<'users'>
let group: Row<'namespaces'>
let projects: Row<'projects'>[]

beforeEach(async () => {
  db = await openTestDatabase()
  user = await buildUser(db)
  group = await buildNamespace(db)
  projects = [await buildProject(db, group), await buildProject(db, group)]
})
afterEach(() => db.close())

const today = '2019-06-01'
let nextId = 1

function model(overrides: Partial<WorkItemModel>): WorkItemModel {
  const id = nextId++
  const empty = { title: 'Title', description: null, weight: null, milestoneId: null, awards: [] }
  const plain = { state: 'opened', confidential: false, labelIds: [], assigneeIds: [] } as const
  const times = { createdAt: someTime, updatedAt: someTime }
  const columns = { id, iid: id, projectId: projects[0]?.id ?? 0, authorId: user.id }
  return {
    ...columns,
    ...empty,
    ...plain,
    ...times,
    ...overrides,
    labelIds: overrides.labelIds ?? [],
    assigneeIds: overrides.assigneeIds ?? [],
  }
}

const keys = ['labelId', 'projectId', 'targetType', 'state', 'confidential']
const quoted = keys.map((name) => `"${name}"`).join(', ')

/** The stored totals that are not zero. */
function stored() {
  return runText(
    db,
    `select ${quoted}, total from "labelTotals" where total <> 0 order by ${quoted}`,
  )
}

/** The totals counted from the rows. */
function counted() {
  const of = (type: string, table: string, confidential: string) => `
    select l."labelId", t."projectId", l."targetType", t.state, ${confidential} as confidential, count(*) as total
    from "labelLinks" as l join "${table}" as t on t.id = l."targetId" and l."targetType" = '${type}'
    group by 1, 2, 3, 4, 5`
  const all = `${of('issue', 'issues', 't.confidential')} union all ${of('merge_request', 'mergeRequests', '0')}`
  return runText(db, `select ${quoted}, total from (${all}) as c order by ${quoted}`)
}

/** Steps that add and remove links and their targets. */
const steps = fc.array(
  fc.record({
    step: fc.constantFrom(
      'issue',
      'request',
      'give',
      'take',
      'state',
      'confidential',
      'drop',
      'sweep',
      'label',
      'merge',
      'touch',
    ),
    a: fc.nat(5),
    b: fc.nat(5),
  }),
  { maxLength: 40 },
)

async function play(
  step: string,
  a: number,
  b: number,
  items: { type: 'issue' | 'merge_request'; id: number; projectId: number }[],
) {
  const labelIds = [1, 2, 3, 4, 5, 6].slice(0, 1 + b)
  const projectId = projects[a % 2]?.id ?? 0
  const item = items[a]
  const table = item?.type === 'issue' ? 'issues' : 'mergeRequests'
  const write = (text: string) => writeText(db, text)
  const there = new Set(
    (await runText<{ id: number }>(db, 'select id from labels')).map((row) => row.id),
  )
  const existing = labelIds.filter((id) => there.has(id))
  if (step === 'issue') {
    const issue = model({ projectId, labelIds: existing, confidential: b % 2 === 1 })
    await putIssue(db, issue)
    items.push({ type: 'issue', id: issue.id, projectId })
  } else if (step === 'request') {
    const id = await putMergeRequest(db, model({ projectId, labelIds: existing }))
    items.push({ type: 'merge_request', id, projectId })
  } else if (step === 'label') {
    await db.transaction((tx) => deleteLabels(tx, [1 + b]))
  } else if (step === 'merge' && there.has(1) && there.has(2)) {
    const merge = { from: [1], into: 2, limit: 100 }
    await db.transaction((tx) => moveLabelLinks(tx, merge))
    await db.transaction((tx) => completeLabelMerge(tx, merge))
  } else if (item !== undefined) {
    const target = { ...item, createdAt: someTime }
    if (step === 'give') await db.transaction((tx) => insertLabelLinks(tx, target, existing))
    if (step === 'take') await db.transaction((tx) => deleteLabelLinks(tx, target, labelIds))
    if (step === 'state')
      await write(
        `update "${table}" set state = case when state = 'opened' then 'closed' else 'opened' end where "projectId" = ${projectId}`,
      )
    if (step === 'confidential')
      await write(`update issues set confidential = 1 - confidential where id = ${item.id}`)
    if (step === 'touch') await write(`update "${table}" set "updatedAt" = 1 where id = ${item.id}`)
    if (step === 'drop') await write(`delete from "${table}" where id = ${item.id}`)
    if (step === 'sweep') {
      await db.transaction((tx) =>
        deleteItemDependents(tx, { type: item.type, ids: [item.id], limit: 9 }),
      )
      await write(`delete from "${table}" where id = ${item.id}`)
    }
  }
}

describe('stored label totals', () => {
  it('agree with the rows after any sequence of changes', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        for (const table of ['labelLinks', 'issues', 'mergeRequests', 'labels']) {
          await writeText(db, `delete from "${table}"`)
        }
        expect(await stored()).toEqual([])
        for (const id of [1, 2, 3, 4, 5, 6]) {
          await putLabel(db, { id, title: `l${id}`, projectId: null, groupId: group.id })
        }
        const items: Parameters<typeof play>[3] = []
        for (const { step, a, b } of sequence) await play(step, a, b, items)
        expect(await stored()).toEqual(await counted())
      }),
      { numRuns: 40 },
    )
  })

  it('are deleted with the project', async () => {
    await putLabel(db, { id: 1, title: 'a', projectId: null, groupId: group.id })
    for (const { id: projectId } of projects)
      await putIssue(db, model({ projectId, labelIds: [1] }))
    await writeText(db, `delete from projects where id = ${projects[0]?.id}`)
    expect(await stored()).toMatchObject([{ projectId: projects[1]?.id, total: 1 }])
  })
})

describe('countLabelledItems', () => {
  const facts = (userId: number | null, admin = false) => ({ userId, admin, external: false })
  const none = { openIssues: 0, closedIssues: 0, openMergeRequests: 0 }

  async function fixture() {
    const open = await buildProject(db, group, { visibility: 'public' })
    const hidden = await buildProject(db, group)
    const off = await buildProject(db, group, {
      visibility: 'public',
      issuesAccessLevel: 'disabled',
    })
    await putLabel(db, { id: 1, title: 'a', projectId: null, groupId: group.id })
    for (const { id: projectId } of [open, hidden, off]) {
      await putIssue(db, model({ projectId, labelIds: [1] }))
      await putIssue(db, model({ projectId, labelIds: [1], state: 'closed' }))
      await putIssue(db, model({ projectId, labelIds: [1], confidential: true }))
      await putMergeRequest(db, model({ projectId, labelIds: [1] }))
    }
    return { open, hidden, off }
  }

  it('counts the items that the caller may see', async () => {
    const { open, hidden } = await fixture()
    const reporter = await buildUser(db)
    await buildMember(db, reporter, { kind: 'project', id: open.id }, 20)
    const guest = await buildUser(db)
    await buildMember(db, guest, { kind: 'project', id: hidden.id }, 10)
    const outsider = await buildUser(db)
    const visible = async (caller: Parameters<typeof countLabelledItems>[1]) =>
      (await countLabelledItems(db, caller, today, [1])).get(1)
    expect(await visible(facts(1_000_000, true))).toEqual({
      openIssues: 4,
      closedIssues: 2,
      openMergeRequests: 3,
    })
    expect(await visible(facts(outsider.id))).toEqual({
      openIssues: 1,
      closedIssues: 1,
      openMergeRequests: 2,
    })
    expect(await visible(facts(reporter.id))).toEqual({
      openIssues: 2,
      closedIssues: 1,
      openMergeRequests: 2,
    })
    expect(await visible(facts(guest.id))).toEqual({
      openIssues: 2,
      closedIssues: 2,
      openMergeRequests: 2,
    })
    expect(await visible(facts(null))).toEqual({
      openIssues: 1,
      closedIssues: 1,
      openMergeRequests: 2,
    })
    // The author of all items sees their confidential ones where they can see issues at all.
    expect(await visible(facts(user.id))).toEqual({
      openIssues: 2,
      closedIssues: 1,
      openMergeRequests: 2,
    })
  })

  it('counts confidential issues that are assigned to the caller, each once', async () => {
    const { open } = await fixture()
    const issue = model({
      projectId: open.id,
      labelIds: [1],
      confidential: true,
      assigneeIds: [user.id],
    })
    await putIssue(db, { ...issue, state: 'closed' })
    const visible = (await countLabelledItems(db, facts(user.id), today, [1])).get(1)
    expect(visible).toEqual({ openIssues: 2, closedIssues: 2, openMergeRequests: 2 })
    await buildMember(db, user, { kind: 'project', id: open.id }, 20)
    const member = (await countLabelledItems(db, facts(user.id), today, [1])).get(1)
    expect(member).toEqual({ openIssues: 2, closedIssues: 2, openMergeRequests: 2 })
  })

  it('leaves out labels without items', async () => {
    await putLabel(db, { id: 1, title: 'a', projectId: null, groupId: group.id })
    expect(await countLabelledItems(db, facts(null), today, [])).toEqual(new Map())
    expect((await countLabelledItems(db, facts(null), today, [1])).get(1) ?? none).toEqual(none)
  })

  it.each([
    ['admin', { userId: 1, admin: true, external: false }],
    ['internal', facts(1)],
    ['external', { userId: 1, admin: false, external: true }],
    ['anonymous', facts(null)],
  ])('reads indexes alone: %s', async (_, caller) => {
    const plans = await plansOf((q) => countLabelledItems(q, caller, today, [1, 2]))
    expect(plans.size).toBe(caller.admin || caller.userId === null ? 2 : 3)
    for (const [shape, plan] of plans) {
      // The items that a user wrote or is assigned to are sorted, to be counted once.
      const scans = costlySteps(plan).filter((step) => /^SCAN (?!own|held|link)/.test(step))
      expect([shape, scans]).toEqual([shape, []])
    }
  })
})
