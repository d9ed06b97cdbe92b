import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - GET /audit_events (administrators), /groups/:id/audit_events, /projects/:id/audit_events (owners)
 * - filters `created_after`, `created_before`, `entity_type`, `entity_id`; paginated, newest first
 * - shape {id, author_id, entity_id, entity_type, details, created_at}
 * - events survive the deletion of what they are about; no secrets
 */

let server: TestServer
let owner: TestUser
let group: Json
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser()
  group = await server.buildGroup({}, owner)
  project = await server.buildProject({ namespace_id: group.id }, owner)
})
afterAll(() => server.close())

const get = (path: string, token = server.root.token) => callAs(server, 'GET', path, token)

describe('GET /audit_events', () => {
  it('has who did what to what, and from where', async () => {
    const { status, body } = await get(`/audit_events?entity_type=Project&entity_id=${project.id}`)
    expect([status, body]).toEqual([
      200,
      [
        {
          id: expect.any(Number),
          author_id: owner.id,
          entity_id: project.id,
          entity_type: 'Project',
          details: {
            add: 'project',
            author_name: owner.name,
            target_type: 'Project',
            target_id: project.id,
            target_details: project.path_with_namespace,
            entity_path: project.path_with_namespace,
            ip_address: '127.0.0.1',
          },
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        },
      ],
    ])
    const one = await get(`/audit_events/${body[0].id}`)
    expect([one.status, one.body]).toEqual([200, body[0]])
    expect((await get('/audit_events/999999')).body).toEqual({
      message: '404 Audit Event Not Found',
    })
  })

  it('filters by type, entity and time, newest first and in pages', async () => {
    const groups = (await get('/audit_events?entity_type=Group')).body
    expect(new Set(groups.map((event: Json) => event.entity_type))).toEqual(new Set(['Group']))
    const all = await get('/audit_events?per_page=100')
    const ids = all.body.map((event: Json) => event.id)
    expect(ids).toEqual(ids.toSorted((one: number, other: number) => other - one))
    const second = await get('/audit_events?per_page=2&page=2')
    expect(second.body.map((event: Json) => event.id)).toEqual(ids.slice(2, 4))
    expect(second.headers['x-total']).toBe(all.headers['x-total'])
    const at = all.body[0].created_at
    const since = (await get(`/audit_events?created_after=${at}`)).body
    expect(since.map((event: Json) => event.id)).toContain(ids[0])
    expect(since.every((event: Json) => event.created_at >= at)).toBe(true)
    expect((await get('/audit_events?created_after=2999-01-01')).body).toEqual([])
    expect((await get('/audit_events?created_before=2000-01-01')).body).toEqual([])
  })

  it('returns 400 for filters that make no sense', async () => {
    expect((await get('/audit_events?entity_id=1')).body).toEqual({
      error: 'entity_type is missing',
    })
    for (const query of [
      'entity_type=Issue',
      'created_after=soon',
      'entity_type=User&entity_id=0',
    ]) {
      expect((await get(`/audit_events?${query}`)).status).toBe(400)
    }
  })

  it('is for administrators', async () => {
    const [event] = (await get('/audit_events')).body
    for (const path of ['/audit_events', `/audit_events/${event.id}`]) {
      expect((await get(path, owner.token)).status).toBe(403)
      expect((await callAs(server, 'GET', path)).status).toBe(401)
    }
  })
})

describe('GET /groups/:id/audit_events and /projects/:id/audit_events', () => {
  it('list what was done to them alone, for owners', async () => {
    const maintainer = await server.buildUser()
    await server.addMember(`groups/${group.id}`, maintainer.id, 40)
    for (const [path, type, id] of [
      [`/groups/${group.id}/audit_events`, 'Group', group.id],
      [`/projects/${project.id}/audit_events`, 'Project', project.id],
    ]) {
      const { status, body } = await get(path, owner.token)
      expect(status).toBe(200)
      expect(body.length).toBeGreaterThan(0)
      for (const event of body) expect([event.entity_type, event.entity_id]).toEqual([type, id])
      expect((await get(`${path}/${body[0].id}`, owner.token)).body).toEqual(body[0])
      expect((await get(path, maintainer.token)).status).toBe(403)
      expect((await get(path, (await server.buildUser()).token)).status).toBe(404)
      const [foreign] = (await get('/audit_events?entity_type=User')).body
      expect((await get(`${path}/${foreign.id}`, owner.token)).status).toBe(404)
      expect((await get(`${path}?created_before=2000-01-01`, owner.token)).body).toEqual([])
    }
  })

  it('need the premium tier', async () => {
    const own = await buildTestServer({ tier: 'community' })
    try {
      const { id } = await own.buildGroup()
      const { token } = own.root
      expect((await callAs(own, 'GET', `/groups/${id}/audit_events`, token)).status).toBe(403)
      expect((await callAs(own, 'GET', '/audit_events', token)).status).toBe(200)
    } finally {
      await own.close()
    }
  })
})

describe('events', () => {
  it('outlive the deletion of projects, groups, users and their authors', async () => {
    const gone = await server.buildUser()
    const top = await server.buildGroup({}, gone)
    const below = await server.buildGroup({ parent_id: top.id }, gone)
    const inside = await server.buildProject({ namespace_id: below.id }, gone)
    expect((await callAs(server, 'DELETE', `/groups/${top.id}`, gone.token)).status).toBe(202)
    await callAs(server, 'DELETE', `/users/${gone.id}?hard_delete=true`, server.root.token)
    await server.runJobs()
    const removed = [
      ['Group', top.id, top.full_path, 'group', gone.id, gone.name],
      ['Group', below.id, below.full_path, 'group', gone.id, gone.name],
      ['Project', inside.id, inside.path_with_namespace, 'project', gone.id, gone.name],
      ['User', gone.id, gone.username, 'user', 1, 'Administrator'],
    ]
    for (const [type, id, path, remove, author_id, author_name] of removed) {
      const { body } = await get(`/audit_events?entity_type=${type}&entity_id=${id}`)
      expect(body.length).toBeGreaterThan(1)
      expect(body[0]).toMatchObject({
        author_id,
        details: { remove, author_name, entity_path: path, target_details: path },
      })
    }
  })

  it('name the administrator who acts as the author by sudo', async () => {
    const token = await server.buildToken(1, ['api', 'sudo'])
    const answer = await server.inject('POST', `/projects?sudo=${owner.username}`, {
      token,
      body: { name: 'by sudo' },
    })
    const [event] = (await get(`/projects/${answer.body.id}/audit_events`)).body
    expect(event).toMatchObject({
      author_id: owner.id,
      details: { author_name: owner.name, impersonated_by: 'root' },
    })
  })

  it('are not left by what is refused', async () => {
    const count = async () => (await get('/audit_events')).headers['x-total']
    const before = await count()
    const { token } = server.root
    expect((await callAs(server, 'POST', '/projects', token, { name: '-' })).status).toBe(400)
    const body = { user_id: owner.id, access_level: 20 }
    const again = await callAs(server, 'POST', `/groups/${group.id}/members`, token, body)
    expect(again.status).toBe(409)
    await callAs(server, 'PUT', `/projects/${project.id}`, token, { description: 'unaudited' })
    expect(await count()).toBe(before)
    await created(server, `/projects/${project.id}/hooks`, { url: 'https://a.example/x' })
    expect(await count()).toBe(String(Number(before) + 1))
  })
})
