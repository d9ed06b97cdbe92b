import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let reporter: TestUser
let guest: TestUser
let group: Json
let below: Json
let path: string

beforeAll(async () => {
  server = await buildTestServer()
  reporter = await server.buildUser()
  guest = await server.buildUser()
})
afterAll(() => server.close())

beforeEach(async () => {
  group = await server.buildGroup()
  below = await server.buildGroup({ parent_id: group.id })
  await server.addMember(`groups/${group.id}`, reporter.id, 20)
  await server.addMember(`groups/${group.id}`, guest.id, 10)
  path = `/groups/${group.id}/labels`
})

const call = (method: string, where: string, body?: unknown, who: { token: string } = reporter) =>
  callAs(server, method, where, who.token, body)

const build = (name: string, where = path) => created(server, where, { name, color: '#428bca' })

describe('POST /groups/:id/labels', () => {
  it('returns 201 with the whole label', async () => {
    const answer = await call('POST', path, { name: 'bug', color: 'red', description: 'x' })
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'bug',
        color: '#ff0000',
        text_color: '#FFFFFF',
        description: 'x',
        open_issues_count: 0,
        closed_issues_count: 0,
        open_merge_requests_count: 0,
        subscribed: false,
      },
    ])
  })

  it('returns 409 if the group or one above has the title, 400 for an invalid label', async () => {
    await build('bug')
    for (const where of [path, `/groups/${below.id}/labels`]) {
      const answer = await call('POST', where, { name: 'bug', color: '#fff' })
      expect([answer.status, answer.body]).toEqual([409, { message: 'Label already exists' }])
    }
    const wrong = await call('POST', path, { name: 'a,b', color: 'x' })
    expect(wrong.body).toEqual({
      message: { title: ['is invalid'], color: ['must be a valid color code'] },
    })
    expect((await call('POST', path, { name: 'a' })).body).toEqual({ error: 'color is missing' })
  })

  it('returns 403 to guests, 404 to non-members of a private group, 401 without a token', async () => {
    const body = { name: 'a', color: '#fff' }
    expect((await call('POST', path, body, guest)).status).toBe(403)
    expect((await call('POST', path, body, await server.buildUser())).status).toBe(404)
    expect((await callAs(server, 'POST', path, undefined, body)).status).toBe(401)
  })
})

describe('GET /groups/:id/labels', () => {
  it('lists the labels of the group and its ancestors, by title', async () => {
    await build('b')
    await build('a', `/groups/${below.id}/labels`)
    const names = async (where: string) =>
      (await call('GET', where)).body.map((label: Json) => label.name)
    expect(await names(`/groups/${below.id}/labels`)).toEqual(['a', 'b'])
    expect(await names(path)).toEqual(['b'])
    expect(await names(`/groups/${below.id}/labels?name=b`)).toEqual(['b'])
    const own = `/groups/${below.id}/labels?include_ancestor_groups=false`
    expect(await names(own)).toEqual(['a'])
    expect(await names(`${own}&name=b`)).toEqual([])
  })

  it('counts the issues of all projects that the caller may see', async () => {
    const open = await server.buildGroup({ visibility: 'public' })
    const label = await build('bug', `/groups/${open.id}/labels`)
    for (const visibility of ['public', 'private']) {
      const project = await server.buildProject({ namespace_id: open.id, visibility })
      for (const confidential of [false, true]) {
        const issue = { title: 'a', labels: 'bug', confidential }
        await call('POST', `/projects/${project.id}/issues`, issue, server.root)
      }
    }
    const counted = async (who: { token: string }) =>
      (await call('GET', `/groups/${open.id}/labels/${label.id}`, undefined, who)).body
        .open_issues_count
    expect(await counted(server.root)).toBe(4)
    expect(await counted(guest)).toBe(1)
  })
})

describe('GET, PUT and DELETE /groups/:id/labels/:label_id', () => {
  it('accept an id or a title, in the path or as `name`', async () => {
    const label = await build('a/b')
    expect((await call('GET', `${path}/a%2Fb`)).body.id).toBe(label.id)
    const byName = await call('PUT', path, { name: 'a/b', description: 'x' })
    expect([byName.status, byName.body.description]).toEqual([200, 'x'])
    const byId = await call('PUT', `${path}/${label.id}`, { new_name: 'c', color: '#fff' })
    expect(byId.body).toMatchObject({ name: 'c', color: '#ffffff', text_color: '#333333' })
    expect((await call('DELETE', `${path}?name=c`)).status).toBe(204)
    await build('d')
    expect((await call('DELETE', `${path}/d`)).status).toBe(204)
    expect((await call('GET', path)).body).toEqual([])
  })

  it('return 404 for a label of another group, 400 without a change, 403 to guests', async () => {
    await build('bug')
    const inner = `/groups/${below.id}/labels`
    expect((await call('GET', `${inner}/bug`)).status).toBe(200)
    const answer = await call('PUT', inner, { name: 'bug', color: '#fff' })
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Label Not Found' }])
    expect((await call('DELETE', `${inner}?name=bug`)).status).toBe(404)
    expect((await call('PUT', path, { name: 'bug' })).body.error).toMatch(
      /^new_name, color, description are missing/,
    )
    for (const method of ['PUT', 'DELETE']) {
      expect((await call(method, path, { name: 'bug', color: '#fff' }, guest)).status).toBe(403)
    }
  })

  it('return 400 for a title that a group above has', async () => {
    await build('bug')
    await build('other', `/groups/${below.id}/labels`)
    const answer = await call('PUT', `/groups/${below.id}/labels/other`, { new_name: 'bug' })
    const message = { title: ['has already been taken'] }
    expect([answer.status, answer.body]).toEqual([400, { message }])
  })
})

describe('POST /groups/:id/labels/:label_id/subscribe', () => {
  it('subscribes and unsubscribes, and returns 304 if nothing changes', async () => {
    await build('bug')
    const at = (verb: string) => call('POST', `${path}/bug/${verb}`, undefined, guest)
    expect((await at('unsubscribe')).status).toBe(304)
    const first = await at('subscribe')
    expect([first.status, first.body.subscribed]).toEqual([201, true])
    expect((await at('subscribe')).status).toBe(304)
    expect((await at('unsubscribe')).body.subscribed).toBe(false)
    expect((await call('POST', `${path}/none/subscribe`)).status).toBe(404)
  })
})
