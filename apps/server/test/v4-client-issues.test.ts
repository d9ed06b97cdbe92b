import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../src/testing/test-server.ts'

let server: TestServer
let api: InstanceType<typeof Gitlab>
let project: Json
let user: { id: number }

beforeAll(async () => {
  server = await buildTestServer()
  project = await server.buildProject()
  user = await server.buildUser()
  await server.addMember(`projects/${project.id}`, user.id, 30)
  api = new Gitlab({ host: await server.url(), token: server.root.token })
})
afterAll(() => server.close())

describe('issues with the unmodified @gitbeaker/rest', () => {
  it('creates, shows, updates, closes and deletes an issue', async () => {
    const { id } = project
    const made = await api.Issues.create(id, 'From a client', {
      description: '- [ ] do it',
      labels: 'bug,later',
      assigneeIds: [user.id],
      dueDate: '2030-01-01',
      weight: 2,
      confidential: true,
    })
    expect(made).toMatchObject({
      title: 'From a client',
      labels: ['bug', 'later'],
      assignees: [{ id: user.id }],
      due_date: '2030-01-01',
      weight: 2,
      confidential: true,
      task_completion_status: { count: 1, completed_count: 0 },
    })
    expect(await api.Issues.show(made.iid, { projectId: id })).toEqual(made)
    const changed = await api.Issues.edit(id, made.iid, {
      title: 'Changed',
      labels: '',
      assigneeId: 0,
      stateEvent: 'close',
    })
    expect(changed).toMatchObject({ title: 'Changed', labels: [], assignees: [], state: 'closed' })
    await api.Issues.remove(id, made.iid)
    await expect(api.Issues.show(made.iid, { projectId: id })).rejects.toThrow(/Not Found/)
  })

  it('moves an issue in the order of its project', async () => {
    const { id } = await server.buildProject()
    const [first, second] = [await api.Issues.create(id, 'a'), await api.Issues.create(id, 'b')]
    const moved = await api.Issues.reorder(id, first.iid, { moveBeforeId: second.id })
    expect(moved).toMatchObject({ id: first.id, title: 'a' })
    const listed = await api.Issues.all({
      ...{ projectId: id, orderBy: 'relative_position', sort: 'asc' },
    })
    expect(listed.map(({ title }) => title)).toEqual(['a', 'b'])
  })

  it('moves an issue, subscribes to it and adds it to the todos', async () => {
    const target = await server.buildProject()
    const { iid } = await api.Issues.create(project.id, 'Leaves')
    const moved = await api.Issues.move(project.id, iid, target.id)
    expect(moved).toMatchObject({ project_id: target.id, title: 'Leaves', subscribed: true })
    const off = await api.Issues.unsubscribe(target.id, moved.iid)
    expect(off.subscribed).toBe(false)
    expect((await api.Issues.subscribe(target.id, moved.iid)).subscribed).toBe(true)
    const todo = await api.Issues.createTodo(target.id, moved.iid)
    expect(todo).toMatchObject({ action_name: 'marked', target: { id: moved.id } })
  })

  it('shows validation errors', async () => {
    await expect(api.Issues.create(project.id, ' ')).rejects.toThrow()
    await expect(api.Issues.edit(project.id, 4711, { title: 'x' })).rejects.toThrow(/Not Found/)
  })
})
