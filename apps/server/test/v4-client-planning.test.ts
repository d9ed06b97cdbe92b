import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../src/testing/test-server.ts'

let server: TestServer
let api: InstanceType<typeof Gitlab>
let group: Json
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  group = await server.buildGroup()
  project = await server.buildProject({ namespace_id: group.id })
  api = new Gitlab({ host: await server.url(), token: server.root.token })
})
afterAll(() => server.close())

describe('labels with the unmodified @gitbeaker/rest', () => {
  // The client sends subscriptions to a label to the path of issues, so that is left out.
  it('are created, read, updated, promoted and deleted', async () => {
    const { id } = project
    const made = await api.ProjectLabels.create(id, 'needs work', '#ff0000', { priority: 2 })
    expect(made).toMatchObject({ name: 'needs work', priority: 2, is_project_label: true })
    expect((await api.ProjectLabels.show(id, 'needs work')).id).toBe(made.id)
    const edited = await api.ProjectLabels.edit(id, made.id, { newName: 'a/b' })
    expect(edited.name).toBe('a/b')
    const [listed] = await api.ProjectLabels.all(id, { withCounts: true })
    expect(listed).toMatchObject({ name: 'a/b', open_issues_count: 0 })
    const promoted = await api.ProjectLabels.promote(id, 'a/b')
    expect((await api.GroupLabels.show(group.id, 'a/b')).id).toBe(promoted.id)
    await api.GroupLabels.remove(group.id, 'a/b')
    expect(await api.ProjectLabels.all(id)).toEqual([])
  })

  it('record their events on issues', async () => {
    const issue = await api.Issues.create(project.id, 'An issue', { labels: 'one,two' })
    expect(issue.labels).toEqual(['one', 'two'])
    const events = await api.IssueLabelEvents.all(project.id, issue.iid)
    expect(events.map((event) => [event.action, event.label.name])).toEqual([
      ['add', 'one'],
      ['add', 'two'],
    ])
    const [first] = events
    expect(await api.IssueLabelEvents.show(project.id, issue.iid, first?.id ?? 0)).toEqual(first)
  })
})

describe('milestones with the unmodified @gitbeaker/rest', () => {
  it('are created, read, updated, promoted and deleted', async () => {
    const { id } = project
    const dates = { startDate: '2019-01-01', dueDate: '2999-01-01' }
    const made = await api.ProjectMilestones.create(id, 'v1', dates)
    expect(made).toMatchObject({ title: 'v1', due_date: '2999-01-01', state: 'active' })
    const issue = await api.Issues.create(id, 'Planned', { milestoneId: made.id, weight: 1 })
    const issues = await api.ProjectMilestones.allAssignedIssues(id, made.id)
    expect(issues.map(({ iid }) => iid)).toEqual([issue.iid])
    expect(await api.ProjectMilestones.allAssignedMergeRequests(id, made.id)).toEqual([])
    const chart = await api.ProjectMilestones.allBurndownChartEvents(id, made.id)
    expect(chart).toMatchObject([{ action: 'created', weight: 1 }])
    const closed = await api.ProjectMilestones.edit(id, made.id, { stateEvent: 'close' })
    expect(closed.state).toBe('closed')
    await api.ProjectMilestones.promote(id, made.id)
    const [promoted] = await api.GroupMilestones.all(group.id, { state: 'closed' })
    expect(promoted?.title).toBe('v1')
    await api.GroupMilestones.remove(group.id, promoted?.id ?? 0)
    expect((await api.Issues.show(issue.iid, { projectId: id })).milestone).toBeNull()
  })
})

describe('boards with the unmodified @gitbeaker/rest', () => {
  it('are created and scoped, and their lists move', async () => {
    const { id } = project
    expect(await api.ProjectIssueBoards.all(id)).toEqual([])
    const board = await api.ProjectIssueBoards.create(id, 'Release')
    const edited = await api.ProjectIssueBoards.edit(id, board.id, { name: 'Next', weight: 3 })
    expect(edited).toMatchObject({ name: 'Next', weight: 3 })
    const lists: number[] = []
    for (const name of ['todo', 'doing']) {
      const label = await api.ProjectLabels.create(id, name, 'teal')
      const list = await api.ProjectIssueBoards.createList(id, board.id, { labelId: label.id })
      lists.push(list.id)
    }
    const [first = 0, second = 0] = lists
    const moved = await api.ProjectIssueBoards.editList(id, board.id, second, 0)
    expect(moved.position).toBe(0)
    const order = await api.ProjectIssueBoards.allLists(id, board.id)
    expect(order.map((list) => list.id)).toEqual([second, first])
    expect((await api.ProjectIssueBoards.showList(id, board.id, first)).position).toBe(1)
    await api.ProjectIssueBoards.removeList(id, board.id, first)
    await api.ProjectIssueBoards.remove(id, board.id)
    expect(await api.GroupIssueBoards.all(group.id)).toEqual([])
  })
})
