import type { WebhookTrigger } from '@stithy/core'
import { type Page, type PageRequest, selectPage } from '../../platform/queries/page.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { pick } from '../../platform/queries/sql.ts'
import type { NewRow, Row } from '../../platform/schema/schema.ts'

/** A hook with all its columns, the token included. */
export type WebhookRow = Row<'webhooks'>

/** The settable columns of a hook. */
export type WebhookValues = Omit<
  NewRow<'webhooks'>,
  'id' | 'projectId' | 'createdAt' | 'updatedAt'
> & { token: string | null; pushEventsBranchFilter: string | null }

/** The column of each switch. */
export const switchColumns = {
  push_events: 'pushEvents',
  tag_push_events: 'tagPushEvents',
  issues_events: 'issuesEvents',
  confidential_issues_events: 'confidentialIssuesEvents',
  merge_requests_events: 'mergeRequestsEvents',
  note_events: 'noteEvents',
  confidential_note_events: 'confidentialNoteEvents',
  job_events: 'jobEvents',
  pipeline_events: 'pipelineEvents',
  wiki_page_events: 'wikiPageEvents',
} as const satisfies Record<WebhookTrigger, keyof WebhookRow>

const valueColumns = [
  'url',
  'token',
  ...Object.values(switchColumns),
  'pushEventsBranchFilter',
  'enableSslVerification',
] as const

/** One page of the hooks of a project, oldest first. Two queries. */
export async function listWebhooks(
  q: Queries,
  projectId: number,
  request: PageRequest,
): Promise<Page<WebhookRow>> {
  const items = await selectPage(q, request, {
    shape: 'webhooks.list',
    args: { projectId },
    key: 'webhooks.id',
    from: (db, $) => db.selectFrom('webhooks').where('webhooks.projectId', '=', $('projectId')),
    order: (query) => query.orderBy('webhooks.id'),
    columns: (query) => query.selectAll('webhooks'),
  })
  return { items, total: await countWebhooks(q, projectId), ...request }
}

/** How many hooks a project has. */
export async function countWebhooks(q: Queries, projectId: number): Promise<number> {
  const counted = await q.first('webhooks.count', { projectId }, (db, $) =>
    db
      .selectFrom('webhooks')
      .where('webhooks.projectId', '=', $('projectId'))
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return counted?.total ?? 0
}

/** A hook of a project, or undefined. */
export function findWebhook(
  q: Queries,
  args: { projectId: number; id: number },
): Promise<WebhookRow | undefined> {
  return q.first('webhooks.find', args, (db, $) =>
    db
      .selectFrom('webhooks')
      .selectAll()
      .where('webhooks.id', '=', $('id'))
      .where('webhooks.projectId', '=', $('projectId')),
  )
}

/** What decides whether a hook receives an event. */
export type ListeningHook = Pick<WebhookRow, 'id' | 'pushEventsBranchFilter'>

/** The hooks of a project that subscribe to an event and existed at a timestamp. */
export function findListeningWebhooks(
  q: Queries,
  { projectId, listensTo, at }: { projectId: number; listensTo: WebhookTrigger; at: number },
): Promise<ListeningHook[]> {
  return q.all(`webhooks.listening|${listensTo}`, { projectId, at }, (db, $) =>
    db
      .selectFrom('webhooks')
      .select(['webhooks.id', 'webhooks.pushEventsBranchFilter'])
      .where('webhooks.projectId', '=', $('projectId'))
      .where(switchColumns[listensTo], '=', 1)
      .where('webhooks.createdAt', '<=', $('at'))
      .orderBy('webhooks.id'),
  )
}

/** Adds a hook and returns its row. */
export async function insertWebhook(
  tx: Transaction,
  hook: WebhookValues & { projectId: number; now: number },
): Promise<WebhookRow> {
  const row = await tx.first('webhooks.insert', hook, (db, $) =>
    db
      .insertInto('webhooks')
      .values({
        ...pick($, valueColumns),
        projectId: $('projectId'),
        createdAt: $('now'),
        updatedAt: $('now'),
      })
      .returningAll(),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/** Updates a hook of a project; undefined if it no longer exists. */
export function updateWebhook(
  tx: Transaction,
  hook: WebhookValues & { projectId: number; id: number; now: number },
): Promise<WebhookRow | undefined> {
  return tx.first('webhooks.update', hook, (db, $) =>
    db
      .updateTable('webhooks')
      .set({ ...pick($, valueColumns), updatedAt: $('now') })
      .where('webhooks.id', '=', $('id'))
      .where('webhooks.projectId', '=', $('projectId'))
      .returningAll(),
  )
}

/** Deletes a hook of a project with its log; false if there is none. */
export async function deleteWebhook(
  tx: Transaction,
  args: { projectId: number; id: number },
): Promise<boolean> {
  const { changes } = await tx.run('webhooks.delete', args, (db, $) =>
    db
      .deleteFrom('webhooks')
      .where('webhooks.id', '=', $('id'))
      .where('webhooks.projectId', '=', $('projectId')),
  )
  return changes > 0
}
