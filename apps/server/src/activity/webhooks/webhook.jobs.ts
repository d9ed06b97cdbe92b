import {
  type NamedRef,
  parseRef,
  patternMatcher,
  type WebhookEvent,
  webhookEvents,
} from '@stithy/core'
import {
  findListeningWebhooks,
  findProject,
  findUser,
  hasWebhookEvent,
  type ListeningHook,
  type ProjectRow,
  removeOldWebhookEvents,
} from '@stithy/store'
import type { RecordedPush } from '../../code/pushes/push.changes.ts'
import type { App } from '../../platform/app.ts'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import {
  type DeliveryPayload,
  deliverHookKind,
  type EventToDeliver,
  enqueueDeliveries,
} from './enqueue-deliveries.ts'
import { buildIssuePayload } from './payloads/issue-payload.ts'
import { buildMergeRequestPayload } from './payloads/merge-request-payload.ts'
import { buildNotePayload } from './payloads/note-payload.ts'
import { buildPipelinePayload } from './payloads/pipeline-payload.ts'
import { buildPushPayload, type PushedRef } from './payloads/push-payload.ts'
import { deliver } from './webhook-delivery.service.ts'
import { pushHooksKind, type QueuedHookEvent, webhookEventKind } from './webhook-events.ts'

/** Triggers hooks for the branches and tags of a push, each on its own. */
export const pushHooksJob: JobHandler = {
  kind: pushHooksKind,
  async run(app, payload, signal) {
    const push = payload as RecordedPush
    const project = await findProject(app.db, { id: push.projectId })
    if (project === undefined) return
    const hooks = {
      push: await findHooks(app, project.id, 'push', push.pushedAt),
      tag_push: await findHooks(app, project.id, 'tag_push', push.pushedAt),
    }
    if (hooks.push.length + hooks.tag_push.length === 0) return
    const user = await findUser(app.db, push.userId)
    for (const update of push.updates) {
      signal.throwIfAborted()
      const named = parseRef(update.ref)
      if (named === undefined) continue
      const event = named.type === 'tag' ? 'tag_push' : 'push'
      const hookIds = hooks[event].filter(listensTo(named)).map(({ id }) => id)
      const { key, defaultBranch, head, options } = push
      const pushed = { update, named, user, defaultBranch, head, options }
      const delivery = {
        projectId: project.id,
        key: `${key}:${update.ref}`,
        event,
        hookIds,
      } as const
      if (hookIds.length > 0) await enqueuePushDeliveries(app, project, pushed, delivery)
    }
  },
}

function listensTo({ type, name }: NamedRef): (hook: ListeningHook) => boolean {
  return ({ pushEventsBranchFilter: filter }) =>
    type === 'tag' || filter === null || patternMatcher(filter)(name)
}

async function enqueuePushDeliveries(
  app: App,
  project: ProjectRow,
  pushed: PushedRef,
  delivery: Omit<EventToDeliver, 'body'>,
): Promise<void> {
  // Saves git the work when an earlier run of this job got this far.
  if (await hasWebhookEvent(app.db, delivery.key)) return
  await enqueueDeliveries(app, { ...delivery, body: await buildPushPayload(app, project, pushed) })
}

function findHooks(
  app: App,
  projectId: number,
  event: WebhookEvent,
  at: number,
): Promise<ListeningHook[]> {
  return findListeningWebhooks(app.db, { projectId, listensTo: webhookEvents[event].switch, at })
}

/** Builds the body of an event that `enqueueHooks` stored, and enqueues its deliveries. */
export const hookEventJob: JobHandler = {
  kind: webhookEventKind,
  async run(app, payload, signal, job) {
    const queued = payload as QueuedHookEvent
    const { projectId, key, event, at } = queued
    const project = await findProject(app.db, { id: projectId })
    const hooks = project === undefined ? [] : await findHooks(app, projectId, event, at)
    if (project === undefined || hooks.length === 0) return
    const body = await buildBody(app, project, queued, signal)
    if (body === undefined) return
    const hookIds = hooks.map(({ id }) => id)
    await enqueueDeliveries(app, { projectId, key, event, body, hookIds }, job.complete)
  },
}

function buildBody(
  app: App,
  project: ProjectRow,
  queued: QueuedHookEvent,
  signal: AbortSignal,
): Promise<object | undefined> {
  switch (queued.event) {
    case 'issue':
    case 'confidential_issue':
      return buildIssuePayload(app, project, queued.source)
    case 'merge_request':
      return buildMergeRequestPayload(app, project, queued.source)
    case 'note':
    case 'confidential_note':
      return buildNotePayload(app, project, queued, signal)
    case 'pipeline':
      return buildPipelinePayload(app, project, queued.source)
  }
}

/** Makes one delivery. */
export const deliverHookJob: JobHandler = {
  kind: deliverHookKind,
  run: (app, payload, signal, job) =>
    deliver(app, (payload as DeliveryPayload).deliveryId, signal, job),
}

const retentionMs = 30 * 24 * 60 * 60_000
/** Events per transaction, so that other writers do not have to wait. */
const batch = 500

/** Deletes the log of events older than a month; scheduled once a day. */
export const removeOldHookEventsJob: JobHandler = {
  kind: 'webhooks.remove_old',
  async run(app, _, signal) {
    const cutoff = app.now() - retentionMs
    while (!signal.aborted) {
      const removed = await app.db.transaction((tx) =>
        removeOldWebhookEvents(tx, { cutoff, limit: batch }),
      )
      if (removed < batch) return
    }
  },
}
