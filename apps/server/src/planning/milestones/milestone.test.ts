import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let developer: TestUser
let reporter: TestUser
let group: Json
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  developer = await server.buildUser()
  reporter = await server.buildUser()
})
afterAll(() => server.close())

beforeEach(async () => {
  group = await server.buildGroup()
  project = await server.buildProject({ namespace_id: group.id })
  await server.addMember(`groups/${group.id}`, developer.id, 30)
  await server.addMember(`groups/${group.id}`, reporter.id, 20)
})

const call = (method: string, path: string, body?: unknown, who: { token: string } = developer) =>
  callAs(server, method, path, who.token, body)

const build = (owner: string, values: object = {}) =>
  created(server, `/${owner}/milestones`, { title: 'v1', ...values }, developer)

const inProject = () => `projects/${project.id}`
const inGroup = () => `groups/${group.id}`

describe.each(['project', 'group'] as const)('milestones of a %s', (kind) => {
  const owner = () => (kind === 'project' ? inProject() : inGroup())
  const path = () => `/${owner()}/milestones`

  it('POST returns 201 with the whole milestone, numbered from 1', async () => {
    const dates = { start_date: '2019-01-01', due_date: '2019-02-01' }
    const answer = await call('POST', path(), { title: ' v1 ', description: 'The first', ...dates })
    const address =
      kind === 'project'
        ? `${project.path_with_namespace}/milestones/1`
        : `groups/${group.full_path}/-/milestones/1`
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        iid: 1,
        [`${kind}_id`]: kind === 'project' ? project.id : group.id,
        title: 'v1',
        description: 'The first',
        state: 'active',
        created_at: expect.any(String),
        updated_at: expect.any(String),
        ...dates,
        web_url: `http://stithy.test/${address}`,
      },
    ])
    expect((await call('GET', `${path()}/${answer.body.id}`)).body).toEqual(answer.body)
    const minimal = await build(owner(), { title: 'v2' })
    expect(minimal).toMatchObject({ iid: 2, description: null, start_date: null, due_date: null })
  })

  it('POST returns 400 with the field errors in the message', async () => {
    await build(owner())
    const failures: [object, object][] = [
      [{ title: ' ' }, { title: ["can't be blank"] }],
      [{ title: 'x'.repeat(256) }, { title: ['is too long (maximum is 255 characters)'] }],
      [{ title: 'v1' }, { title: ['already being used for another group or project milestone.'] }],
      [
        { start_date: '2019-02-01', due_date: '2019-02-01' },
        { due_date: ['must be greater than start date'] },
      ],
      [
        { description: 'x'.repeat(1_000_001) },
        { description: ['is too long (maximum is 1000000 characters)'] },
      ],
    ]
    for (const [values, errors] of failures) {
      const answer = await call('POST', path(), { title: 'fine', ...values })
      const message = `Failed to create milestone ${JSON.stringify(errors)}`
      expect([answer.status, answer.body]).toEqual([400, { message }])
    }
    expect((await call('POST', path(), {})).body).toEqual({ error: 'title is missing' })
    for (const due_date of ['10000-01-01', '2019-02-30', '2019-02-30T00:00:00Z', 'soon', 7]) {
      const answer = await call('POST', path(), { title: 'fine', due_date })
      expect([answer.status, answer.body]).toEqual([400, { error: 'due_date is invalid' }])
    }
  })

  it('POST and PUT keep the day of timestamps', async () => {
    const times = { start_date: '2026-03-05T00:00:00Z', due_date: '2026-03-06T23:59:59.999-07:00' }
    const { id, ...milestone } = await build(owner(), times)
    expect(milestone).toMatchObject({ start_date: '2026-03-05', due_date: '2026-03-06' })
    const due_date = '2026-03-07T01:00:00+0900'
    const changed = await call('PUT', `${path()}/${id}`, { due_date })
    expect([changed.status, changed.body.due_date]).toEqual([200, '2026-03-07'])
  })

  it('GET lists newest first, and filters by iid, state, title and search text', async () => {
    const [a, b, c] = [
      await build(owner(), { title: 'Alpha', description: 'one' }),
      await build(owner(), { title: 'Beta 100%' }),
      await build(owner(), { title: 'Gamma', description: 'ALPHABET' }),
    ]
    await call('PUT', `${path()}/${b.id}`, { state_event: 'close' })
    const list = async (query = '') =>
      (await call('GET', `${path()}${query}`)).body.map((one: Json) => one.id)
    expect(await list()).toEqual([c.id, b.id, a.id])
    expect(await list('?state=all')).toEqual([c.id, b.id, a.id])
    expect(await list('?state=active')).toEqual([c.id, a.id])
    expect(await list('?state=closed')).toEqual([b.id])
    expect(await list('?iids[]=1&iids[]=3')).toEqual([c.id, a.id])
    expect(await list('?title=Alpha')).toEqual([a.id])
    expect(await list('?title=alpha')).toEqual([])
    expect(await list('?search=alpha')).toEqual([c.id, a.id])
    expect(await list('?search=100%25')).toEqual([b.id])
    expect(await list('?search=1_0')).toEqual([])
    expect(await list('?state=active&search=alpha&iids[]=1')).toEqual([a.id])
    expect((await call('GET', `${path()}?state=open`)).status).toBe(400)
    const second = await call('GET', `${path()}?per_page=2&page=2`)
    expect(second.body.map((one: Json) => one.id)).toEqual([a.id])
    expect(second.headers['x-total']).toBe('3')
  })

  it('GET leaves out milestones of ancestors and descendants, and returns 404 for them', async () => {
    const own = await build(owner())
    const other = await build(kind === 'project' ? inGroup() : inProject(), { title: 'v2' })
    expect((await call('GET', path())).body.map((one: Json) => one.id)).toEqual([own.id])
    for (const id of [other.id, 999_999, '999999999999999']) {
      const answer = await call('GET', `${path()}/${id}`)
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Milestone Not Found' }])
    }
    expect((await call('GET', `${path()}/x`)).status).toBe(400)
  })

  it('PUT changes single fields and clears dates', async () => {
    const { id } = await build(owner(), { start_date: '2019-01-01', due_date: '2019-02-01' })
    const put = async (body: object) => (await call('PUT', `${path()}/${id}`, body)).body
    expect(await put({ title: ' v2 ' })).toMatchObject({ title: 'v2', due_date: '2019-02-01' })
    expect(await put({ description: 'x' })).toMatchObject({ title: 'v2', description: 'x' })
    expect(await put({ due_date: '2019-03-01' })).toMatchObject({ due_date: '2019-03-01' })
    expect(await put({ start_date: '' })).toMatchObject({ start_date: null })
    expect(await put({ due_date: null })).toMatchObject({ due_date: null, title: 'v2' })
    expect(await put({ title: 'v2' })).toMatchObject({ title: 'v2' })
  })

  it('PUT returns 400 without a change and for invalid values', async () => {
    const { id } = await build(owner(), { start_date: '2019-01-01' })
    await build(owner(), { title: 'taken' })
    const put = async (body: object) => (await call('PUT', `${path()}/${id}`, body)).body
    expect((await put({})).error).toBe(
      'title, description, due_date, start_date, state_event are missing, at least one parameter must be provided',
    )
    expect(await put({ state_event: 'reopen' })).toEqual({
      error: 'state_event does not have a valid value',
    })
    const failed = (errors: object) => `Failed to update milestone ${JSON.stringify(errors)}`
    expect((await put({ title: '' })).message).toBe(failed({ title: ["can't be blank"] }))
    expect((await put({ title: 'taken' })).message).toBe(
      failed({ title: ['already being used for another group or project milestone.'] }),
    )
    expect((await put({ due_date: '2018-12-31' })).message).toBe(
      failed({ due_date: ['must be greater than start date'] }),
    )
  })

  it('PUT closes and activates; repeating it changes nothing', async () => {
    const { id } = await build(owner())
    const states: string[] = []
    for (const state_event of ['close', 'close', 'activate', 'activate']) {
      const answer = await call('PUT', `${path()}/${id}`, { state_event })
      expect(answer.status).toBe(200)
      states.push(answer.body.state)
    }
    expect(states).toEqual(['closed', 'closed', 'active', 'active'])
    const { body } = await call('GET', `/projects/${project.id}/events?sort=asc`)
    const actual = body
      .filter((event: Json) => event.target_type === 'Milestone')
      .map((event: Json) => [event.action_name, event.target_id, event.target_title])
    const names = kind === 'project' ? ['opened', 'closed', 'opened'] : []
    expect(actual).toEqual(names.map((name) => [name, id, 'v1']))
  })

  it('returns 403 below Developer, 404 to non-members and 401 without a token', async () => {
    const { id } = await build(owner())
    const stranger = await server.buildUser()
    const body = { title: 'x' }
    for (const [method, where] of [
      ['POST', path()],
      ['PUT', `${path()}/${id}`],
      ['DELETE', `${path()}/${id}`],
    ] as const) {
      expect((await call(method, where, body, reporter)).status).toBe(403)
      expect((await call(method, where, body, stranger)).status).toBe(404)
      expect((await callAs(server, method, where, undefined, body)).status).toBe(401)
    }
    expect((await call('GET', path(), undefined, reporter)).status).toBe(200)
    expect((await call('GET', path(), undefined, stranger)).status).toBe(404)
  })

  it('POST creates one milestone for two concurrent calls', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', path(), { title: 'race' })))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 400, 400])
    const message = `Failed to create milestone {"title":["already being used for another group or project milestone."]}`
    expect(answers.find((answer) => answer.status === 400)?.body).toEqual({ message })
  })
})

describe('titles of milestones', () => {
  it('are unique across a project and the groups above it, in both directions', async () => {
    const below = await server.buildGroup({ parent_id: group.id })
    const inner = await server.buildProject({ namespace_id: below.id })
    await build(inGroup(), { title: 'top' })
    await build(`projects/${inner.id}`, { title: 'inner' })
    const status = async (owner: string, title: string) =>
      (await call('POST', `/${owner}/milestones`, { title })).status
    expect(await status(`projects/${inner.id}`, 'top')).toBe(400)
    expect(await status(inGroup(), 'inner')).toBe(400)
    expect(await status(`groups/${below.id}`, 'inner')).toBe(400)
    expect(await status(inProject(), 'inner')).toBe(201)
  })
})

describe('milestones of an archived project', () => {
  it('can be read, but not created, changed or deleted', async () => {
    const { id } = await build(inProject())
    await call('POST', `/projects/${project.id}/archive`, undefined, server.root)
    const path = `/projects/${project.id}/milestones`
    expect((await call('GET', `${path}/${id}`)).status).toBe(200)
    expect((await call('POST', path, { title: 'x' }, server.root)).status).toBe(403)
    expect((await call('PUT', `${path}/${id}`, { title: 'x' }, server.root)).status).toBe(403)
    expect((await call('DELETE', `${path}/${id}`, undefined, server.root)).status).toBe(403)
    expect((await call('POST', `${path}/${id}/promote`, undefined, server.root)).status).toBe(403)
  })
})
