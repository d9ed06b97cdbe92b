import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../testing/test-server.ts'
import { type HookWorld, startHookWorld } from '../../testing/worlds/hook-world.ts'
import { removeOldHookEventsJob } from './webhook.jobs.ts'

const signal = new AbortController().signal
const dayMs = 86_400_000

let world: HookWorld

beforeAll(async () => {
  world = await startHookWorld()
})
beforeEach(() => world.flush())
afterAll(() => world.close())

function deliveries(hook: Json) {
  return world.server.app.db.all('test.deliveries', { id: hook.id as number }, (db, $) =>
    db
      .selectFrom('webhookDeliveries')
      .select(['state', 'tries', 'responseStatus', 'error'])
      .where('webhookId', '=', $('id'))
      .orderBy('id'),
  )
}

describe('webhook delivery', () => {
  it('succeeds with any response, whatever its status', async () => {
    const { push, hook } = await world.buildProject()
    const made = await hook()
    world.receiver.answer = () => ({ status: 500 })
    await push('main:a')
    expect(await world.delivered()).toHaveLength(1)
    const done = { state: 'answered', tries: 1, responseStatus: 500, error: null }
    expect(await deliveries(made)).toEqual([done])
    world.server.advance(dayMs)
    expect(await world.delivered()).toEqual([])
  })

  it('is tried five times with growing delays when there is no response', async () => {
    const { push, hook } = await world.buildProject()
    const made = await hook()
    world.receiver.answer = () => undefined
    await push('main:slow')
    expect(await world.delivered()).toHaveLength(1)
    expect(await deliveries(made)).toMatchObject([{ state: 'waiting', tries: 1, error: 'timeout' }])
    for (const seconds of [15, 30, 60, 120]) {
      world.server.advance((seconds - 2) * 1000)
      expect(await world.delivered()).toHaveLength(0)
      world.server.advance(2500)
      expect(await world.delivered()).toHaveLength(1)
    }
    const failed = { state: 'failed', tries: 5, responseStatus: null, error: 'timeout' }
    expect(await deliveries(made)).toEqual([failed])
    world.server.advance(dayMs)
    expect(await world.delivered()).toEqual([])
  })

  it('succeeds on a retry, with the same delivery id and body', async () => {
    const { push, hook } = await world.buildProject()
    const made = await hook()
    world.receiver.answer = (count) => (count === 1 ? undefined : { status: 204 })
    await push('main:again')
    await world.server.runJobs()
    world.server.advance(20_000)
    await world.server.runJobs()
    const [first, second] = world.receiver.received
    expect(second?.body).toEqual(first?.body)
    expect(second?.headers['x-stithy-delivery']).toBe(first?.headers['x-stithy-delivery'])
    expect(await deliveries(made)).toMatchObject([{ state: 'answered', tries: 2, error: null }])
  })

  it('does not block other deliveries while one waits', async () => {
    const { push, hook } = await world.buildProject()
    for (const name of ['a', 'b', 'c', 'd']) await hook({ url: `${world.receiver.url}/${name}` })
    world.receiver.answer = () => undefined
    await push('main:many')
    await world.server.runJobs()
    expect(world.receiver.received).toHaveLength(4)
    // More than the slots that all other jobs share.
    expect(world.receiver.maxConcurrent).toBeGreaterThan(2)
  })

  it('fails permanently when the address is not public', async () => {
    const { push, hook } = await world.buildProject()
    const made = await hook()
    const named = await hook({ url: world.receiver.url.replace('127.0.0.1', 'localhost') })
    world.server.app.config.allowLocalHooks = false
    try {
      await push('main:blocked')
      expect(await world.delivered()).toEqual([])
      const blocked = { state: 'failed', tries: 1, responseStatus: null, error: 'blocked address' }
      expect(await deliveries(made)).toEqual([blocked])
      expect(await deliveries(named)).toEqual([blocked])
    } finally {
      world.server.app.config.allowLocalHooks = true
    }
  })

  it('logs neither the token nor credentials', async () => {
    const { push, hook } = await world.buildProject()
    const url = 'http://someone:pass-word@127.0.0.1:1/hook'
    await hook({ url, token: 'never-to-be-seen' })
    await push('main:secret')
    await world.server.runJobs()
    const rows = await world.server.app.db.all('test.logs', {}, (db) =>
      db.selectFrom('jobs').select(['payload', 'lastError']),
    )
    const logged = await world.server.app.db.all('test.errors', {}, (db) =>
      db.selectFrom('webhookDeliveries').select('error'),
    )
    expect(JSON.stringify(rows)).toContain('ECONNREFUSED')
    expect(JSON.stringify([rows, logged])).not.toMatch(/never-to-be-seen|pass-word/)
  })

  it('is dropped when its hook or project is deleted', async () => {
    const { project, push, hook } = await world.buildProject()
    const made = await hook()
    world.receiver.answer = () => undefined
    await push('main:dropped')
    await world.delivered()
    const path = `/projects/${project.id}/hooks/${made.id}`
    await world.server.inject('DELETE', path, { token: world.server.root.token })
    world.server.advance(20_000)
    expect(await world.delivered()).toEqual([])
    await hook()
    await push('main:dropped-too')
    await world.server.inject('DELETE', `/projects/${project.id}`, {
      token: world.server.root.token,
    })
    expect(await world.delivered()).toEqual([])
  })

  it('is logged for a month', async () => {
    const { push, hook } = await world.buildProject()
    const made = await hook()
    await push('main:old')
    await world.delivered()
    world.server.advance(29 * dayMs)
    await removeOldHookEventsJob.run(world.server.app, null, signal)
    expect(await deliveries(made)).toHaveLength(1)
    world.server.advance(2 * dayMs)
    await removeOldHookEventsJob.run(world.server.app, null, signal)
    expect(await deliveries(made)).toEqual([])
  })
})
