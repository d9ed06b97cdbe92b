import { randomUUID } from 'node:crypto'
import {
  DomainError,
  type HookEvent,
  type SystemHookTrigger,
  type WebhookTrigger,
} from '@stithy/core'
import {
  findDelivery,
  type HookOwner,
  insertWebhookDelivery,
  insertWebhookEvent,
  jsonText,
  listSampleProjects,
  lockDeliveringHook,
  saveDeliveryOutcome,
  setHookHealth,
  type WebhookRow,
} from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { enqueueDeliveries } from '../delivery/enqueue-deliveries.ts'
import { healthAfter, isSuccess } from '../delivery/hook-health.ts'
import { wakeLane } from '../delivery/lane.ts'
import { send } from '../delivery/send.ts'
import { sampleProjectEvent } from '../system/system-events.ts'
import { withoutCommits } from '../system/without-commits.ts'
import { presentHookEvent } from '../webhook.presenter.ts'
import { requireHook } from '../webhook.service.ts'
import {
  buildSample,
  nothingToSend,
  type SampleEvent,
  type SampleRequest,
} from './sample-events.ts'

/** Tests that may wait for a receiver at the same time, in this process. */
const maxTests = 8
/** Projects that are looked at for something to send. */
const maxProjects = 10

/** The hooks that are being tested. */
const running = new WeakMap<App, Set<number>>()

/** Which hook is tested with which event, and by whom. */
export interface TestRequest {
  caller: Caller
  params: { hook_id: number; trigger: WebhookTrigger | SystemHookTrigger }
  signal: () => AbortSignal
}

/**
 * Sends an event made of real data to a hook, and waits for the response. It is logged like every
 * delivery, and never repeated; a success enables a hook that was paused or disabled.
 * @throws DomainError `not_found`, `unprocessable` when there is nothing to make the event of,
 *   `too_many_requests` while the hook, or too many others, are being tested
 */
export async function testHook(app: App, owner: HookOwner, call: TestRequest): Promise<HookEvent> {
  const { caller, params } = call
  const hook = await requireHook(app.db, owner, params.hook_id)
  const tested = running.get(app) ?? new Set()
  running.set(app, tested)
  if (tested.has(hook.id) || tested.size >= maxTests) {
    const message = 'Other webhooks are being tested. Try again later.'
    throw new DomainError('too_many_requests', { message, retryAfter: 1 })
  }
  tested.add(hook.id)
  try {
    const { trigger } = params
    const signal = call.signal()
    const sample = await findSample(app, owner, { trigger, userId: caller.facts.userId, signal })
    return await sendOnce(app, hook, sample, signal)
  } finally {
    tested.delete(hook.id)
  }
}

/** The first event that one of the projects of a hook has the data for. */
async function findSample(
  app: App,
  owner: HookOwner,
  request: Omit<SampleRequest, 'projectId'>,
): Promise<SampleEvent> {
  for (const projectId of await listSampleProjects(app.db, owner, maxProjects)) {
    const sample = await buildSample(app, { ...request, projectId })
    if (sample !== undefined) return owner.kind === 'system' ? withoutCommits(sample) : sample
  }
  throw nothingToSend(request.trigger)
}

async function sendOnce(
  app: App,
  hook: WebhookRow,
  { projectId, event, body }: SampleEvent,
  signal: AbortSignal,
): Promise<HookEvent> {
  const payload = jsonText(body)
  const stored = { projectId, key: `test:${randomUUID()}`, event, payload, now: app.now() }
  const id = await app.db.transaction(async (tx) => {
    const eventId = await insertWebhookEvent(tx, stored)
    if (eventId === undefined) throw new TypeError('A random key exists')
    const { now } = stored
    return insertWebhookDelivery(tx, { eventId, webhookId: hook.id, now, dueAt: null })
  })
  const { log } = await send(app, hook, { id, event, payload }, signal)
  const now = app.now()
  const state = log.responseStatus === null ? 'failed' : 'answered'
  await app.db.transaction(async (tx) => {
    await saveDeliveryOutcome(tx, { ...log, id, state, dueAt: null, finishedAt: now })
    if (!isSuccess(log.responseStatus)) return
    const current = await lockDeliveringHook(tx, hook.id)
    if (current === undefined) return
    await setHookHealth(tx, { id: hook.id, ...healthAfter(current, log.responseStatus, now) })
    if (current.nextDeliveryAt !== null) await wakeLane(app, tx, hook.id)
  })
  const logged = await findDelivery(app.db, id)
  if (logged === undefined) throw new DomainError('not_found')
  return presentHookEvent(logged)
}

/** Delivers a made-up `project_create` to a system hook later, and returns its body. */
export async function sendSampleEvent(app: App, hook: WebhookRow) {
  const body = sampleProjectEvent(app.now())
  const key = `sample:${randomUUID()}`
  const event = { projectId: null, key, event: body.event_name, body, hookIds: [hook.id] }
  await enqueueDeliveries(app, [event])
  return body
}
