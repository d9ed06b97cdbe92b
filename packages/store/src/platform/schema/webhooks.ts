import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** Webhooks of projects. */
export interface WebhooksTable {
  id: Generated<number>
  projectId: number
  url: string
  /** Sent with each delivery, so it is stored in plain text; never returned. */
  token: string | null
  pushEvents: Flag
  tagPushEvents: Flag
  issuesEvents: Flag
  confidentialIssuesEvents: Flag
  mergeRequestsEvents: Flag
  noteEvents: Flag
  confidentialNoteEvents: Flag
  jobEvents: Flag
  pipelineEvents: Flag
  wikiPageEvents: Flag
  /** A branch name, in which `*` matches anything; null for all branches. */
  pushEventsBranchFilter: string | null
  enableSslVerification: Flag
  createdAt: number
  updatedAt: number
}

/** Events to deliver to webhooks; the payload is the same for all hooks. */
export interface WebhookEventsTable {
  id: Generated<number>
  projectId: number
  /** Unique key, so that an event is delivered once. */
  key: string
  event: string
  /** The body, JSON. */
  payload: string
  createdAt: number
}

/** The delivery of one event to one hook. */
export interface WebhookDeliveriesTable {
  id: Generated<number>
  eventId: number
  webhookId: number
  state: Generated<'waiting' | 'answered' | 'failed'>
  /** Attempts so far. */
  tries: Generated<number>
  /** Of the response; null if there was none. */
  responseStatus: number | null
  /** Why there was no response. */
  error: string | null
  /** Milliseconds of the last attempt. */
  duration: number | null
  createdAt: number
  finishedAt: number | null
}
