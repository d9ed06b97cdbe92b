import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let reporter: TestUser
let guest: TestUser
let group: Json
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  reporter = await server.buildUser()
  guest = await server.buildUser()
})
afterAll(() => server.close())

beforeEach(async () => {
  group = await server.buildGroup()
  project = await server.buildProject({ namespace_id: group.id })
  await server.addMember(`groups/${group.id}`, reporter.id, 20)
  await server.addMember(`groups/${group.id}`, guest.id, 10)
})

const call = (method: string, path: string, body?: unknown, who: { token: string } = reporter) =>
  callAs(server, method, path, who.token, body)

const made = (path: string, body: object) => created(server, path, body)

describe.each(['project', 'group'] as const)('boards of a %s', (kind) => {
  const owner = () => (kind === 'project' ? `/projects/${project.id}` : `/groups/${group.id}`)
  const path = () => `${owner()}/boards`
  const label = (name: string) => made(`${owner()}/labels`, { name, color: '#fff' })
  const milestone = (title: string) => made(`${owner()}/milestones`, { title })

  it('GET lists none until one is created', async () => {
    for (const _ of [1, 2]) {
      const { status, body, headers } = await call('GET', path())
      expect([status, body, headers['x-total']]).toEqual([200, [], '0'])
    }
    const { id } = await made(path(), { name: 'Development' })
    const [board, ...more] = (await call('GET', path(), undefined, guest)).body
    expect([board.id, more]).toEqual([id, []])
    expect(board).toMatchObject({
      name: 'Development',
      lists: [],
      labels: [],
      milestone: null,
      assignee: null,
      weight: null,
    })
    if (kind === 'project') {
      expect(board.project).toMatchObject({ id: project.id, path: project.path })
      expect(board).not.toHaveProperty('group')
    } else {
      expect(board.project).toBeNull()
      const web_url = `http://stithy.test/groups/${group.full_path}`
      expect(board.group).toEqual({ id: group.id, name: group.name, web_url })
    }
    const shown = await call('GET', `${path()}/${board.id}`, undefined, guest)
    expect(shown.body).toEqual(board)
  })

  it('POST creates a board, PUT changes its name and scope, DELETE removes it', async () => {
    const board = await made(path(), { name: ' Release ' })
    expect(board.name).toBe('Release')
    const one = `${path()}/${board.id}`
    const [bug, plan] = [await label('bug'), await milestone('v1')]
    const scope = {
      name: 'Next',
      assignee_id: reporter.id,
      milestone_id: plan.id,
      labels: 'bug, none',
      weight: 9,
    }
    const answer = await call('PUT', one, scope)
    expect(answer.body).toMatchObject({
      name: 'Next',
      assignee: { id: reporter.id },
      milestone: { id: plan.id },
      labels: [{ id: bug.id, name: 'bug' }],
      weight: 9,
    })
    expect((await call('PUT', one, {})).body).toEqual(answer.body)
    const cleared = { assignee_id: 0, milestone_id: null, labels: '', weight: '' }
    expect((await call('PUT', one, cleared)).body).toMatchObject({
      name: 'Next',
      assignee: null,
      milestone: null,
      labels: [],
      weight: null,
    })
    expect([(await call('DELETE', one)).status, (await call('GET', one)).status]).toEqual([
      204, 404,
    ])
  })

  it('POST and PUT return 400 for invalid values', async () => {
    const board = await made(path(), { name: 'a' })
    const stranger = await server.buildUser()
    const put = async (body: object) => (await call('PUT', `${path()}/${board.id}`, body)).body
    expect(await put({ name: ' ' })).toEqual({ message: { name: ["can't be blank"] } })
    const error = (text: string) => ({ message: { error: text } })
    expect(await put({ milestone_id: 999_999 })).toEqual(error('Milestone not found!'))
    expect(await put({ assignee_id: stranger.id })).toEqual(error('User not found!'))
    expect(await put({ weight: 10 })).toEqual({ error: 'weight does not have a valid value' })
    expect((await call('POST', path(), {})).body).toEqual({ error: 'name is missing' })
  })

  it('POST lists creates lists for labels, assignees and milestones, in order', async () => {
    const board = await made(path(), { name: 'a' })
    const lists = `${path()}/${board.id}/lists`
    const [bug, plan] = [await label('bug'), await milestone('v1')]
    const first = await call('POST', lists, { label_id: bug.id })
    expect([first.status, first.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        label: {
          id: bug.id,
          name: 'bug',
          color: '#ffffff',
          description: null,
          text_color: '#333333',
        },
        position: 0,
      },
    ])
    const second = await call('POST', lists, { assignee_id: guest.id })
    expect(second.body).toMatchObject({ assignee: { id: guest.id }, position: 1 })
    const third = await call('POST', lists, { milestone_id: plan.id })
    expect(third.body).toMatchObject({ milestone: { id: plan.id }, position: 2 })
    const all = [first.body, second.body, third.body]
    expect((await call('GET', lists)).body).toEqual(all)
    expect((await call('GET', `${lists}?per_page=1&page=2`)).body).toEqual([second.body])
    expect((await call('GET', `${lists}/${third.body.id}`)).body).toEqual(third.body)
    expect((await call('GET', `${path()}/${board.id}`)).body.lists).toEqual(all)
    expect((await call('GET', `${lists}/999999`)).body).toEqual({ message: '404 List Not Found' })
  })

  it('POST lists returns 400 unless exactly one existing, unused subject is given', async () => {
    const board = await made(path(), { name: 'a' })
    const lists = `${path()}/${board.id}/lists`
    const bug = await label('bug')
    const elsewhere = await server.buildProject()
    const foreign = await made(`/projects/${elsewhere.id}/labels`, { name: 'x', color: '#fff' })
    const post = async (body: object) => {
      const answer = await call('POST', lists, body)
      return [answer.status, answer.body]
    }
    const names = 'label_id, assignee_id, milestone_id'
    const missing = `${names} are missing, exactly one parameter must be provided`
    expect(await post({})).toEqual([400, { error: missing }])
    const both = { label_id: bug.id, assignee_id: guest.id }
    expect(await post(both)).toEqual([400, { error: `${names} are mutually exclusive` }])
    const error = (text: string) => [400, { message: { error: text } }]
    expect(await post({ label_id: foreign.id })).toEqual(error('Label not found!'))
    expect(await post({ assignee_id: 999_999 })).toEqual(error('User not found!'))
    expect(await post({ milestone_id: 999_999 })).toEqual(error('Milestone not found!'))
    expect(await post({ label_id: 'x' })).toEqual([400, { error: 'label_id is invalid' }])
    const answers = await Promise.all([1, 2, 3].map(() => post({ label_id: bug.id })))
    expect(answers.map(([status]) => status).toSorted()).toEqual([201, 400, 400])
    const alreadyTaken = { message: { label_id: ['has already been taken'] } }
    expect(answers.find(([status]) => status === 400)?.[1]).toEqual(alreadyTaken)
  })

  it('PUT lists moves a list and renumbers the others', async () => {
    const board = await made(path(), { name: 'a' })
    const lists = `${path()}/${board.id}/lists`
    const ids: number[] = []
    for (const name of ['a', 'b', 'c', 'd']) {
      ids.push((await made(lists, { label_id: (await label(name)).id })).id)
    }
    const [a, b, c, d] = ids
    const order = async () => {
      const { body } = await call('GET', lists)
      expect(body.map((one: Json) => one.position)).toEqual(body.map((_: Json, at: number) => at))
      return body.map((one: Json) => one.id)
    }
    const moved = await call('PUT', `${lists}/${a}`, { position: 2 })
    expect([moved.status, moved.body]).toEqual([
      200,
      expect.objectContaining({ id: a, position: 2 }),
    ])
    expect(await order()).toEqual([b, c, a, d])
    await call('PUT', `${lists}/${d}`, { position: 0 })
    expect(await order()).toEqual([d, b, c, a])
    for (const position of [0, -1, 4]) {
      const answer = await call('PUT', `${lists}/${d}`, { position })
      const message = { error: 'List could not be moved!' }
      expect([answer.status, answer.body]).toEqual([400, { message }])
    }
    expect((await call('PUT', `${lists}/${d}`, {})).body).toEqual({ error: 'position is missing' })
    expect((await call('DELETE', `${lists}/${b}`)).status).toBe(204)
    expect(await order()).toEqual([d, c, a])
    expect((await call('DELETE', `${lists}/${b}`)).status).toBe(404)
    await call('DELETE', `${owner()}/labels/c`)
    expect(await order()).toEqual([d, a])
    expect((await call('PUT', `${lists}/${a}`, { position: 2 })).status).toBe(400)
    expect((await call('PUT', `${lists}/${a}`, { position: 0 })).status).toBe(200)
    expect(await order()).toEqual([a, d])
  })

  it('PUT lists keeps positions unique and without gaps after concurrent moves', async () => {
    const board = await made(path(), { name: 'a' })
    const lists = `${path()}/${board.id}/lists`
    const ids: number[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      ids.push((await made(lists, { label_id: (await label(name)).id })).id)
    }
    const moves = ids.flatMap((id, at) => [0, 4, 2].map((to) => ({ id, to: (to + at) % 5 })))
    const answers = await Promise.all(
      moves.map(({ id, to }) => call('PUT', `${lists}/${id}`, { position: to })),
    )
    for (const { status } of answers) expect([200, 400]).toContain(status)
    const rows = await server.app.db.all('test.lists', { boardId: board.id }, (db, $) =>
      db
        .selectFrom('boardLists')
        .where('boardId', '=', $('boardId'))
        .orderBy('position')
        .select(['id', 'position']),
    )
    expect(rows.map((row) => row.position)).toEqual([0, 1, 2, 3, 4])
    expect(rows.map((row) => row.id).toSorted()).toEqual(ids.toSorted())
  })

  it('are readable by guests, writable from Reporter on, and 404 to non-members', async () => {
    const board = await made(path(), { name: 'a' })
    const bug = await label('bug')
    const lists = `${path()}/${board.id}/lists`
    const list = await made(lists, { label_id: bug.id })
    const stranger = await server.buildUser()
    for (const where of [path(), `${path()}/${board.id}`, lists, `${lists}/${list.id}`]) {
      expect((await call('GET', where, undefined, guest)).status).toBe(200)
      expect((await call('GET', where, undefined, stranger)).status).toBe(404)
      expect((await callAs(server, 'GET', where)).status).toBe(401)
    }
    for (const [method, where, body] of [
      ['POST', path(), { name: 'x' }],
      ['PUT', `${path()}/${board.id}`, { name: 'x' }],
      ['POST', lists, { label_id: bug.id }],
      ['PUT', `${lists}/${list.id}`, { position: 0 }],
      ['DELETE', `${lists}/${list.id}`, undefined],
      ['DELETE', `${path()}/${board.id}`, undefined],
    ] as const) {
      expect((await call(method, where, body, guest)).status).toBe(403)
      expect((await call(method, where, body, stranger)).status).toBe(404)
    }
  })

  it('return 404 below another project or group', async () => {
    const board = await made(path(), { name: 'a' })
    const other = kind === 'project' ? `/groups/${group.id}` : `/projects/${project.id}`
    const answer = await call('GET', `${other}/boards/${board.id}`)
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Board Not Found' }])
  })

  it('GET runs the same number of queries for any number of boards', async () => {
    const fill = async (name: string) => {
      const board = await made(path(), { name })
      for (const part of ['a', 'b']) {
        await made(`${path()}/${board.id}/lists`, { label_id: (await label(name + part)).id })
      }
    }
    const cost = async () => {
      const before = server.app.db.stats.queries
      await call('GET', path())
      return server.app.db.stats.queries - before
    }
    await fill('x')
    const one = await cost()
    for (const name of ['y', 'z']) await fill(name)
    expect(await cost()).toBe(one)
    expect(one).toBeLessThanOrEqual(8)
  })
})
