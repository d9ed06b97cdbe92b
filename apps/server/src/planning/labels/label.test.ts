import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let reporter: TestUser
let guest: TestUser
let group: Json
let project: Json
let path: string

beforeAll(async () => {
  server = await buildTestServer()
  reporter = await server.buildUser()
  guest = await server.buildUser()
})
afterAll(() => server.close())

beforeEach(async () => {
  group = await server.buildGroup()
  project = await server.buildProject({ namespace_id: group.id })
  await server.addMember(`projects/${project.id}`, reporter.id, 20)
  await server.addMember(`projects/${project.id}`, guest.id, 10)
  path = `/projects/${project.id}/labels`
})

function call(method: string, where: string, body?: unknown, who: { token: string } = reporter) {
  return callAs(server, method, where, who.token, body)
}

const build = (values: Record<string, unknown>, where = path) =>
  created(server, where, { color: '#428bca', ...values })

describe('POST /projects/:id/labels', () => {
  it('returns 201 with the whole label', async () => {
    const body = { name: ' bug ', color: 'Tomato', description: 'It breaks', priority: 0 }
    const answer = await call('POST', path, body)
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'bug',
        color: '#ff6347',
        description: 'It breaks',
        text_color: '#FFFFFF',
        open_issues_count: 0,
        closed_issues_count: 0,
        open_merge_requests_count: 0,
        subscribed: false,
        priority: 0,
        is_project_label: true,
      },
    ])
    expect((await call('GET', `${path}/bug`)).body).toEqual(answer.body)
  })

  it('accepts null and a missing parameter as no priority', async () => {
    expect((await build({ name: 'a', priority: null })).priority).toBeNull()
    expect((await build({ name: 'b', priority: '' })).priority).toBeNull()
    expect((await build({ name: 'c' })).description).toBeNull()
  })

  it('returns 409 if the project or a group above has the title, case-sensitively', async () => {
    await build({ name: 'bug' })
    await build({ name: 'shared' }, `/groups/${group.id}/labels`)
    for (const name of ['bug', ' bug', 'shared']) {
      const answer = await call('POST', path, { name, color: '#fff' })
      expect([answer.status, answer.body]).toEqual([409, { message: 'Label already exists' }])
    }
    await build({ name: 'Bug' })
  })

  it('creates one label for two concurrent calls', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => call('POST', path, { name: 'race', color: '#fff' })),
    )
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 409, 409])
  })

  it.each([
    [{ name: '' }, { title: ["can't be blank"] }],
    [{ name: '   ' }, { title: ["can't be blank"] }],
    [{ name: 'a,b' }, { title: ['is invalid'] }],
    [{ name: 'x'.repeat(256) }, { title: ['is too long (maximum is 255 characters)'] }],
    [{ color: 'no colour' }, { color: ['must be a valid color code'] }],
    [{ color: '#12345' }, { color: ['must be a valid color code'] }],
    [{ color: '' }, { color: ['must be a valid color code'] }],
    [
      { description: 'x'.repeat(1025) },
      { description: ['is too long (maximum is 1024 characters)'] },
    ],
  ])('answers 400 with the field: %o', async (wrong, message) => {
    const answer = await call('POST', path, { name: 'fine', color: '#fff', ...wrong })
    expect([answer.status, answer.body]).toEqual([400, { message }])
  })

  it.each([
    [{ color: '#fff' }, 'name is missing'],
    [{ name: 'a' }, 'color is missing'],
    [{ name: 'a', color: '#fff', priority: -1 }, 'priority does not have a valid value'],
    [{ name: 'a', color: '#fff', priority: 'high' }, 'priority is invalid'],
    [{ name: 'a', color: '#fff', priority: 3e9 }, 'priority does not have a valid value'],
    [{ name: ['a'], color: '#fff' }, 'name is invalid'],
    [{ name: 'a\0', color: '#fff' }, 'name is invalid'],
  ])('answers 400 for %o', async (body, error) => {
    const answer = await call('POST', path, body)
    expect([answer.status, answer.body]).toEqual([400, { error }])
  })

  it('returns 403 below Reporter and in an archived project, 404 to non-members', async () => {
    const body = { name: 'a', color: '#fff' }
    expect((await call('POST', path, body, guest)).status).toBe(403)
    expect((await call('POST', path, body, await server.buildUser())).status).toBe(404)
    await call('POST', `/projects/${project.id}/archive`, undefined, server.root)
    expect((await call('POST', path, body, server.root)).status).toBe(403)
    expect((await call('GET', path)).status).toBe(200)
  })
})

describe('GET /projects/:id/labels', () => {
  it('lists the labels of the project and of all groups above, by title', async () => {
    const below = await server.buildGroup({ parent_id: group.id })
    const inner = await server.buildProject({ namespace_id: below.id })
    await build({ name: 'c' }, `/groups/${group.id}/labels`)
    await build({ name: 'a' }, `/groups/${below.id}/labels`)
    await build({ name: 'b', priority: 3 }, `/projects/${inner.id}/labels`)
    await build({ name: 'elsewhere' })
    const answer = await call('GET', `/projects/${inner.id}/labels`, undefined, server.root)
    const actual = answer.body.map((label: Json) => [
      label.name,
      label.is_project_label,
      label.priority,
    ])
    expect(actual).toEqual([
      ['a', false, null],
      ['b', true, 3],
      ['c', false, null],
    ])
    expect(answer.headers['x-total']).toBe('3')
  })

  it('returns pages, and with `name` the label of that title', async () => {
    for (const name of ['d', 'a', 'c', 'b']) await build({ name })
    const page = await call('GET', `${path}?per_page=3&page=2`)
    expect(page.body.map((label: Json) => label.name)).toEqual(['d'])
    expect(page.headers['x-total']).toBe('4')
    const named = await call('GET', `${path}?name=c`)
    expect(named.body.map((label: Json) => label.name)).toEqual(['c'])
    expect((await call('GET', `${path}?name=nothing`)).body).toEqual([])
  })

  it('returns 401 without a token, also in a public project, and 403 while issues and merge requests are disabled', async () => {
    const open = await server.buildProject({ visibility: 'public' })
    expect((await callAs(server, 'GET', `/projects/${open.id}/labels`)).status).toBe(401)
    expect((await call('GET', `/projects/${open.id}/labels`)).status).toBe(200)
    const external = await server.buildUser({ external: true })
    for (const what of ['labels', 'milestones', 'boards', 'issues']) {
      expect((await call('GET', `/projects/${open.id}/${what}`, undefined, external)).status).toBe(
        200,
      )
    }
    const path = `/projects/${open.id}`
    const { body: issue } = await call('POST', `${path}/issues`, { title: 'x' }, server.root)
    for (const what of ['subscribe', 'unsubscribe', 'todo']) {
      const answer = await call('POST', `${path}/issues/${issue.iid}/${what}`, {}, external)
      expect(answer.status).toBe(403)
    }
    const watch = await call('PUT', `${path}/notification_settings`, { level: 'watch' }, external)
    expect(watch.status).toBe(403)
    const off = { issues_access_level: 'disabled', merge_requests_access_level: 'disabled' }
    await call('PUT', `/projects/${open.id}`, off, server.root)
    const answer = await call('GET', `/projects/${open.id}/labels`, undefined, server.root)
    expect(answer.status).toBe(403)
  })
})

describe('GET /projects/:id/labels/:label_id', () => {
  it('finds a label by id and by title, with slashes, blanks and digits in it', async () => {
    for (const name of ['a/b', 'needs info', 'ünïcode &?#', '12345678']) {
      const label = await build({ name })
      const byTitle = await call('GET', `${path}/${encodeURIComponent(name)}`)
      expect([byTitle.status, byTitle.body.id]).toEqual([200, label.id])
      expect((await call('GET', `${path}/${label.id}`)).body.name).toBe(name)
    }
  })

  it('prefers the label of the project, then that of the nearest group', async () => {
    const own = await build({ name: 'same', color: '#111111' })
    await build({ name: 'same', color: '#222222' }, `/groups/${group.id}/labels`)
    expect((await call('GET', `${path}/same`)).body.id).toBe(own.id)
  })

  it('returns 404 for unknown labels', async () => {
    const elsewhere = await server.buildProject()
    const foreign = await build({ name: 'foreign' }, `/projects/${elsewhere.id}/labels`)
    for (const name of ['nothing', foreign.id, '999999999999999', '%00', '0']) {
      const answer = await call('GET', `${path}/${name}`)
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Label Not Found' }])
    }
  })
})

describe('PUT /projects/:id/labels', () => {
  it('changes single fields', async () => {
    await build({ name: 'bug', priority: 1 })
    const put = async (body: object) => (await call('PUT', path, { name: 'bug', ...body })).body
    expect(await put({ color: '#FFAABB' })).toMatchObject({
      color: '#FFAABB',
      text_color: '#333333',
    })
    expect(await put({ description: 'new' })).toMatchObject({
      description: 'new',
      color: '#FFAABB',
    })
    expect(await put({ priority: 7 })).toMatchObject({ priority: 7, description: 'new' })
    expect(await put({ priority: null })).toMatchObject({ priority: null })
    expect(await put({ new_name: ' defect ' })).toMatchObject({ name: 'defect', priority: null })
  })

  it('accepts the name in the path, the body or the query', async () => {
    const label = await build({ name: 'a/b' })
    const paths = [`${path}/${label.id}`, `${path}/a%2Fb`, `${path}?name=a%2Fb`]
    for (const [index, where] of paths.entries()) {
      const answer = await call('PUT', where, { description: `take ${index}` })
      expect([answer.status, answer.body.description]).toEqual([200, `take ${index}`])
    }
  })

  it('returns 400 without a change', async () => {
    await build({ name: 'bug' })
    for (const where of [`${path}?name=bug`, `${path}/bug`]) {
      const answer = await call('PUT', where, {})
      expect([answer.status, answer.body.error]).toEqual([
        400,
        'new_name, color, description, priority are missing, at least one parameter must be provided',
      ])
    }
  })

  it('returns 400 for a title that is taken, blank or too long', async () => {
    await build({ name: 'bug' })
    await build({ name: 'other' })
    await build({ name: 'shared' }, `/groups/${group.id}/labels`)
    for (const title of ['other', 'shared']) {
      const answer = await call('PUT', path, { name: 'bug', new_name: title })
      const message = { title: ['has already been taken'] }
      expect([answer.status, answer.body]).toEqual([400, { message }])
    }
    const blank = await call('PUT', path, { name: 'bug', new_name: ' ' })
    expect(blank.body).toEqual({ message: { title: ["can't be blank"] } })
    const same = await call('PUT', path, { name: 'bug', new_name: 'bug' })
    expect(same.status).toBe(200)
  })

  it('returns 404 for a group label, 403 to guests', async () => {
    await build({ name: 'shared' }, `/groups/${group.id}/labels`)
    expect((await call('PUT', path, { name: 'shared', color: '#fff' })).status).toBe(404)
    expect((await call('PUT', path, { name: 'none', color: '#fff' })).status).toBe(404)
    await build({ name: 'bug' })
    expect((await call('PUT', path, { name: 'bug', color: '#fff' }, guest)).status).toBe(403)
  })
})

describe('DELETE /projects/:id/labels', () => {
  it('accepts the name in the query, the body or the path', async () => {
    for (const name of ['a', 'b', 'c/d']) await build({ name })
    expect((await call('DELETE', `${path}?name=a`)).status).toBe(204)
    expect((await call('DELETE', path, { name: 'b' })).status).toBe(204)
    expect((await call('DELETE', `${path}/c%2Fd`)).status).toBe(204)
    expect((await call('GET', path)).body).toEqual([])
    expect((await call('DELETE', `${path}?name=a`)).status).toBe(404)
  })

  it('returns 400 without a name, 404 for a group label, 403 to guests', async () => {
    expect((await call('DELETE', path)).body).toEqual({ error: 'name is missing' })
    await build({ name: 'shared' }, `/groups/${group.id}/labels`)
    expect((await call('DELETE', `${path}/shared`)).status).toBe(404)
    await build({ name: 'bug' })
    expect((await call('DELETE', `${path}/bug`, undefined, guest)).status).toBe(403)
  })
})

describe('POST /projects/:id/labels/:label_id/subscribe', () => {
  it('subscribes and unsubscribes, and returns 304 if nothing changes', async () => {
    await build({ name: 'a/b' })
    const label = `${path}/a%2Fb`
    expect((await call('POST', `${label}/unsubscribe`, undefined, guest)).status).toBe(304)
    const first = await call('POST', `${label}/subscribe`, undefined, guest)
    expect([first.status, first.body.subscribed]).toEqual([201, true])
    const again = await call('POST', `${label}/subscribe`, undefined, guest)
    expect([again.status, again.text]).toEqual([304, ''])
    expect((await call('GET', label)).body.subscribed).toBe(false)
    expect((await call('GET', path, undefined, guest)).body[0].subscribed).toBe(true)
    const ended = await call('POST', `${label}/unsubscribe`, undefined, guest)
    expect([ended.status, ended.body.subscribed]).toEqual([201, false])
    expect((await call('POST', `${label}/unsubscribe`, undefined, guest)).status).toBe(304)
  })

  it('accepts group labels, and returns 404 for unknown ones', async () => {
    await build({ name: 'shared' }, `/groups/${group.id}/labels`)
    const answer = await call('POST', `${path}/shared/subscribe`)
    expect([answer.status, answer.body.subscribed]).toEqual([201, true])
    expect((await call('POST', `${path}/none/subscribe`)).status).toBe(404)
  })
})
