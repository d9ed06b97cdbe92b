import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HookFixture, startHookFixture } from '../../testing/fixtures/hook-fixture.ts'
import { unrecordedJob } from '../../testing/jobs.ts'
import { setSetting } from '../../testing/settings.ts'
import type { Json } from '../../testing/test-server.ts'
import { enqueueDeliveries } from './delivery/enqueue-deliveries.ts'
import { removeOldHookEventsJob } from './webhook.jobs.ts'

const signal = new AbortController().signal
const dayMs = 86_400_000

let fixture: HookFixture

beforeAll(async () => {
  fixture = await startHookFixture()
})
beforeEach(() => fixture.flush())
afterAll(() => fixture.close())

function deliveries(hook: Json) {
  return fixture.server.app.db.all('test.deliveries', { id: hook.id as number }, (db, $) =>
    db
      .selectFrom('webhookDeliveries')
      .select(['state', 'tries', 'responseStatus', 'error'])
      .where('webhookId', '=', $('id'))
      .orderBy('id'),
  )
}

describe('webhook delivery', () => {
  it('succeeds with any response, whatever its status', async () => {
    const { push, hook } = await fixture.buildProject()
    const made = await hook()
    fixture.receiver.answer = () => ({ status: 500 })
    await push('main:a')
    expect(await fixture.delivered()).toHaveLength(1)
    const done = { state: 'answered', tries: 1, responseStatus: 500, error: null }
    expect(await deliveries(made)).toEqual([done])
    fixture.server.advance(dayMs)
    expect(await fixture.delivered()).toEqual([])
  })

  it('is tried five times with growing delays when there is no response', async () => {
    const { push, hook } = await fixture.buildProject()
    const made = await hook()
    fixture.hang()
    await push('main:slow')
    expect(await fixture.delivered()).toHaveLength(1)
    expect(await deliveries(made)).toMatchObject([{ state: 'waiting', tries: 1, error: 'timeout' }])
    for (const seconds of [15, 30, 60, 120]) {
      fixture.server.advance((seconds - 2) * 1000)
      expect(await fixture.delivered()).toHaveLength(0)
      fixture.server.advance(2500)
      expect(await fixture.delivered()).toHaveLength(1)
    }
    const failed = { state: 'failed', tries: 5, responseStatus: null, error: 'timeout' }
    expect(await deliveries(made)).toEqual([failed])
    fixture.server.advance(dayMs)
    expect(await fixture.delivered()).toEqual([])
  })

  it('succeeds on a retry, with the same delivery id and body', async () => {
    const { push, hook } = await fixture.buildProject()
    const made = await hook()
    fixture.hang()
    fixture.receiver.answer = (count) => (count === 1 ? undefined : { status: 204 })
    await push('main:again')
    await fixture.server.runJobs()
    fixture.server.advance(20_000)
    await fixture.server.runJobs()
    const [first, second] = fixture.receiver.received
    expect(second?.body).toEqual(first?.body)
    expect(second?.headers['x-stithy-delivery']).toBe(first?.headers['x-stithy-delivery'])
    expect(await deliveries(made)).toMatchObject([{ state: 'answered', tries: 2, error: null }])
  })

  it('does not block other deliveries while one waits', async () => {
    const { push, hook } = await fixture.buildProject()
    for (const name of ['a', 'b', 'c', 'd']) await hook({ url: `${fixture.receiver.url}/${name}` })
    fixture.hang()
    await push('main:many')
    await fixture.server.runJobs()
    expect(fixture.receiver.received).toHaveLength(4)
    // More than the slots that all other jobs share.
    expect(fixture.receiver.maxConcurrent).toBeGreaterThan(2)
  })

  it('is made once to each of many hooks, though the event is stored again', async () => {
    const { project, hook } = await fixture.buildProject()
    const hookIds: number[] = []
    for (let at = 0; at < 60; at += 1) hookIds.push((await hook()).id)
    const event = { projectId: project.id as number, key: 'many', event: 'push', body: {}, hookIds }
    const small = { ...event, key: 'few', hookIds: hookIds.slice(0, 2) }
    await enqueueDeliveries(fixture.server.app, [event, small])
    await enqueueDeliveries(fixture.server.app, [event, small])
    expect(await fixture.delivered()).toHaveLength(62)
  })

  it('fails permanently when the address is not public', async () => {
    const { push, hook } = await fixture.buildProject()
    const made = await hook()
    const named = await hook({ url: fixture.receiver.url.replace('127.0.0.1', 'localhost') })
    fixture.server.app.config.allowLocalHooks = false
    try {
      await push('main:blocked')
      expect(await fixture.delivered()).toEqual([])
      const blocked = { state: 'failed', tries: 1, responseStatus: null, error: 'blocked address' }
      expect(await deliveries(made)).toEqual([blocked])
      expect(await deliveries(named)).toEqual([blocked])
    } finally {
      fixture.server.app.config.allowLocalHooks = true
    }
  })

  it('goes to local addresses while the setting allows it', async () => {
    const { push, hook } = await fixture.buildProject()
    await hook()
    const { server } = fixture
    const name = 'allow_local_requests_from_hooks_and_services'
    server.app.config.allowLocalHooks = false
    try {
      await push('main:refused')
      expect(await fixture.delivered()).toEqual([])
      await setSetting(server, name, true)
      expect(await hook()).toHaveProperty('id')
      await push('main:allowed')
      expect(await fixture.delivered()).toHaveLength(2)
      await setSetting(server, name, false)
      await expect(hook()).rejects.toThrow('Invalid url given')
    } finally {
      server.app.config.allowLocalHooks = true
    }
  })

  it('logs neither the token nor credentials', async () => {
    const { push, hook } = await fixture.buildProject()
    const url = 'http://someone:pass-word@127.0.0.1:1/hook'
    await hook({ url, token: 'never-to-be-seen' })
    await push('main:secret')
    await fixture.server.runJobs()
    const rows = await fixture.server.app.db.all('test.logs', {}, (db) =>
      db.selectFrom('jobs').select(['payload', 'lastError']),
    )
    const logged = await fixture.server.app.db.all('test.errors', {}, (db) =>
      db
        .selectFrom('webhookDeliveries')
        .select(['error', 'url', 'requestHeaders', 'responseHeaders', 'responseBody']),
    )
    expect(JSON.stringify(logged)).toContain('ECONNREFUSED')
    expect(JSON.stringify([rows, logged])).not.toMatch(/never-to-be-seen|pass-word/)
  })

  it('stores the token encrypted, for hooks of the same project alone', async () => {
    const { project, push, hook } = await fixture.buildProject()
    const { db, secrets } = fixture.server.app
    const { id } = await hook({ token: 'never-to-be-seen' })
    const stored = await db.first('test.token', { id }, (q, $) =>
      q.selectFrom('webhooks').where('id', '=', $('id')).select('token'),
    )
    expect(stored?.token).not.toContain('never-to-be-seen')
    const token = secrets.seal('never-to-be-seen', `token of project hook ${project.id + 1}`)
    await db.run('test.set-token', { id, token }, (q, $) =>
      q
        .updateTable('webhooks')
        .set({ token: $('token') })
        .where('id', '=', $('id')),
    )
    await push('main:unreadable')
    expect(await fixture.delivered()).toEqual([])
    expect(await deliveries({ id })).toMatchObject([
      { state: 'failed', error: 'token cannot be decrypted' },
    ])
  })

  it('is dropped when its hook or project is deleted', async () => {
    const { project, push, hook } = await fixture.buildProject()
    const made = await hook()
    fixture.hang()
    await push('main:dropped')
    await fixture.delivered()
    const path = `/projects/${project.id}/hooks/${made.id}`
    await fixture.server.inject('DELETE', path, { token: fixture.server.root.token })
    fixture.server.advance(20_000)
    expect(await fixture.delivered()).toEqual([])
    await hook()
    await push('main:dropped-too')
    await fixture.server.inject('DELETE', `/projects/${project.id}`, {
      token: fixture.server.root.token,
    })
    expect(await fixture.delivered()).toEqual([])
  })

  it('is logged for a month', async () => {
    const { push, hook } = await fixture.buildProject()
    const made = await hook()
    await push('main:old')
    await fixture.delivered()
    fixture.server.advance(29 * dayMs)
    await removeOldHookEventsJob.run(fixture.server.app, null, signal, unrecordedJob)
    expect(await deliveries(made)).toHaveLength(1)
    fixture.server.advance(2 * dayMs)
    await removeOldHookEventsJob.run(fixture.server.app, null, signal, unrecordedJob)
    expect(await deliveries(made)).toEqual([])
  })
})
