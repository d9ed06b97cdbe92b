import { findOrphans, findWrongCounts } from '@stithy/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type EpicTreeCalls,
  epicTreeCalls,
  type TestEpic,
} from '../../testing/fixtures/epic-tree.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

/**
 * Covered here: the dates that an epic has from the milestones of its issues, after every way in which
 * issues, milestones and projects can change; and what becomes of the issues of epics meanwhile.
 */

let server: TestServer
let api: EpicTreeCalls
beforeAll(async () => {
  server = await buildTestServer()
  api = epicTreeCalls(server)
})
afterAll(() => server.close())

const none = [null, null]

interface World {
  group: Json
  project: Json
  epic: TestEpic
}

async function buildWorld(): Promise<World> {
  const group = await server.buildGroup()
  const project = await server.buildProject({ namespace_id: group.id })
  return { group, project, epic: await api.epic(group) }
}

type Dates = readonly [start: string | null, due: string | null]
const may = ['2030-05-01', '2030-05-31'] as const
const june = ['2030-06-01', '2030-06-30'] as const

let titles = 0

async function milestone(parent: string, [start_date, due_date]: Dates, title?: string) {
  titles += 1
  const body = { title: title ?? `Milestone ${titles}`, start_date, due_date }
  const answer = await api.call('POST', `/${parent}/milestones`, server.root, body)
  expect(answer.status).toBe(201)
  return { ...answer.body, path: `/${parent}/milestones/${answer.body.id}` }
}

/** An issue of the epic with a milestone of its project. */
async function planned({ project, epic }: World, dates: Dates, title?: string) {
  const its = await milestone(`projects/${project.id}`, dates, title)
  const issue = await api.issue(project, { milestone_id: its.id })
  const link = (await api.assignIssue(epic, issue)).body.id
  return { milestone: its, issue, link }
}

function put(path: string, body: object) {
  return api.call('PUT', path, server.root, body)
}

/** Everything that is stored twice must agree. */
async function expectConsistent() {
  expect(await findWrongCounts(server.app.db)).toEqual([])
  expect(await findOrphans(server.app.db)).toEqual([])
}

describe('the dates of an epic from milestones', () => {
  it('are the earliest start and the latest due date of those of its issues', async () => {
    const world = await buildWorld()
    const answer = await api.assignIssue(world.epic, await api.issue(world.project))
    expect(answer.body.epic).toMatchObject({ start_date: null, due_date: null })
    const second = await planned(world, june)
    expect(await api.dates(world.epic)).toEqual(june)
    const first = await planned(world, may)
    expect(await api.dates(world.epic)).toEqual([may[0], june[1]])
    await planned(world, [null, '2030-12-31'])
    expect(await api.dates(world.epic)).toEqual([may[0], '2030-12-31'])
    const { body } = await api.call('GET', world.epic.path)
    expect([body.start_date, body.due_date, body.end_date]).toEqual([
      may[0],
      '2030-12-31',
      '2030-12-31',
    ])
    const removed = await api.call('DELETE', `${world.epic.path}/issues/${first.link}`)
    expect(removed.body.epic.start_date_from_milestones).toBe(june[0])
    await api.call('DELETE', second.issue.path)
    expect(await api.dates(world.epic)).toEqual([null, '2030-12-31'])
    await expectConsistent()
  })

  it('follow an issue to another epic', async () => {
    const world = await buildWorld()
    const { issue } = await planned(world, may)
    const other = await api.epic(world.group)
    await api.assignIssue(other, issue)
    expect([await api.dates(world.epic), await api.dates(other)]).toEqual([none, may])
    await expectConsistent()
  })

  it('follow the milestone of an issue and the dates of a milestone', async () => {
    const world = await buildWorld()
    const { issue, milestone: first } = await planned(world, may)
    const second = await milestone(`groups/${world.group.id}`, june)
    await put(issue.path, { milestone_id: second.id })
    expect(await api.dates(world.epic)).toEqual(june)
    await put(first.path, { due_date: '2031-01-01' })
    expect(await api.dates(world.epic)).toEqual(june)
    await put(second.path, { due_date: '2031-01-01' })
    expect(await api.dates(world.epic)).toEqual([june[0], '2031-01-01'])
    await put(issue.path, { milestone_id: 0 })
    expect(await api.dates(world.epic)).toEqual(none)
    await expectConsistent()
  })

  it('leave updated_at alone', async () => {
    const world = await buildWorld()
    const { milestone: its } = await planned(world, may)
    const updated = async () => (await api.call('GET', world.epic.path)).body.updated_at
    const before = await updated()
    server.advance(60_000)
    await put(its.path, { due_date: '2031-01-01' })
    expect(await api.dates(world.epic)).toEqual([may[0], '2031-01-01'])
    expect(await updated()).toBe(before)
  })

  it('follow the deletion of a milestone', async () => {
    const world = await buildWorld()
    const { milestone: its } = await planned(world, may)
    await planned(world, june)
    await api.call('DELETE', its.path)
    expect(await api.dates(world.epic)).toEqual(june)
    await expectConsistent()
  })

  it('follow a promotion, which merges milestones with other dates', async () => {
    const world = await buildWorld()
    const project = await server.buildProject({ namespace_id: world.group.id })
    const its = await planned(world, may, 'Merged')
    await planned({ ...world, project }, june, 'Merged')
    expect(await api.dates(world.epic)).toEqual([may[0], june[1]])
    const answer = await api.call('POST', `${its.milestone.path}/promote`)
    expect(answer.status).toBe(200)
    expect(await api.dates(world.epic)).toEqual(may)
    await expectConsistent()
  })

  it('follow milestones of many epics, by a job in steps', async () => {
    const world = await buildWorld()
    const its = await milestone(`projects/${world.project.id}`, may)
    const epics: TestEpic[] = []
    for (let i = 0; i < 101; i += 1) {
      const epic = await api.epic(world.group)
      epics.push(epic)
      await api.assignIssue(epic, await api.issue(world.project, { milestone_id: its.id }))
    }
    const [first, last] = [epics[0], epics.at(-1)] as [TestEpic, TestEpic]
    await put(its.path, { due_date: '2031-01-01' })
    expect(await api.dates(first)).toEqual([may[0], '2031-01-01'])
    expect(await api.dates(last)).toEqual(may)
    await server.runJobs()
    expect(await api.dates(last)).toEqual([may[0], '2031-01-01'])
    await api.call('DELETE', its.path)
    await server.runJobs()
    expect([await api.dates(first), await api.dates(last)]).toEqual([none, none])
    await expectConsistent()
  })

  it('are right after concurrent changes', async () => {
    const world = await buildWorld()
    const all: Awaited<ReturnType<typeof planned>>[] = []
    for (const dates of [may, june, may]) all.push(await planned(world, dates))
    const other = await api.epic(world.group)
    await Promise.all([
      put(all[0]?.issue.path, { milestone_id: 0 }),
      put(all[1]?.milestone.path, { due_date: '2031-01-01' }),
      api.assignIssue(other, all[2]?.issue),
    ])
    expect(await api.dates(world.epic)).toEqual([june[0], '2031-01-01'])
    expect(await api.dates(other)).toEqual(may)
    await expectConsistent()
  })
})

describe('POST /projects/:id/issues/:issue_iid/move', () => {
  const move = (issue: Json, project: Json) =>
    api.call('POST', `${issue.path}/move`, server.root, { to_project_id: project.id })

  it('puts the copy into the place of the issue in its epic', async () => {
    const world = await buildWorld()
    const below = await server.buildGroup({ parent_id: world.group.id })
    const target = await server.buildProject({ namespace_id: below.id })
    const { issue } = await planned(world, may)
    const second = await planned(world, june)
    const answer = await move(issue, target)
    expect(answer.status).toBe(201)
    expect(await api.issues(world.epic)).toEqual([answer.body.id, second.issue.id])
    // The target has no such milestone.
    expect(await api.dates(world.epic)).toEqual(june)
    await expectConsistent()
  })

  it('takes the issue out of its epic if it leaves the group', async () => {
    const world = await buildWorld()
    const { issue } = await planned(world, may)
    const answer = await move(issue, await server.buildProject())
    expect(answer.status).toBe(201)
    expect([await api.issues(world.epic), await api.dates(world.epic)]).toEqual([[], none])
    const notes = await api.systemNotes(issue.path)
    expect(notes).toContain(`removed from epic &${world.epic.iid}`)
    const { groupId, id } = world.epic
    const onEpic = await api.systemNotes(`/groups/${groupId}/epics/${id}`)
    expect(onEpic.at(-1)).toMatch(/^removed issue /)
    await expectConsistent()
  })
})

describe('a transferred project', () => {
  const transfer = (project: Json, namespace: number | string) =>
    put(`/projects/${project.id}/transfer`, { namespace })

  it('keeps its issues in the epics of groups that still contain it', async () => {
    const world = await buildWorld()
    const below = await server.buildGroup({ parent_id: world.group.id })
    const inner = await api.epic(below)
    const project = await server.buildProject({ namespace_id: below.id })
    const { issue } = await planned({ ...world, project }, may)
    const other = await planned({ ...world, project, epic: inner }, june)
    expect((await transfer(project, world.group.id)).status).toBe(200)
    expect(await api.issues(world.epic)).toEqual([issue.id])
    expect([await api.issues(inner), await api.dates(inner)]).toEqual([[], none])
    const { iid } = other.issue
    expect(await api.systemNotes(`/projects/${project.id}/issues/${iid}`)).not.toContain(
      `removed from epic &${inner.iid}`,
    )
    await expectConsistent()
  })

  it('takes the issues along where it leaves the groups, many by a job', async () => {
    const world = await buildWorld()
    const { issue } = await planned(world, may)
    // The first 1,000 issues leave with the transfer; this one has a later iid.
    const late = await api.issue(world.project, { iid: 2000 })
    for (let iid = 10; iid < 1010; iid += 1) {
      const args = { projectId: world.project.id, iid, now: 1 }
      await server.app.db.run('test.issue', args, (db, $) =>
        db.insertInto('issues').values({
          ...{ projectId: $('projectId'), iid: $('iid'), authorId: 1, title: 'An issue' },
          ...{ state: 'closed', createdAt: $('now'), updatedAt: $('now') },
        }),
      )
    }
    await api.assignIssue(world.epic, late)
    const user = await server.buildUser()
    const { body } = await server.inject('GET', `/namespaces?search=${user.username}`, server.root)
    expect((await transfer(world.project, body[0].id)).status).toBe(200)
    expect(await api.issues(world.epic)).toEqual([late.id])
    await server.runJobs()
    expect([await api.issues(world.epic), await api.dates(world.epic)]).toEqual([[], none])
    expect(issue.id).not.toBe(late.id)
  })
})

describe('what is deleted', () => {
  it('leaves nothing: a project', async () => {
    const world = await buildWorld()
    await planned(world, may)
    await api.call('DELETE', `/projects/${world.project.id}`)
    expect(await api.issues(world.epic)).toEqual([])
    await server.runJobs()
    expect(await api.dates(world.epic)).toEqual(none)
    await expectConsistent()
  })

  it('leaves nothing: an epic with children and issues', async () => {
    const world = await buildWorld()
    const { issue } = await planned(world, may)
    const child = await api.epic(world.group)
    await api.assignChild(world.epic, child)
    expect((await api.call('DELETE', world.epic.path)).status).toBe(204)
    expect((await api.call('GET', child.path)).body.parent_id).toBe(null)
    expect(await api.systemNotes(issue.path)).not.toContain(`added to epic &${world.epic.iid}`)
    await expectConsistent()
  })

  it('leaves nothing: a group with epics of issues elsewhere', async () => {
    const world = await buildWorld()
    const below = await server.buildGroup({ parent_id: world.group.id })
    const child = await api.epic(below)
    await api.assignChild(world.epic, child)
    await planned(
      { ...world, epic: child, project: await server.buildProject({ namespace_id: below.id }) },
      may,
    )
    await api.call('DELETE', `/groups/${below.id}`)
    expect(await api.children(world.epic)).toEqual([])
    await server.runJobs()
    await expectConsistent()
  })
})
