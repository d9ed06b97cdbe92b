import type { Columns, Tools } from '../tools.ts'

/** Events, webhooks and their deliveries. */
export async function createActivity(t: Tools): Promise<void> {
  await createEvents(t)
  await createWebhooks(t)
  await createDeliveries(t)
}

async function createEvents(t: Tools): Promise<void> {
  await t.table('events', {
    id: t.id(),
    projectId: t.parentOrNull('projects'),
    authorId: t.parent('users'),
    action: t.text(),
    targetType: t.textOrNull(),
    targetId: t.longOrNull(),
    targetIid: t.longOrNull(),
    targetTitle: t.textOrNull(),
    commitCount: t.intOrNull(),
    pushAction: t.textOrNull(),
    refType: t.textOrNull(),
    commitFrom: t.textOrNull(),
    commitTo: t.textOrNull(),
    ref: t.textOrNull(),
    commitTitle: t.textOrNull(),
    createdAt: t.long(),
    noteableType: t.textOrNull(),
    noteableId: t.longOrNull(),
  })
  for (const column of ['authorId', 'projectId']) {
    await t.index('events', column, 'createdAt', 'id')
    await t.index('events', column, 'action', 'createdAt', 'id')
    await t.index('events', column, 'targetType', 'createdAt', 'id')
  }
  // Deleting a target looks up its events.
  await t.index('events', 'targetType', 'targetId')
  await t.notNullIndex('events', 'noteableId', ['noteableType', 'noteableId'])
}

async function createWebhooks(t: Tools): Promise<void> {
  await t.table('webhooks', {
    id: t.id(),
    kind: t.text(),
    projectId: t.parentOrNull('projects'),
    groupId: t.parentOrNull('namespaces'),
    url: t.text(),
    token: t.textOrNull(),
    ...eventColumns(t),
    pushEventsBranchFilter: t.textOrNull(),
    enableSslVerification: t.int(),
    createdAt: t.long(),
    updatedAt: t.long(),
    failures: t.int(0),
    pausedUntil: t.longOrNull(),
    disabledAt: t.longOrNull(),
    lane: t.long(0),
    nextDeliveryAt: t.longOrNull(),
  })
  await t.index('webhooks', 'projectId', 'id')
  await t.index('webhooks', 'groupId', 'id')
  await t.partialIndex('webhooks', 'kind', 'system')
  await t.notNullIndex('webhooks', 'nextDeliveryAt')
}

function eventColumns(t: Tools): Columns {
  return {
    pushEvents: t.int(),
    tagPushEvents: t.int(),
    issuesEvents: t.int(),
    confidentialIssuesEvents: t.int(),
    mergeRequestsEvents: t.int(),
    noteEvents: t.int(),
    confidentialNoteEvents: t.int(),
    jobEvents: t.int(),
    pipelineEvents: t.int(),
    wikiPageEvents: t.int(),
    repositoryUpdateEvents: t.int(),
  }
}

async function createDeliveries(t: Tools): Promise<void> {
  await t.table('webhookEvents', {
    id: t.id(),
    projectId: t.parentOrNull('projects'),
    key: t.text(),
    event: t.text(),
    payload: t.text(),
    createdAt: t.long(),
  })
  await t.unique('webhookEvents', 'key')
  await t.index('webhookEvents', 'projectId', 'id')
  await t.table('webhookDeliveries', {
    id: t.id(),
    eventId: t.parent('webhookEvents'),
    webhookId: t.parent('webhooks'),
    state: t.text('waiting'),
    tries: t.int(0),
    attemptedAt: t.longOrNull(),
    url: t.textOrNull(),
    requestHeaders: t.textOrNull(),
    responseHeaders: t.textOrNull(),
    responseBody: t.textOrNull(),
    responseStatus: t.intOrNull(),
    error: t.textOrNull(),
    duration: t.longOrNull(),
    createdAt: t.long(),
    dueAt: t.longOrNull(),
    finishedAt: t.longOrNull(),
  })
  await t.index('webhookDeliveries', 'eventId')
  await t.index('webhookDeliveries', 'webhookId', 'id')
  // What a hook's job reads: deliveries that are to be made, however many were.
  await t.notNullIndex('webhookDeliveries', 'dueAt', ['webhookId', 'dueAt', 'id'])
  // The log shows those that were attempted, however many wait.
  await t.notNullIndex('webhookDeliveries', 'attemptedAt', ['webhookId', 'id', 'attemptedAt'])
}
