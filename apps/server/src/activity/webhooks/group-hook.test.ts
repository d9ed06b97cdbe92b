import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import { type HookFixture, startHookFixture } from '../../testing/fixtures/hook-fixture.ts'
import type { Json } from '../../testing/test-server.ts'

/*
 * What is covered: hooks of groups look like those of projects with `group_id`; owners and
 * administrators alone manage them; they fire for the projects of the group and its subgroups, once,
 * and for no others; they end with the group.
 */

let fixture: HookFixture
let owner: TestUser

beforeAll(async () => {
  fixture = await startHookFixture()
  owner = await fixture.server.buildUser()
})
beforeEach(() => fixture.flush())
afterAll(() => fixture.close())

const call = (method: string, path: string, body?: object, token = owner.token) =>
  fixture.server.inject(method, path, body === undefined ? { token } : { token, body })

async function build(groupId: number, body: object = {}): Promise<Json> {
  const values = { url: `${fixture.receiver.url}/group`, ...body }
  const answer = await call('POST', `/groups/${groupId}/hooks`, values)
  expect(answer.status).toBe(201)
  return answer.body
}

describe('POST, GET, PUT and DELETE /groups/:id/hooks', () => {
  it('manage hooks with group_id in place of project_id, and never show the token', async () => {
    const { server } = fixture
    const group = await server.buildGroup({}, owner)
    const hook = await build(group.id, { token: 'top secret', issues_events: true })
    expect(hook).toEqual({
      id: expect.any(Number),
      url: `${fixture.receiver.url}/group`,
      created_at: expect.stringMatching(/Z$/),
      group_id: group.id,
      push_events: true,
      tag_push_events: false,
      issues_events: true,
      confidential_issues_events: false,
      merge_requests_events: false,
      note_events: false,
      confidential_note_events: false,
      job_events: false,
      pipeline_events: false,
      wiki_page_events: false,
      push_events_branch_filter: null,
      enable_ssl_verification: true,
    })
    const path = `/groups/${group.id}/hooks`
    expect((await call('GET', path)).body).toEqual([hook])
    expect((await call('GET', `${path}/${hook.id}`)).body).toEqual(hook)
    const changes = { url: 'https://ci.example/2', push_events: false }
    const changed = await call('PUT', `${path}/${hook.id}`, changes)
    expect([changed.status, changed.body]).toEqual([200, { ...hook, ...changes }])
    expect((await call('DELETE', `${path}/${hook.id}`)).status).toBe(204)
    expect((await call('DELETE', `${path}/${hook.id}`)).status).toBe(404)
  })

  it('are for owners and administrators', async () => {
    const { server } = fixture
    const group = await server.buildGroup({ visibility: 'public' }, owner)
    const maintainer = await server.buildUser()
    await server.addMember(`groups/${group.id}`, maintainer.id, 40)
    const hook = await build(group.id)
    const { url } = hook
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '', { url }],
      ['GET', `/${hook.id}`, undefined],
      ['PUT', `/${hook.id}`, { url }],
      ['DELETE', `/${hook.id}`, undefined],
      ['POST', `/${hook.id}/test/push_events`, undefined],
      ['GET', `/${hook.id}/events`, undefined],
    ] as const) {
      const full = `/groups/${group.id}/hooks${path}`
      expect((await call(method, full, body, maintainer.token)).status).toBe(403)
    }
    const list = await call('GET', `/groups/${group.id}/hooks`, undefined, server.root.token)
    expect(list.status).toBe(200)
  })

  it('return 404 for a hook of another group, of a project, and of the instance', async () => {
    const { server } = fixture
    const one = await server.buildGroup({ visibility: 'public' }, owner)
    const two = await server.buildGroup({}, owner)
    const own = await build(two.id)
    const project = await fixture.buildProject({ namespace_id: one.id })
    const ofProject = await project.hook()
    const body = { url: 'https://ci.example' }
    const system = await call('POST', '/hooks', body, server.root.token)
    for (const { id } of [own, ofProject, system.body]) {
      expect((await call('GET', `/groups/${one.id}/hooks/${id}`)).status).toBe(404)
      expect((await call('DELETE', `/groups/${one.id}/hooks/${id}`)).status).toBe(404)
      expect((await call('PUT', `/groups/${one.id}/hooks/${id}`, body)).status).toBe(404)
    }
    const shown = await call('GET', `/projects/${project.project.id}/hooks/${own.id}`)
    expect(shown.status).toBe(404)
    await call('DELETE', `/hooks/${system.body.id}`, undefined, server.root.token)
  })
})

describe('hooks of groups', () => {
  it('receive the events of projects in the group and in its subgroups, once each', async () => {
    const { server } = fixture
    const top = await server.buildGroup({ visibility: 'public' }, owner)
    const below = await server.buildGroup({ parent_id: top.id, visibility: 'public' }, owner)
    const near = await server.buildGroup({ visibility: 'public' }, owner)
    const inTop = await fixture.buildProject({ namespace_id: top.id })
    const inBelow = await fixture.buildProject({ namespace_id: below.id })
    const inNear = await fixture.buildProject({ namespace_id: near.id })
    await build(top.id, { issues_events: true })
    await inBelow.hook({ url: `${fixture.receiver.url}/project` })
    for (const { push } of [inTop, inBelow, inNear]) await push('main:topic')
    await server.runJobs()
    const pushed = fixture.receiver.received
      .splice(0)
      .map(({ path, body }) => [path, body.project_id])
    expect(pushed.toSorted()).toEqual(
      [
        ['/group', inTop.project.id],
        ['/group', inBelow.project.id],
        ['/project', inBelow.project.id],
      ].toSorted(),
    )
    const issue = { title: 'Of the subgroup' }
    await call('POST', `/projects/${inBelow.project.id}/issues`, issue, server.root.token)
    const [delivered] = await fixture.delivered()
    expect(delivered).toMatchObject({ object_kind: 'issue', object_attributes: issue })
  })

  it('end with the group, and wait no longer', async () => {
    const { server } = fixture
    const group = await server.buildGroup({ visibility: 'public' }, owner)
    const { push } = await fixture.buildProject({ namespace_id: group.id })
    const hook = await build(group.id)
    fixture.hang()
    await push('main:topic')
    expect(await fixture.delivered()).toHaveLength(1)
    await call('DELETE', `/groups/${group.id}`)
    server.advance(20_000)
    expect(await fixture.delivered()).toEqual([])
    const left = await server.app.db.all('test.left', { id: hook.id as number }, (db, $) =>
      db.selectFrom('webhooks').select('id').where('id', '=', $('id')),
    )
    expect(left).toEqual([])
  })
})
