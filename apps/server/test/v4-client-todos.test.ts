import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../src/testing/factories.ts'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'

let server: TestServer
let ann: TestUser
let root: InstanceType<typeof Gitlab>
let api: InstanceType<typeof Gitlab>

beforeAll(async () => {
  server = await buildTestServer()
  ann = await server.buildUser()
  const host = await server.url()
  root = new Gitlab({ host, token: server.root.token })
  api = new Gitlab({ host, token: ann.token })
})
afterAll(() => server.close())

describe('todos with the unmodified @gitbeaker/rest', () => {
  it('are created, listed, filtered and marked as done', async () => {
    const { id } = await server.buildProject({ visibility: 'public' })
    const named = await root.Issues.create(id, 'Named', { description: `@${ann.username} look` })
    const marked = await root.Issues.create(id, 'Marked')
    const todo = await api.Issues.createTodo(id, marked.iid)
    expect(todo).toMatchObject({ action_name: 'marked', state: 'pending', body: 'Marked' })
    await expect(api.Issues.createTodo(id, marked.iid)).rejects.toThrow()
    const all = await api.TodoLists.all({ projectId: id })
    expect(all.map((one) => one.target_url)).toEqual([marked.web_url, named.web_url])
    const addressed = await api.TodoLists.all({ action: 'directly_addressed', type: 'Issue' })
    expect(addressed).toMatchObject([{ target: { id: named.id }, author: { id: 1 } }])
    await api.TodoLists.done({ todoId: todo.id })
    expect(await api.TodoLists.all({ state: 'done' })).toMatchObject([{ id: todo.id }])
    await api.TodoLists.done()
    expect(await api.TodoLists.all()).toEqual([])
  })

  it('shows participants', async () => {
    const { id } = await server.buildProject({ visibility: 'public' })
    const { iid } = await root.Issues.create(id, 'Talk')
    await api.IssueNotes.create(id, iid, 'Me too')
    const people = await root.Issues.allParticipants(id, iid)
    expect(people.map((person) => person.id)).toEqual([1, ann.id])
  })
})
