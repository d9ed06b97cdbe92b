import { randomUUID } from 'node:crypto'
import { type WebhookEvent, webhookEvents } from '@stithy/core'
import {
  enqueueJob,
  findListeningWebhooks,
  type HookLabelRow,
  type IssueRow,
  type MergeRequestRow,
  type NoteRow,
  type PipelineRow,
  type Row,
  type Transaction,
} from '@stithy/store'

/**
 * What has to be kept of each event to build its body later. Things come as they
 * were at that moment: they may change or go before.
 */
export interface WebhookSources {
  issue: IssueSource
  confidential_issue: IssueSource
  note: NoteSource
  confidential_note: NoteSource
  pipeline: { pipeline: PipelineRow; stages: string[] }
}

/** An issue with what hangs on it. */
export interface IssueSnapshot {
  row: IssueRow
  assigneeIds: readonly number[]
  labels: readonly HookLabelRow[]
}

/** Old and new values by the names that the body has for them; instants in milliseconds. */
export type HookChanges = Readonly<Record<string, { previous: unknown; current: unknown }>>

export interface IssueSource {
  issue: IssueSnapshot
  action: IssueHookAction
  /** Who did it. */
  userId: number
  changes: HookChanges
  /** Who was assigned, and what labelled it, before; absent where that is as it was. */
  previousAssigneeIds?: readonly number[] | undefined
  previousLabels?: readonly HookLabelRow[] | undefined
}

export type IssueHookAction = 'open' | 'update' | 'close' | 'reopen'

export interface NoteSource {
  note: NoteRow
  /** What the note is on, unless it is a commit, which does not change. */
  issue?: IssueSnapshot
  mergeRequest?: { row: MergeRequestRow; assigneeIds: readonly number[] }
  snippet?: Row<'snippets'>
}

/** Events that are told through `enqueueHooks`; pushes are told by a job of their own. */
export type QueuedEvent = keyof WebhookSources & WebhookEvent

/** An event that waits to be told, as the payload of its job. */
export type QueuedHookEvent = {
  [E in QueuedEvent]: {
    /** Tells it from all others, so that it is told once. */
    key: string
    projectId: number
    event: E
    /** Milliseconds since the epoch. */
    at: number
    source: WebhookSources[E]
  }
}[QueuedEvent]

export const webhookEventKind = 'webhooks.event'
/** The job that follows every push. */
export const pushHooksKind = 'webhooks.push'

/**
 * Has the hooks of a project told of an event, in the transaction of what happened, so that a crash loses
 * none and invents none. Costs one query where no hook listens; `source` is asked for only where one does.
 * The body is built and sent by jobs: wake the worker once the transaction is committed.
 */
export async function enqueueHooks<E extends QueuedEvent>(
  tx: Transaction,
  { projectId, event, at }: { projectId: number; event: E; at: number },
  source: () => WebhookSources[E] | Promise<WebhookSources[E]>,
): Promise<void> {
  const listensTo = webhookEvents[event].switch
  const hooks = await findListeningWebhooks(tx, { projectId, listensTo, at })
  if (hooks.length === 0) return
  const payload = { key: randomUUID(), projectId, event, at, source: await source() }
  await enqueueJob(tx, { queue: 'default', kind: webhookEventKind, payload }, at)
}
