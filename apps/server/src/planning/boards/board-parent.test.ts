import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let reporter: TestUser
let group: Json
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  reporter = await server.buildUser()
})
afterAll(() => server.close())

beforeEach(async () => {
  group = await server.buildGroup()
  project = await server.buildProject({ namespace_id: group.id })
  await server.addMember(`groups/${group.id}`, reporter.id, 20)
})

const call = (method: string, path: string, body?: unknown, who: { token: string } = reporter) =>
  callAs(server, method, path, who.token, body)

const made = (path: string, body: object) => created(server, path, body)

describe('boards of a project', () => {
  it('use labels and milestones of the ancestor groups; boards of a group do not use those of projects', async () => {
    const shared = await made(`/groups/${group.id}/labels`, { name: 'shared', color: '#fff' })
    const own = await made(`/projects/${project.id}/labels`, { name: 'own', color: '#fff' })
    const plan = await made(`/groups/${group.id}/milestones`, { title: 'v1' })
    const board = await made(`/projects/${project.id}/boards`, { name: 'Narrow' })
    const lists = `/projects/${project.id}/boards/${board.id}/lists`
    expect((await call('POST', lists, { label_id: shared.id })).status).toBe(201)
    expect((await call('POST', lists, { milestone_id: plan.id })).status).toBe(201)
    const wide = await made(`/groups/${group.id}/boards`, { name: 'Wide' })
    const answer = await call('POST', `/groups/${group.id}/boards/${wide.id}/lists`, {
      label_id: own.id,
    })
    expect(answer.body).toEqual({ message: { error: 'Label not found!' } })
  })

  it('in an archived project, GET returns 200 and writes return 403', async () => {
    await call('POST', `/projects/${project.id}/archive`, undefined, server.root)
    expect((await call('GET', `/projects/${project.id}/boards`)).body).toEqual([])
    const answer = await call('POST', `/projects/${project.id}/boards`, { name: 'x' }, server.root)
    expect(answer.status).toBe(403)
  })

  it('return 403 while issues are disabled', async () => {
    await call('PUT', `/projects/${project.id}`, { issues_access_level: 'disabled' }, server.root)
    expect((await call('GET', `/projects/${project.id}/boards`)).status).toBe(403)
  })
})

describe('boards in the community tier', () => {
  it('have at most one unnamed board that cannot be changed, with lists for labels', async () => {
    const community = await buildTestServer({ tier: 'community' })
    const own = await community.buildProject()
    const path = `/projects/${own.id}/boards`
    const as = (method: string, where: string, body?: unknown) =>
      callAs(community, method, where, community.root.token, body)
    expect((await as('GET', path)).body).toEqual([])
    const posts = await Promise.all([1, 2, 3].map(() => as('POST', path, { name: 'x' })))
    expect(posts.map(({ status }) => status).toSorted()).toEqual([201, 403, 403])
    const [board, ...more] = (await as('GET', path)).body
    expect(more).toEqual([])
    expect(Object.keys(board).toSorted()).toEqual(['id', 'lists', 'project'])
    expect((await as('POST', path, { name: 'x' })).status).toBe(403)
    expect((await as('PUT', `${path}/${board.id}`, { name: 'x' })).status).toBe(403)
    expect((await as('DELETE', `${path}/${board.id}`)).status).toBe(403)
    const label = (await as('POST', `/projects/${own.id}/labels`, { name: 'a', color: '#fff' }))
      .body
    const lists = `${path}/${board.id}/lists`
    expect((await as('POST', lists, { assignee_id: 1 })).status).toBe(403)
    expect((await as('POST', lists, {})).body).toEqual({ error: 'label_id is missing' })
    expect((await as('POST', lists, { label_id: label.id })).status).toBe(201)
    await community.close()
  })
})
