import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** An address that is told of what happens in a project. */
export interface WebhooksTable {
  id: Generated<number>
  projectId: number
  url: string
  /** Sent with each delivery, so it is kept as it is; never shown. */
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
  /** A branch name, in which `*` stands for anything; null for all branches. */
  pushEventsBranchFilter: string | null
  enableSslVerification: Flag
  createdAt: number
  updatedAt: number
}

/** Something that hooks are told of; what they are told is the same for all of them. */
export interface WebhookEventsTable {
  id: Generated<number>
  projectId: number
  /** Tells it from all others, so that it is told once. */
  key: string
  event: string
  /** The body, JSON. */
  payload: string
  createdAt: number
}

/** The telling of one event to one hook. */
export interface WebhookDeliveriesTable {
  id: Generated<number>
  eventId: number
  webhookId: number
  state: Generated<'waiting' | 'answered' | 'failed'>
  /** Tries so far. */
  tries: Generated<number>
  /** Of the answer; null where none came. */
  responseStatus: number | null
  /** Why no answer came. */
  error: string | null
  /** Milliseconds that the last try took. */
  duration: number | null
  createdAt: number
  finishedAt: number | null
}
