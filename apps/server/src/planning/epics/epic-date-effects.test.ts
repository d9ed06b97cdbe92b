import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildEpicIssueFixture,
  type EpicIssueFixture,
  june,
  may,
  noDates,
} from '../../testing/fixtures/epic-issues.ts'
import type { TestEpic } from '../../testing/fixtures/epic-tree.ts'

/**
 * Covered here: the dates that an epic has from the milestones of its issues, after every way in which
 * issues and milestones can change.
 */

let api: EpicIssueFixture
beforeAll(async () => {
  api = await buildEpicIssueFixture()
})
afterAll(() => api.server.close())

describe('the dates of an epic from milestones', () => {
  it('are the earliest start and the latest due date of those of its issues', async () => {
    const world = await api.buildWorld()
    const answer = await api.assignIssue(world.epic, await api.issue(world.project))
    expect(answer.body.epic).toMatchObject({ start_date: null, due_date: null })
    const second = await api.planned(world, june)
    expect(await api.dates(world.epic)).toEqual(june)
    const first = await api.planned(world, may)
    expect(await api.dates(world.epic)).toEqual([may[0], june[1]])
    await api.planned(world, [null, '2030-12-31'])
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
    expect(await api.inconsistencies()).toEqual([])
  })

  it('follow an issue to another epic', async () => {
    const world = await api.buildWorld()
    const { issue } = await api.planned(world, may)
    const other = await api.epic(world.group)
    await api.assignIssue(other, issue)
    expect([await api.dates(world.epic), await api.dates(other)]).toEqual([noDates, may])
    expect(await api.inconsistencies()).toEqual([])
  })

  it('follow the milestone of an issue and the dates of a milestone', async () => {
    const world = await api.buildWorld()
    const { issue, milestone: first } = await api.planned(world, may)
    const second = await api.milestone(`groups/${world.group.id}`, june)
    await api.put(issue.path, { milestone_id: second.id })
    expect(await api.dates(world.epic)).toEqual(june)
    await api.put(first.path, { due_date: '2031-01-01' })
    expect(await api.dates(world.epic)).toEqual(june)
    await api.put(second.path, { due_date: '2031-01-01' })
    expect(await api.dates(world.epic)).toEqual([june[0], '2031-01-01'])
    await api.put(issue.path, { milestone_id: 0 })
    expect(await api.dates(world.epic)).toEqual(noDates)
    expect(await api.inconsistencies()).toEqual([])
  })

  it('leave updated_at alone', async () => {
    const world = await api.buildWorld()
    const { milestone: its } = await api.planned(world, may)
    const updated = async () => (await api.call('GET', world.epic.path)).body.updated_at
    const before = await updated()
    api.server.advance(60_000)
    await api.put(its.path, { due_date: '2031-01-01' })
    expect(await api.dates(world.epic)).toEqual([may[0], '2031-01-01'])
    expect(await updated()).toBe(before)
  })

  it('follow the deletion of a milestone', async () => {
    const world = await api.buildWorld()
    const { milestone: its } = await api.planned(world, may)
    await api.planned(world, june)
    await api.call('DELETE', its.path)
    expect(await api.dates(world.epic)).toEqual(june)
    expect(await api.inconsistencies()).toEqual([])
  })

  it('follow a promotion, which merges milestones with other dates', async () => {
    const world = await api.buildWorld()
    const project = await api.server.buildProject({ namespace_id: world.group.id })
    const its = await api.planned(world, may, 'Merged')
    await api.planned({ ...world, project }, june, 'Merged')
    expect(await api.dates(world.epic)).toEqual([may[0], june[1]])
    const answer = await api.call('POST', `${its.milestone.path}/promote`)
    expect(answer.status).toBe(200)
    expect(await api.dates(world.epic)).toEqual(may)
    expect(await api.inconsistencies()).toEqual([])
  })

  it('follow milestones of many epics, by a job in steps', async () => {
    const world = await api.buildWorld()
    const its = await api.milestone(`projects/${world.project.id}`, may)
    const epics: TestEpic[] = []
    for (let i = 0; i < 101; i += 1) {
      const epic = await api.epic(world.group)
      epics.push(epic)
      await api.assignIssue(epic, await api.issue(world.project, { milestone_id: its.id }))
    }
    const [first, last] = [epics[0], epics.at(-1)] as [TestEpic, TestEpic]
    await api.put(its.path, { due_date: '2031-01-01' })
    expect(await api.dates(first)).toEqual([may[0], '2031-01-01'])
    expect(await api.dates(last)).toEqual(may)
    await api.server.runJobs()
    expect(await api.dates(last)).toEqual([may[0], '2031-01-01'])
    await api.call('DELETE', its.path)
    await api.server.runJobs()
    expect([await api.dates(first), await api.dates(last)]).toEqual([noDates, noDates])
    expect(await api.inconsistencies()).toEqual([])
  })

  it('are right after concurrent changes', async () => {
    const world = await api.buildWorld()
    const all: Awaited<ReturnType<typeof api.planned>>[] = []
    for (const dates of [may, june, may]) all.push(await api.planned(world, dates))
    const other = await api.epic(world.group)
    await Promise.all([
      api.put(all[0]?.issue.path, { milestone_id: 0 }),
      api.put(all[1]?.milestone.path, { due_date: '2031-01-01' }),
      api.assignIssue(other, all[2]?.issue),
    ])
    expect(await api.dates(world.epic)).toEqual([june[0], '2031-01-01'])
    expect(await api.dates(other)).toEqual(may)
    expect(await api.inconsistencies()).toEqual([])
  })
})
