import type { Kysely } from 'kysely'
import { type Columns, createTools, type Tools } from './tools.ts'

/** Hooks of projects, and what was told to them. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const t = createTools(db, dialect)
  await t.table('webhooks', {
    id: t.id(),
    projectId: t.owner('projects'),
    url: t.text(),
    token: t.textOrNull(),
    ...switches(t),
    pushEventsBranchFilter: t.textOrNull(),
    enableSslVerification: t.int(),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.index('webhooks', 'projectId', 'id')
  await createDeliveries(t)
}

function switches(t: Tools): Columns {
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
  }
}

async function createDeliveries(t: Tools): Promise<void> {
  await t.table('webhookEvents', {
    id: t.id(),
    projectId: t.owner('projects'),
    key: t.text(),
    event: t.text(),
    payload: t.text(),
    createdAt: t.long(),
  })
  await t.unique('webhookEvents', 'key')
  await t.index('webhookEvents', 'projectId', 'id')
  await t.table('webhookDeliveries', {
    id: t.id(),
    eventId: t.owner('webhookEvents'),
    webhookId: t.owner('webhooks'),
    state: t.text('waiting'),
    tries: t.int(0),
    responseStatus: t.intOrNull(),
    error: t.textOrNull(),
    duration: t.longOrNull(),
    createdAt: t.long(),
    finishedAt: t.longOrNull(),
  })
  await t.index('webhookDeliveries', 'eventId')
  await t.index('webhookDeliveries', 'webhookId', 'id')
}
