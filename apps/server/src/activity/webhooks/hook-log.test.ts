import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import {
  type HookedProject,
  type HookFixture,
  hookToken,
  startHookFixture,
} from '../../testing/fixtures/hook-fixture.ts'
import { mustGit } from '../../testing/git/git-client.ts'
import type { Json } from '../../testing/test-server.ts'

/*
 * What is covered: the log shows each delivery with what was sent and received, without secrets and
 * with the beginning of long bodies, newest first, for 30 days; a test sends real data of the
 * project for each trigger, 422 says what is missing, and is logged like every delivery.
 */

let fixture: HookFixture

beforeAll(async () => {
  fixture = await startHookFixture()
})
beforeEach(() => fixture.flush())
afterAll(() => fixture.close())

const call = (method: string, path: string) =>
  fixture.server.inject(method, path, { token: fixture.server.root.token })

const test = ({ project }: HookedProject, hook: Json, trigger: string) =>
  call('POST', `/projects/${project.id}/hooks/${hook.id}/test/${trigger}`)
const events = ({ project }: HookedProject, hook: Json, query = '') =>
  call('GET', `/projects/${project.id}/hooks/${hook.id}/events${query}`)

describe('GET /projects/:id/hooks/:hook_id/events', () => {
  it('shows what was sent and received', async () => {
    const built = await fixture.buildProject()
    const hook = await built.hook()
    fixture.receiver.answer = () => ({
      status: 418,
      headers: { 'x-kind': 'teapot', 'set-cookie': 'session=private' },
    })
    await built.push('main:topic')
    const [sent] = await fixture.delivered()
    const { status, body, text } = await events(built, hook)
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        id: expect.any(Number),
        trigger: 'push_events',
        url: hook.url,
        request_headers: {
          'content-type': 'application/json',
          'user-agent': expect.stringMatching(/^Stithy/),
          'X-Gitlab-Event': 'Push Hook',
          'X-Stithy-Event': 'Push Hook',
          'X-Stithy-Delivery': String(body[0].id),
          'X-Gitlab-Token': '[REDACTED]',
          'X-Stithy-Token': '[REDACTED]',
        },
        request_data: sent,
        response_status: 418,
        response_headers: expect.objectContaining({
          'x-kind': 'teapot',
          'set-cookie': '[REDACTED]',
        }),
        response_body: 'thank you',
        error: null,
        execution_duration: expect.any(Number),
        created_at: expect.stringMatching(/Z$/),
      },
    ])
    expect(text).not.toContain(hookToken)
    expect(text).not.toContain('session=private')
  })

  it('shows neither credentials of the URL nor those sent with them', async () => {
    const built = await fixture.buildProject()
    const url = fixture.receiver.url.replace('//', '//someone:pass-word@')
    const hook = await built.hook({ url })
    await built.push('main:topic')
    await fixture.delivered()
    const { body, text } = await events(built, hook)
    expect(body[0].url).toBe(`${fixture.receiver.url.replace('//', '//*****:*****@')}/`)
    expect(body[0].request_headers.authorization).toBe('[REDACTED]')
    expect(text).not.toContain('pass-word')
    expect(text).not.toContain(Buffer.from('someone:pass-word').toString('base64'))
  })

  it('cuts bodies of responses after 8 KiB, and leaves out long requests', async () => {
    const built = await fixture.buildProject()
    const hook = await built.hook({ push_events: false, issues_events: true })
    fixture.receiver.answer = () => ({ status: 200, body: 'x\0'.repeat(10_000) })
    const issue = { title: 'Long', description: 'y'.repeat(40_000) }
    await created(fixture.server, `/projects/${built.project.id}/issues`, issue)
    expect((await fixture.delivered())[0]?.object_attributes.description).toHaveLength(40_000)
    const [logged] = (await events(built, hook)).body
    expect(logged).toMatchObject({ trigger: 'issues_events', request_data: null })
    expect(logged.response_body).toBe('x\uFFFD'.repeat(4096))
  })

  it('shows the last attempt of each delivery, the newest first, in pages', async () => {
    const built = await fixture.buildProject()
    const hook = await built.hook()
    fixture.hang()
    fixture.receiver.answer = (count) => (count === 1 ? undefined : { status: 204 })
    await built.push('main:one')
    await fixture.server.runJobs()
    const [first] = (await events(built, hook)).body
    expect(first).toMatchObject({
      response_status: null,
      response_body: null,
      response_headers: {},
      error: 'timeout',
    })
    fixture.server.advance(20_000)
    await fixture.server.runJobs()
    await built.push('main:two')
    await fixture.server.runJobs()
    const all = await events(built, hook)
    expect(all.headers['x-total']).toBe('2')
    expect(all.body.map(({ request_data }: Json) => request_data.ref)).toEqual([
      'refs/heads/two',
      'refs/heads/one',
    ])
    expect(all.body[1]).toMatchObject({ id: first.id, response_status: 204, error: null })
    const second = await events(built, hook, '?per_page=1&page=2')
    expect(second.body).toEqual([all.body[1]])
  })

  it('returns 404 for an unknown hook', async () => {
    const built = await fixture.buildProject()
    expect((await events(built, { id: 999_999 })).status).toBe(404)
  })
})

describe('POST /projects/:id/hooks/:hook_id/test/:trigger', () => {
  it('returns 422 with a sentence where there is nothing to send', async () => {
    const empty = await fixture.server.buildProject()
    const hook = await created(fixture.server, `/projects/${empty.id}/hooks`, {
      url: fixture.receiver.url,
    })
    for (const [trigger, sentence] of [
      ['push_events', 'There is no commit on a default branch to send.'],
      ['tag_push_events', 'There is no tag to send.'],
      ['issues_events', 'There is no issue to send.'],
      ['confidential_issues_events', 'There is no confidential issue to send.'],
      ['merge_requests_events', 'There is no merge request to send.'],
      ['note_events', 'There is no recent comment to send.'],
      ['confidential_note_events', 'There is no recent comment on a confidential issue to send.'],
      ['pipeline_events', 'There is no pipeline to send.'],
      ['job_events', 'There is no job to send.'],
      ['wiki_page_events', 'There is no wiki page to send.'],
    ]) {
      const answer = await call('POST', `/projects/${empty.id}/hooks/${hook.id}/test/${trigger}`)
      expect([answer.status, answer.body]).toEqual([422, { message: sentence }])
    }
    const unknown = await call('POST', `/projects/${empty.id}/hooks/${hook.id}/test/everything`)
    expect(unknown.status).toBe(400)
    expect(fixture.receiver.received).toEqual([])
  })

  it('sends the newest commit and the newest tag, and logs the delivery', async () => {
    const built = await fixture.buildProject()
    const hook = await built.hook({ push_events: false })
    await mustGit(built.tree, 'tag', 'v1')
    await built.push('v1')
    await fixture.server.runJobs()
    const pushed = await test(built, hook, 'push_events')
    expect(pushed.status).toBe(201)
    expect(pushed.body).toMatchObject({
      trigger: 'push_events',
      response_status: 200,
      response_body: 'thank you',
      request_data: { object_kind: 'push', ref: 'refs/heads/main', user_username: 'root' },
    })
    expect(pushed.body.request_data.commits).toHaveLength(1)
    const tag = await test(built, hook, 'tag_push_events')
    expect(tag.body.request_data).toMatchObject({ object_kind: 'tag_push', ref: 'refs/tags/v1' })
    expect(fixture.receiver.received.map(({ body }) => body)).toEqual([
      pushed.body.request_data,
      tag.body.request_data,
    ])
    expect(fixture.receiver.received[0]?.headers['x-gitlab-event']).toBe('Push Hook')
    expect((await events(built, hook)).body).toEqual([tag.body, pushed.body])
    // It is never repeated.
    fixture.server.advance(86_400_000)
    fixture.receiver.received.length = 0
    expect(await fixture.delivered()).toEqual([])
  })

  it('sends the newest issue, comment, merge request and pipeline', async () => {
    const built = await fixture.buildProject()
    const { server } = fixture
    const base = `/projects/${built.project.id}`
    const hook = await built.hook()
    const open = await created(server, `${base}/issues`, { title: 'Open' })
    const hidden = { title: 'Hidden', confidential: true }
    const secret = await created(server, `${base}/issues`, hidden)
    await created(server, `${base}/issues/${open.iid}/notes`, { body: 'Seen' })
    await created(server, `${base}/issues/${secret.iid}/notes`, { body: 'Unseen' })
    await built.push('main:topic')
    await server.runJobs()
    const head = await mustGit(built.tree, 'rev-parse', 'HEAD')
    await created(server, `${base}/statuses/${head}`, { state: 'running' })
    const request = { title: 'Request', source_branch: 'topic', target_branch: 'main' }
    await created(server, `${base}/merge_requests`, request)
    for (const [trigger, kind, attributes] of [
      ['issues_events', 'issue', { title: 'Open', action: 'open' }],
      ['confidential_issues_events', 'issue', { title: 'Hidden', action: 'open' }],
      ['note_events', 'note', { note: 'Seen' }],
      ['confidential_note_events', 'note', { note: 'Unseen' }],
      ['merge_requests_events', 'merge_request', { title: 'Request', action: 'open' }],
      ['pipeline_events', 'pipeline', { sha: head }],
    ] as const) {
      const { status, body } = await test(built, hook, trigger)
      expect([trigger, status]).toEqual([trigger, 201])
      expect(body.trigger).toBe(trigger)
      expect(body.request_data).toMatchObject({ object_kind: kind, object_attributes: attributes })
    }
  })

  it('is 201 with the reason when the receiver does not respond', async () => {
    const built = await fixture.buildProject()
    const hook = await built.hook()
    fixture.hang()
    const silent = await test(built, hook, 'push_events')
    expect([silent.status, silent.body.response_status, silent.body.error]).toEqual([
      201,
      null,
      'timeout',
    ])
  })

  it('is 429 while the same hook is being tested', async () => {
    const built = await fixture.buildProject()
    const hook = await built.hook()
    fixture.hang()
    const answers = await Promise.all([
      test(built, hook, 'push_events'),
      test(built, hook, 'push_events'),
    ])
    const sorted = answers.map(({ status }) => status).toSorted()
    expect(sorted).toEqual([201, 429])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers['retry-after']).toBe('1')
  })

  it('takes the data of a group from one of its projects', async () => {
    const { server } = fixture
    const group = await server.buildGroup({ visibility: 'public' })
    const path = `/groups/${group.id}/hooks`
    const hook = await created(server, path, { url: fixture.receiver.url })
    const nothing = await call('POST', `${path}/${hook.id}/test/push_events`)
    expect([nothing.status, nothing.body.message]).toEqual([
      422,
      'There is no commit on a default branch to send.',
    ])
    const below = await server.buildGroup({ parent_id: group.id, visibility: 'public' })
    const { project } = await fixture.buildProject({ namespace_id: below.id })
    await server.buildProject({ namespace_id: below.id })
    const answer = await call('POST', `${path}/${hook.id}/test/push_events`)
    expect(answer.body.request_data.project_id).toBe(project.id)
    const log = await call('GET', `${path}/${hook.id}/events`)
    expect(log.body[0]).toEqual(answer.body)
  })
})
