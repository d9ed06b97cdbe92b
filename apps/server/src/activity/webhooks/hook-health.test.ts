import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HookFixture, startHookFixture } from '../../testing/fixtures/hook-fixture.ts'
import type { Json } from '../../testing/test-server.ts'
import { healthAfter, healthy } from './delivery/hook-health.ts'

/*
 * What is covered: after failures in a row a hook is paused for growing times, then disabled until
 * it is edited or tested with success; nothing is lost by a pause of less than a day.
 */

const minute = 60_000
const day = 86_400_000

let fixture: HookFixture

beforeAll(async () => {
  fixture = await startHookFixture()
})
beforeEach(() => fixture.flush())
afterAll(() => fixture.close())

async function healthOf(hook: Json) {
  return fixture.server.app.db.first('test.health', { id: hook.id as number }, (db, $) =>
    db
      .selectFrom('webhooks')
      .select(['failures', 'pausedUntil', 'disabledAt', 'nextDeliveryAt'])
      .where('id', '=', $('id')),
  )
}

/** Sets how often a hook has failed in a row. */
async function setFailures(hook: Json, failures: number) {
  await fixture.server.app.db.run('test.fail', { id: hook.id as number, failures }, (db, $) =>
    db
      .updateTable('webhooks')
      .set({ failures: $('failures') })
      .where('id', '=', $('id')),
  )
}

const call = (method: string, path: string, body?: object) => {
  const { token } = fixture.server.root
  return fixture.server.inject(method, path, body === undefined ? { token } : { token, body })
}

describe('healthAfter', () => {
  it('pauses from the fourth failure on, twice as long each time, and disables at the 20th', () => {
    let health = healthy
    const pauses: (number | null)[] = []
    for (let failure = 1; failure <= 20; failure += 1) {
      health = healthAfter(health, failure % 2 === 0 ? null : 500, 0)
      pauses.push(health.pausedUntil === null ? null : health.pausedUntil / minute)
    }
    expect(pauses.slice(0, 8)).toEqual([null, null, null, 1, 2, 4, 8, 16])
    expect(pauses.slice(13, 19)).toEqual([1024, 1440, 1440, 1440, 1440, 1440])
    expect(health).toEqual({ failures: 20, pausedUntil: null, disabledAt: 0 })
  })

  it('counts no response, 4xx and 5xx as failures, and everything else as success', () => {
    const failing = { failures: 3, pausedUntil: null, disabledAt: null }
    for (const status of [null, 400, 404, 410, 429, 500, 503]) {
      expect(healthAfter(failing, status, 0).failures).toBe(4)
    }
    for (const status of [200, 204, 304, 307]) expect(healthAfter(failing, status, 0)).toBe(healthy)
  })
})

describe('a hook that fails', () => {
  it('is paused, and gets what happened meanwhile in order once it works', async () => {
    const { push, hook } = await fixture.buildProject()
    const made = await hook()
    await setFailures(made, 3)
    fixture.receiver.answer = () => ({ status: 503 })
    await push('main:a')
    expect(await fixture.delivered()).toHaveLength(1)
    expect(await healthOf(made)).toMatchObject({ failures: 4, nextDeliveryAt: null })
    // The jobs of two pushes run at the same time otherwise, and either can be first.
    for (const ref of ['main:b', 'main:c']) {
      await push(ref)
      expect(await fixture.delivered()).toEqual([])
    }
    fixture.server.advance(minute)
    // The first one fails again, so the pause is longer, and the other waits.
    expect(await fixture.delivered()).toMatchObject([{ ref: 'refs/heads/b' }])
    fixture.receiver.answer = () => ({ status: 200 })
    fixture.server.advance(minute)
    expect(await fixture.delivered()).toEqual([])
    fixture.server.advance(minute)
    expect(await fixture.delivered()).toMatchObject([{ ref: 'refs/heads/c' }])
    expect(await healthOf(made)).toEqual({ ...healthy, nextDeliveryAt: null })
  })

  it('loses what waited for more than a day', async () => {
    const { push, hook } = await fixture.buildProject()
    const made = await hook()
    await setFailures(made, 14)
    fixture.receiver.answer = () => ({ status: 503 })
    await push('main:a')
    await fixture.delivered()
    // The jobs of two pushes run at the same time otherwise, and either can be first.
    for (const ref of ['main:b', 'main:c']) {
      await push(ref)
      expect(await fixture.delivered()).toEqual([])
    }
    fixture.server.advance(day + minute)
    // One is tried, which fails, and the others are too old.
    expect(await fixture.delivered()).toHaveLength(1)
    expect(await healthOf(made)).toMatchObject({ failures: 16, nextDeliveryAt: null })
  })

  it('is disabled after the 20th failure, and enabled when it is edited', async () => {
    const { project, push, hook } = await fixture.buildProject()
    const made = await hook()
    await setFailures(made, 19)
    fixture.hang()
    await push('main:a')
    expect(await fixture.delivered()).toHaveLength(1)
    expect(await healthOf(made)).toMatchObject({ failures: 20, disabledAt: expect.any(Number) })
    await push('main:b')
    fixture.server.advance(2 * day)
    expect(await fixture.delivered()).toEqual([])
    expect((await healthOf(made))?.nextDeliveryAt).toBeNull()
    const path = `/projects/${project.id}/hooks/${made.id}`
    expect((await call('PUT', path, { url: made.url })).status).toBe(200)
    expect(await healthOf(made)).toMatchObject(healthy)
    await fixture.flush()
    await push('main:c')
    expect(await fixture.delivered()).toMatchObject([{ ref: 'refs/heads/c' }])
  })

  it('is enabled by a test that succeeds, and not by one that fails', async () => {
    const { project, hook } = await fixture.buildProject()
    const made = await hook()
    await setFailures(made, 19)
    const path = `/projects/${project.id}/hooks/${made.id}/test/push_events`
    fixture.receiver.answer = () => ({ status: 500 })
    expect((await call('POST', path)).status).toBe(201)
    expect(await healthOf(made)).toMatchObject({ failures: 19, disabledAt: null })
    fixture.receiver.answer = () => ({ status: 200 })
    expect((await call('POST', path)).status).toBe(201)
    expect(await healthOf(made)).toMatchObject(healthy)
  })

  it('resumes at once when it is edited during a pause', async () => {
    const { project, push, hook } = await fixture.buildProject()
    const made = await hook()
    await setFailures(made, 9)
    fixture.receiver.answer = () => ({ status: 500 })
    await push('main:a')
    await fixture.delivered()
    await push('main:b')
    expect(await fixture.delivered()).toEqual([])
    fixture.receiver.answer = () => ({ status: 200 })
    await call('PUT', `/projects/${project.id}/hooks/${made.id}`, { url: made.url })
    expect(await fixture.delivered()).toMatchObject([{ ref: 'refs/heads/b' }])
    fixture.server.advance(day)
    expect(await fixture.delivered()).toEqual([])
  })
})
