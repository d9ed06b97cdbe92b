import { findDeliveringHook } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { jobHandlers } from '../../app/job-handlers.ts'
import { startWorker } from '../../platform/jobs/worker.ts'
import { type HookReceiver, startHookReceiver } from '../../testing/clients/hook-receiver.ts'
import { type HookFixture, startHookFixture } from '../../testing/fixtures/hook-fixture.ts'
import { unrecordedJob } from '../../testing/jobs.ts'
import type { Json } from '../../testing/test-server.ts'
import { deliverToHook } from './delivery/deliver.service.ts'
import { enqueueDeliveries } from './delivery/enqueue-deliveries.ts'
import { resumeHooksJob } from './webhook.jobs.ts'

/*
 * What is covered: a hook that hangs takes one slot, and a host that hangs half of them, however
 * many deliveries wait; many hosts that hang keep none of them; others are delivered meanwhile; a
 * busy process makes no host slow; a lost job is replaced.
 */

const signal = new AbortController().signal

let fixture: HookFixture
let healthy: HookReceiver

beforeAll(async () => {
  fixture = await startHookFixture()
  healthy = await startHookReceiver()
})
beforeEach(() => fixture.flush())
afterAll(async () => {
  await healthy.close()
  await fixture.close()
})

async function enqueue(hooks: readonly Json[], count: number, name: string): Promise<void> {
  const hookIds = hooks.map(({ id }) => id as number)
  const events = Array.from({ length: count }, (_, at) => ({
    projectId: null,
    key: `${name} ${at}`,
    event: 'push',
    body: { name, at },
    hookIds,
  }))
  await enqueueDeliveries(fixture.server.app, events)
}

async function expectReceived({ received }: HookReceiver, count: number): Promise<void> {
  await expect.poll(() => received.length).toBe(count)
}

describe('deliveries to hooks that hang', () => {
  it('do not keep others waiting', async () => {
    const { hook } = await fixture.buildProject()
    const hanging: Json[] = []
    for (let at = 0; at < 12; at += 1) {
      hanging.push(await hook({ url: `${fixture.receiver.url}/${at}` }))
    }
    const well = await hook({ url: healthy.url })
    fixture.receiver.answer = () => undefined
    await enqueue(hanging, 50, 'hanging')
    await enqueue([well], 20, 'well')
    const worker = startWorker(fixture.server.app, { handlers: jobHandlers })
    try {
      await expectReceived(healthy, 20)
      // Four of the eight slots, and the four of hosts that are slow; four deliveries in each.
      await expectReceived(fixture.receiver, 32)
      const again = await startHookReceiver()
      const other = await hook({ url: again.url })
      await enqueue([other], 1, 'other')
      worker.wake()
      await expectReceived(again, 1)
      await again.close()
      expect(fixture.receiver.received).toHaveLength(32)
    } finally {
      await worker.stop()
    }
  })

  it('do not keep others waiting when there are more hosts than may wait', async () => {
    const { hook } = await fixture.buildProject()
    const well = await hook({ url: healthy.url })
    healthy.received.length = 0
    const hanging = await Promise.all(Array.from({ length: 80 }, () => startHookReceiver()))
    const { config } = fixture.server.app
    const timeout = config.webhookTimeoutMs
    config.webhookTimeoutMs = 60_000
    const worker = startWorker(fixture.server.app, { handlers: jobHandlers })
    try {
      for (const receiver of hanging) {
        receiver.answer = () => undefined
        await enqueue([await hook({ url: receiver.url })], 1, `hanging at ${receiver.url}`)
      }
      await enqueue([well], 8, 'well beside many')
      worker.wake()
      await expectReceived(healthy, 8)
    } finally {
      await worker.stop()
      config.webhookTimeoutMs = timeout
      for (const receiver of hanging) receiver.answer = () => ({ status: 200 })
    }
    await fixture.server.runJobs()
    fixture.server.advance(120_000)
    await fixture.server.runJobs()
    // Those that were interrupted are made again.
    for (const { received } of hanging) expect(received.length).toBeGreaterThan(1)
    await Promise.all(hanging.map((receiver) => receiver.close()))
  })

  it('do not include those that are answered while this process is busy', async () => {
    const { app, root, inject } = fixture.server
    const { project, hook } = await fixture.buildProject()
    const { id } = await hook({ url: healthy.url })
    healthy.answer = () => {
      // For longer than a job may hold its slot.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700)
      return { status: 200 }
    }
    await enqueue([{ id }], 1, 'busy')
    const { lane = 0 } = (await findDeliveringHook(app.db, id)) ?? {}
    const job = { ...unrecordedJob, leaveSlot: () => false }
    await deliverToHook(app, { webhookId: id, lane, slow: false }, signal, job)
    healthy.answer = () => ({ status: 200 })
    const { body } = await inject('GET', `/projects/${project.id}/hooks/${id}/events`, root)
    expect(body).toMatchObject([{ response_status: 200 }])
  })

  it('have one job per hook, whatever happens while it runs', async () => {
    const { hook } = await fixture.buildProject()
    const hanging = await hook()
    const well = await hook({ url: healthy.url })
    healthy.received.length = 0
    fixture.receiver.answer = () => undefined
    const worker = startWorker(fixture.server.app, { handlers: jobHandlers })
    try {
      await enqueue([hanging], 1, 'first')
      worker.wake()
      await expectReceived(fixture.receiver, 1)
      await enqueue([hanging], 8, 'later')
      await enqueue([well], 8, 'meanwhile')
      worker.wake()
      await expectReceived(healthy, 8)
      expect(fixture.receiver.received).toHaveLength(1)
    } finally {
      await worker.stop()
    }
    fixture.receiver.answer = () => ({ status: 200 })
    fixture.receiver.received.length = 0
    // The first one was interrupted, which is no attempt.
    expect(await fixture.delivered()).toHaveLength(9)
  })

  it('are all made, each once, while more events come and jobs end', async () => {
    const { hook } = await fixture.buildProject()
    const hooks = [await hook({ url: healthy.url }), await hook({ url: healthy.url })]
    healthy.received.length = 0
    const worker = startWorker(fixture.server.app, { handlers: jobHandlers })
    fixture.server.app.db.onJobs(worker.wake)
    try {
      for (let round = 0; round < 10; round += 1) {
        const names = Array.from({ length: 8 }, (_, at) => `race ${round} ${at}`)
        await Promise.all(names.map((name) => enqueue(hooks, 1, name)))
      }
      await expectReceived(healthy, 160)
    } finally {
      await worker.stop()
    }
    expect(new Set(healthy.received.map(({ headers }) => headers['x-stithy-delivery'])).size).toBe(
      160,
    )
  })

  it('are made again by another job when theirs was lost', async () => {
    const { hook } = await fixture.buildProject()
    const made = await hook({ url: healthy.url })
    await enqueue([made], 1, 'lost')
    await fixture.server.app.db.run('test.lose', {}, (db) => db.deleteFrom('jobs'))
    healthy.received.length = 0
    await fixture.server.runJobs()
    expect(healthy.received).toEqual([])
    await resumeHooksJob.run(fixture.server.app, null, signal, unrecordedJob)
    await fixture.server.runJobs()
    expect(healthy.received).toEqual([])
    fixture.server.advance(7 * 3_600_000)
    await resumeHooksJob.run(fixture.server.app, null, signal, unrecordedJob)
    await fixture.server.runJobs()
    expect(healthy.received).toHaveLength(1)
  })
})
