import { type NamedRef, parseRef, patternMatcher, webhookEvents } from '@stithy/core'
import {
  findListeningWebhooks,
  findProject,
  findSystemWebhooks,
  findUser,
  hasWebhookEvent,
  type ListeningHook,
  listLateHooks,
  lockDeliveringHook,
  type ProjectRow,
  removeOldWebhookEvents,
  type UserRow,
} from '@stithy/store'
import type { RecordedPush } from '../../code/pushes/push.changes.ts'
import type { App } from '../../platform/app.ts'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { deliverToHook } from './delivery/deliver.service.ts'
import { type EventToDeliver, enqueueDeliveries } from './delivery/enqueue-deliveries.ts'
import { deliverHookKind, type LanePayload, startLane } from './delivery/lane.ts'
import { buildIssuePayload } from './payloads/issue-payload.ts'
import { buildMergeRequestPayload } from './payloads/merge-request-payload.ts'
import { buildNotePayload } from './payloads/note-payload.ts'
import { buildPipelinePayload } from './payloads/pipeline-payload.ts'
import { buildPushPayload, type PushedRef } from './payloads/push-payload.ts'
import { buildRepositoryUpdate } from './payloads/repository-update-payload.ts'
import { buildWikiPagePayload } from './payloads/wiki-page-payload.ts'
import { type SystemEventsPayload, systemEventsKind } from './system/system-events.ts'
import { withoutCommits } from './system/without-commits.ts'
import { pushHooksKind, type QueuedHookEvent, webhookEventKind } from './webhook-events.ts'

/**
 * Triggers hooks for the branches and tags of a push, each on its own, and those for updates of the
 * repository once.
 */
export const pushHooksJob: JobHandler = {
  kind: pushHooksKind,
  async run(app, payload, signal) {
    const push = payload as RecordedPush
    const project = await findProject(app.db, { id: push.projectId })
    if (project === undefined) return
    const find = (listensTo: Parameters<typeof findListeningWebhooks>[1]['listensTo']) =>
      findListeningWebhooks(app.db, { projectId: project.id, listensTo, at: push.pushedAt })
    const hooks = { push: await find('push_events'), tag_push: await find('tag_push_events') }
    const updateHooks = await find('repository_update_events')
    if (hooks.push.length + hooks.tag_push.length + updateHooks.length === 0) return
    const user = await findUser(app.db, push.userId)
    for (const update of push.updates) {
      signal.throwIfAborted()
      const named = parseRef(update.ref)
      if (named === undefined) continue
      const listening = hooks[named.type === 'tag' ? 'tag_push' : 'push'].filter(listensTo(named))
      const { defaultBranch, head, options } = push
      const pushed = { update, named, user, defaultBranch, head, options }
      if (listening.length > 0) await deliverPush(app, project, pushed, push.key, listening)
    }
    await deliverUpdate(app, project, push, user, updateHooks)
  },
}

function listensTo({ type, name }: NamedRef): (hook: ListeningHook) => boolean {
  return ({ pushEventsBranchFilter: filter }) =>
    type === 'tag' || filter === null || patternMatcher(filter)(name)
}

/** The bodies for system hooks differ from the others. */
async function deliverPush(
  app: App,
  project: ProjectRow,
  pushed: PushedRef,
  pushKey: string,
  hooks: readonly ListeningHook[],
): Promise<void> {
  const key = `${pushKey}:${pushed.update.ref}`
  const systemKey = `${key}:system`
  const idsOf = (isSystem: boolean) =>
    hooks.filter(({ kind }) => (kind === 'system') === isSystem).map(({ id }) => id)
  const ownIds = idsOf(false)
  // Saves git the work when an earlier run of this job got this far.
  if (await hasWebhookEvent(app.db, ownIds.length > 0 ? key : systemKey)) return
  const event = pushed.named.type === 'tag' ? 'tag_push' : 'push'
  const body = await buildPushPayload(app, project, pushed)
  const own = { projectId: project.id, key, event, body, hookIds: ownIds }
  const system = withoutCommits({ ...own, key: systemKey, hookIds: idsOf(true) })
  await enqueueDeliveries(app, [own, system])
}

async function deliverUpdate(
  app: App,
  project: ProjectRow,
  push: RecordedPush,
  user: UserRow | undefined,
  hooks: readonly ListeningHook[],
): Promise<void> {
  if (hooks.length === 0) return
  const event: EventToDeliver = {
    projectId: project.id,
    key: `${push.key}:repository_update`,
    event: 'repository_update',
    body: buildRepositoryUpdate(app.config, project, push, user),
    hookIds: hooks.map(({ id }) => id),
  }
  await enqueueDeliveries(app, [event])
}

/** Builds the body of an event that `enqueueHooks` stored, and enqueues its deliveries. */
export const hookEventJob: JobHandler = {
  kind: webhookEventKind,
  async run(app, payload, signal, job) {
    const queued = payload as QueuedHookEvent
    const { projectId, key, event, at } = queued
    const project = await findProject(app.db, { id: projectId })
    if (project === undefined) return
    const listensTo = webhookEvents[event].switch
    const hooks = await findListeningWebhooks(app.db, { projectId, listensTo, at })
    if (hooks.length === 0) return
    const body = await buildBody(app, project, queued, signal)
    if (body === undefined) return
    const hookIds = hooks.map(({ id }) => id)
    await enqueueDeliveries(app, [{ projectId, key, event, body, hookIds }], job.complete)
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
    case 'wiki_page':
      return buildWikiPagePayload(app, project, queued.source)
  }
}

/** Enqueues the deliveries of events that `enqueueSystemEvents` stored. */
export const systemEventsJob: JobHandler = {
  kind: systemEventsKind,
  async run(app, payload, signal) {
    const { key, at, events } = payload as SystemEventsPayload
    const hookIds = await findSystemWebhooks(app.db, at)
    if (hookIds.length === 0) return
    const toDeliver = events.map((body, index) => ({
      projectId: null,
      key: `${key}:${index}`,
      event: body.event_name,
      body,
      hookIds,
    }))
    signal.throwIfAborted()
    await enqueueDeliveries(app, toDeliver)
  },
}

/** Makes deliveries of one hook. */
export const deliverHookJob: JobHandler = {
  kind: deliverHookKind,
  run: (app, payload, signal, job) => deliverToHook(app, payload as LanePayload, signal, job),
}

const hourMs = 60 * 60_000
/** Longer than any job waits for its turn. */
const lateMs = 6 * hourMs
/** Hooks that are looked at in one run. */
const maxLate = 1000

/**
 * Starts the deliveries of hooks whose job is six hours late, since it was lost; scheduled every
 * hour.
 */
export const resumeHooksJob: JobHandler = {
  kind: 'webhooks.resume',
  async run(app, _, signal) {
    const late = { before: app.now() - lateMs, limit: maxLate }
    for (const id of await listLateHooks(app.db, late)) {
      signal.throwIfAborted()
      await app.db.transaction(async (tx) => {
        const hook = await lockDeliveringHook(tx, id)
        const now = app.now()
        if (hook?.nextDeliveryAt == null || hook.nextDeliveryAt >= late.before) return
        await startLane(tx, hook, now, now)
      })
    }
  },
}

const retentionMs = 30 * 24 * hourMs
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
