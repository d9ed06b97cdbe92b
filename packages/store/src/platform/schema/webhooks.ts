import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** Webhooks of projects, of groups and of the instance (`system`). */
export interface WebhooksTable {
  id: Generated<number>
  kind: 'project' | 'group' | 'system'
  projectId: number | null
  groupId: number | null
  url: string
  /** Encrypted: it is sent with each delivery, and never returned. */
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
  /** Of system hooks. */
  repositoryUpdateEvents: Flag
  /** A branch name, in which `*` matches anything; null for all branches. */
  pushEventsBranchFilter: string | null
  enableSslVerification: Flag
  createdAt: number
  updatedAt: number
  /** Attempts in a row that failed, whatever they delivered. */
  failures: Generated<number>
  /** When deliveries continue after failures; may be in the past. */
  pausedUntil: number | null
  /** Since when nothing is delivered until the hook is edited or tested; null for most. */
  disabledAt: number | null
  /** The number of the job that makes the deliveries: jobs with another one do nothing. */
  lane: Generated<number>
  /** When that job is due; null while nothing is to be delivered. */
  nextDeliveryAt: number | null
}

/** Events to deliver to webhooks; the payload is the same for all hooks. */
export interface WebhookEventsTable {
  id: Generated<number>
  /** Null for events of the instance. */
  projectId: number | null
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
  /** Attempts so far. The columns below are of the last one. */
  tries: Generated<number>
  attemptedAt: number | null
  /** Without credentials. */
  url: string | null
  /** JSON, without secrets. */
  requestHeaders: string | null
  /** JSON. */
  responseHeaders: string | null
  /** The beginning; null if there was no response. */
  responseBody: string | null
  /** Of the response; null if there was none. */
  responseStatus: number | null
  /** Why there was no response. */
  error: string | null
  /** Milliseconds. */
  duration: number | null
  createdAt: number
  /** Of the next attempt; null once there is none. */
  dueAt: number | null
  finishedAt: number | null
}
