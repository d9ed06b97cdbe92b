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
import type { WikiPageChange } from '../../code/wikis/wiki.changes.ts'

/**
 * What is stored of each event to build its body later. Resources are stored as they were at that
 * time, since they may change or be deleted before.
 */
export interface WebhookSources {
  issue: IssueSource
  confidential_issue: IssueSource
  merge_request: MergeRequestSource
  note: NoteSource
  confidential_note: NoteSource
  pipeline: { pipeline: PipelineRow; stages: string[] }
  wiki_page: WikiPageSource
}

/** An issue or merge request with its labels and assignees. */
interface ItemSnapshot<Row> {
  row: Row
  assigneeIds: readonly number[]
  labels: readonly HookLabelRow[]
}

export type IssueSnapshot = ItemSnapshot<IssueRow>
export type MergeRequestSnapshot = ItemSnapshot<MergeRequestRow>

/** Previous and current values by their names in the body; timestamps in milliseconds. */
export type HookChanges = Readonly<Record<string, { previous: unknown; current: unknown }>>

/** A change of an issue or merge request. */
export interface ItemHookSource {
  /** Who triggered the event. */
  userId: number
  changes: HookChanges
  /** The assignees and labels before the change; absent if unchanged. */
  previousAssigneeIds?: readonly number[] | undefined
  previousLabels?: readonly HookLabelRow[] | undefined
}

export interface IssueSource extends ItemHookSource {
  issue: IssueSnapshot
  action: IssueHookAction
}

export type IssueHookAction = 'open' | 'update' | 'close' | 'reopen'

export interface MergeRequestSource extends ItemHookSource {
  mergeRequest: MergeRequestSnapshot
  action: MergeRequestHookAction
  /** The previous head, if the source branch moved. */
  oldRev?: string | undefined
}

export type MergeRequestHookAction = IssueHookAction | 'merge' | 'approved' | 'unapproved'

/** A changed page of a wiki, whose content is read from git later. */
export interface WikiPageSource {
  page: WikiPageChange
  /** Who changed it. */
  userId: number | null
}

export interface NoteSource {
  note: NoteRow
  /** The noteable, unless it is a commit, which does not change. */
  issue?: IssueSnapshot
  mergeRequest?: { row: MergeRequestRow; assigneeIds: readonly number[] }
  snippet?: Row<'snippets'>
}

/** Events that are enqueued by `enqueueHooks`; pushes have a separate job. */
export type QueuedEvent = keyof WebhookSources & WebhookEvent

/** A stored event, as the payload of its job. */
export type QueuedHookEvent = {
  [E in QueuedEvent]: {
    /** Unique per event, so that it is delivered once. */
    key: string
    projectId: number
    event: E
    /** Milliseconds since the epoch. */
    at: number
    source: WebhookSources[E]
  }
}[QueuedEvent]

export const webhookEventKind = 'webhooks.event'
/** The kind of the job that follows every push. */
export const pushHooksKind = 'webhooks.push'

/**
 * Triggers the hooks of a project in the transaction of the change, so that a crash neither loses
 * nor invents an event. Costs one query when no hook subscribes; `source` is called only when one
 * does. Jobs build and send the body: wake the worker once the transaction is committed.
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
