import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../../testing/clients/calls.ts'
import {
  type SystemHookFixture,
  startSystemHookFixture,
} from '../../../testing/fixtures/system-hook-fixture.ts'
import { mustGit } from '../../../testing/git/git-client.ts'
import type { Json } from '../../../testing/test-server.ts'

/*
 * What is covered: administrators alone manage system hooks; a GET of one sends and returns a sample
 * `project_create`; pushes, tags, merge requests and updates of repositories by their settings; local
 * addresses are allowed; tests with real data.
 */

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
const dates = { created_at: time, updated_at: time }

let fixture: SystemHookFixture
let hook: Json

beforeAll(async () => {
  fixture = await startSystemHookFixture()
  hook = fixture.hook
})
beforeEach(() => fixture.flush())
afterAll(() => fixture.close())

const root: SystemHookFixture['root'] = (...request) => fixture.root(...request)
const happened = () => fixture.happened()

describe('GET, POST and DELETE /hooks', () => {
  it('manage hooks without showing their tokens', async () => {
    expect(hook).toEqual({
      id: expect.any(Number),
      url: `${fixture.receiver.url}/system`,
      created_at: time,
      push_events: false,
      tag_push_events: false,
      merge_requests_events: false,
      repository_update_events: false,
      enable_ssl_verification: true,
    })
    const made = await created(fixture.server, '/hooks', { url: 'http://127.0.0.1:1/' })
    expect(made.repository_update_events).toBe(true)
    expect((await root('GET', '/hooks')).body).toEqual([hook, made])
    const removed = await root('DELETE', `/hooks/${made.id}`)
    expect([removed.status, removed.text]).toEqual([204, ''])
    const again = await root('DELETE', `/hooks/${made.id}`)
    expect([again.status, again.body]).toEqual([404, { message: '404 System hook Not Found' }])
  })

  it('answer 400 for an address that is none', async () => {
    for (const url of ['ci.example', 'ftp://ci.example', 'http://a b', '']) {
      expect((await root('POST', '/hooks', { url })).status).toBe(400)
    }
    expect((await root('POST', '/hooks', {})).body).toEqual({ error: 'url is missing' })
  })

  it('are for administrators', async () => {
    const { token } = await fixture.server.buildUser()
    for (const [method, path] of [
      ['GET', '/hooks'],
      ['POST', '/hooks'],
      ['GET', `/hooks/${hook.id}`],
      ['POST', `/hooks/${hook.id}`],
      ['DELETE', `/hooks/${hook.id}`],
      ['POST', `/hooks/${hook.id}/test/push_events`],
      ['GET', `/hooks/${hook.id}/events`],
    ] as const) {
      const body = method === 'POST' && path === '/hooks' ? { url: 'http://ci.example' } : undefined
      expect((await callAs(fixture.server, method, path, token, body)).status).toBe(403)
    }
  })

  it('work with local addresses, whatever is allowed to others', async () => {
    fixture.server.app.config.allowLocalHooks = false
    try {
      const made = await created(fixture.server, '/hooks', { url: `${fixture.receiver.url}/local` })
      await fixture.server.buildUser()
      await fixture.server.runJobs()
      expect(fixture.receiver.received.map(({ path }) => path)).toContain('/local')
      await root('DELETE', `/hooks/${made.id}`)
    } finally {
      fixture.server.app.config.allowLocalHooks = true
    }
  })
})

describe('GET /hooks/:id', () => {
  it('sends a sample of project_create and returns it', async () => {
    const { status, body } = await root('GET', `/hooks/${hook.id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ event_name: 'project_create', name: 'Ruby', ...dates })
    expect(await happened()).toEqual([body])
    expect((await root('POST', `/hooks/${hook.id}`)).status).toBe(201)
    expect(await happened()).toHaveLength(1)
    const unknown = await root('GET', '/hooks/999999')
    expect([unknown.status, unknown.body.message]).toEqual([404, '404 System hook Not Found'])
  })
})

describe('system hooks for pushes and merge requests', () => {
  it('send push and tag_push without commits, and repository_update once, by their settings', async () => {
    const built = await fixture.buildProject()
    const { project, tree, push } = built
    const all = await created(fixture.server, '/hooks', {
      url: `${fixture.receiver.url}/all`,
      push_events: true,
      tag_push_events: true,
      merge_requests_events: true,
    })
    fixture.receiver.received.length = 0
    const head = await mustGit(tree, 'rev-parse', 'HEAD')
    await mustGit(tree, 'tag', 'v1')
    await push('main:topic', 'v1')
    const zero = '0'.repeat(40)
    const refs = ['refs/heads/topic', 'refs/tags/v1']
    const received = await happened()
    expect(received).toHaveLength(3)
    expect(received).toContainEqual({
      event_name: 'repository_update',
      ...dates,
      user_id: 1,
      user_name: expect.any(String),
      user_email: expect.any(String),
      user_avatar: null,
      project_id: project.id,
      project: expect.objectContaining({ path_with_namespace: project.path_with_namespace }),
      changes: refs.map((ref) => ({ before: zero, after: head, ref })),
      refs,
    })
    for (const [kind, ref] of [
      ['push', refs[0]],
      ['tag_push', refs[1]],
    ]) {
      const expected = { event_name: kind, object_kind: kind, ref, commits: [], after: head }
      expect(received).toContainEqual(expect.objectContaining(expected))
    }
    const own = await built.hook({ merge_requests_events: true })
    const request = { title: 'A request', source_branch: 'topic', target_branch: 'main' }
    await created(fixture.server, `/projects/${project.id}/merge_requests`, request)
    await fixture.server.runJobs()
    const headers = fixture.receiver.received.map(({ path, headers: sent, body }) => [
      path,
      sent['x-gitlab-event'],
      body.object_kind,
    ])
    expect(headers.toSorted()).toEqual([
      ['/all', 'System Hook', 'merge_request'],
      ['/hook', 'Merge Request Hook', 'merge_request'],
    ])
    for (const path of [`/projects/${project.id}/hooks/${own.id}`, `/hooks/${all.id}`]) {
      expect((await root('DELETE', path)).status).toBe(204)
    }
  })

  it('are tested with the data of the most recently active project', async () => {
    const { project } = await fixture.buildProject()
    const test = (trigger: string) => root('POST', `/hooks/${hook.id}/test/${trigger}`)
    const pushed = await test('push_events')
    expect(pushed.status).toBe(201)
    const { request_data: data, request_headers: headers } = pushed.body
    expect(data).toMatchObject({ event_name: 'push', project_id: project.id, commits: [] })
    expect(headers['X-Gitlab-Event']).toBe('System Hook')
    const updated = (await test('repository_update_events')).body
    expect(updated.trigger).toBe('repository_update_events')
    expect(updated.request_data).toMatchObject({ refs: ['refs/heads/main'] })
    expect((await test('issues_events')).status).toBe(400)
    fixture.receiver.received.length = 0
  })
})
