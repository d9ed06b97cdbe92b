import { insertRow } from '@stithy/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expireMembersJob } from '../../directory/members/member.jobs.ts'
import type { TestUser } from '../../testing/factories.ts'
import { unrecordedJob } from '../../testing/jobs.ts'
import { dayAfter, dayMs } from '../../testing/members.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

const hourMs = 60 * 60_000
let server: TestServer
let owner: TestUser
beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser()
})
afterAll(() => server.close())

async function call(
  method: string,
  path: string,
  { token }: { token: string },
  body?: object,
): Promise<Json> {
  const answer = await server.inject(method, path, { token, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

/** How many todos are visible to a user, and how many are stored. */
async function counts(user: TestUser): Promise<[number, number]> {
  const { body, headers } = await server.inject('GET', '/todos', { token: user.token })
  expect(headers['x-total']).toBe(String(body.length))
  const rows = await server.app.db.all('test.todos', { userId: user.id }, (db, $) =>
    db.selectFrom('todos').where('userId', '=', $('userId')).select('id'),
  )
  return [body.length, rows.length]
}

/** A member with a todo about an issue of the project. */
async function buildTodo(project: Json, source: string, level = 10): Promise<TestUser> {
  const user = await server.buildUser()
  await server.addMember(source, user.id, level)
  const { iid } = await call('POST', `/projects/${project.id}/issues`, owner, { title: 'Some' })
  await call('POST', `/projects/${project.id}/issues/${iid}/todo`, user)
  expect(await counts(user)).toEqual([1, 1])
  return user
}

async function passAnHour(): Promise<void> {
  server.advance(hourMs - 1000)
  await server.runJobs()
}

describe('the todos of a member who is removed', () => {
  it('are hidden at once, and removed after an hour: of a project', async () => {
    const project = await server.buildProject({}, owner)
    const user = await buildTodo(project, `projects/${project.id}`)
    const other = await buildTodo(project, `projects/${project.id}`)
    await call('DELETE', `/projects/${project.id}/members/${user.id}`, owner)
    expect(await counts(user)).toEqual([0, 1])
    await passAnHour()
    expect(await counts(user)).toEqual([0, 1])
    server.advance(2000)
    await server.runJobs()
    expect(await counts(user)).toEqual([0, 0])
    expect(await counts(other)).toEqual([1, 1])
  })

  it('are hidden at once, and removed after an hour: of a group', async () => {
    const group = await server.buildGroup({}, owner)
    const project = await server.buildProject({ namespace_id: group.id }, owner)
    const user = await buildTodo(project, `groups/${group.id}`)
    await call('DELETE', `/groups/${group.id}/members/${user.id}`, owner)
    expect(await counts(user)).toEqual([0, 1])
    server.advance(hourMs + 1000)
    await server.runJobs()
    expect(await counts(user)).toEqual([0, 0])
  })

  it('are kept if the user is a member again within the hour', async () => {
    const project = await server.buildProject({}, owner)
    const user = await buildTodo(project, `projects/${project.id}`)
    await call('DELETE', `/projects/${project.id}/members/${user.id}`, owner)
    await server.addMember(`projects/${project.id}`, user.id, 10)
    server.advance(hourMs + 1000)
    await server.runJobs()
    expect(await counts(user)).toEqual([1, 1])
  })

  it('are removed when the membership expires', async () => {
    const project = await server.buildProject({}, owner)
    const user = await buildTodo(project, `projects/${project.id}`)
    const body = { access_level: 10, expires_at: dayAfter(server, 1) }
    await call('PUT', `/projects/${project.id}/members/${user.id}`, owner, body)
    server.advance(3 * dayMs)
    await expireMembersJob.run(server.app, {}, new AbortController().signal, unrecordedJob)
    expect(await counts(user)).toEqual([0, 1])
    server.advance(hourMs + 1000)
    await server.runJobs()
    expect(await counts(user)).toEqual([0, 0])
  })
})

describe('the todos of an issue that becomes confidential', () => {
  it('are hidden at once, and removed after an hour for users who cannot read it', async () => {
    const project = await server.buildProject({ visibility: 'public' }, owner)
    const path = `/projects/${project.id}/issues`
    const { iid } = await call('POST', path, owner, { title: 'Some' })
    const stranger = await server.buildUser()
    const reporter = await server.buildUser()
    await server.addMember(`projects/${project.id}`, reporter.id, 20)
    for (const user of [stranger, reporter]) await call('POST', `${path}/${iid}/todo`, user)
    await call('PUT', `${path}/${iid}`, owner, { confidential: true })
    expect(await counts(stranger)).toEqual([0, 1])
    expect(await counts(reporter)).toEqual([1, 1])
    server.advance(hourMs + 1000)
    await server.runJobs()
    expect(await counts(stranger)).toEqual([0, 0])
    expect(await counts(reporter)).toEqual([1, 1])
  })

  it('cannot be marked as done by users who cannot read it', async () => {
    const project = await server.buildProject({ visibility: 'public' }, owner)
    const issue = await call('POST', `/projects/${project.id}/issues`, owner, { title: 'Some' })
    const user = await server.buildUser()
    const path = `/projects/${project.id}/issues/${issue.iid}`
    const todo = await call('POST', `${path}/todo`, user)
    await call('PUT', path, owner, { confidential: true })
    const { status } = await server.inject('POST', `/todos/${todo.id}/mark_as_done`, {
      token: user.token,
    })
    expect(status).toBe(404)
  })
})

describe('todos about items that a guest of a private group may not see', () => {
  it('are hidden: epics', async () => {
    const group = await server.buildGroup({ visibility: 'private' })
    const user = await server.buildUser()
    await server.addMember(`groups/${group.id}`, user.id, 10)
    const times = { createdAt: server.app.now(), updatedAt: server.app.now() }
    const epic = { groupId: group.id, iid: 1, authorId: 1, title: 'Big thing', ...times }
    await insertRow(server.app.db, 'epics', epic)
    await call('POST', `/groups/${group.id}/epics/1/todo`, user)
    expect(await counts(user)).toEqual([1, 1])
    await call('DELETE', `/groups/${group.id}/members/${user.id}`, server.root)
    expect(await counts(user)).toEqual([0, 1])
  })
})
