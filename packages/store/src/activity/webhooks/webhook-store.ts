import type { SystemHookTrigger, WebhookTrigger } from '@stithy/core'
import type { Kysely } from 'kysely'
import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import { pick } from '../../platform/queries/sql.ts'
import type { NewRow, Row, Schema } from '../../platform/schema/schema.ts'

/** A hook with all its columns, the token included. */
export type WebhookRow = Row<'webhooks'>

/** The project or group that a hook belongs to, or the instance. */
export type HookOwner =
  | { kind: 'project'; id: number }
  | { kind: 'group'; id: number }
  | { kind: 'system' }

/** The settable columns of a hook. */
export type WebhookValues = Pick<
  NewRow<'webhooks'>,
  'url' | (typeof switchColumns)[WebhookTrigger | SystemHookTrigger] | 'enableSslVerification'
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
  repository_update_events: 'repositoryUpdateEvents',
} as const satisfies Record<WebhookTrigger | SystemHookTrigger, keyof WebhookRow>

const valueColumns = [
  'url',
  'token',
  ...Object.values(switchColumns),
  'pushEventsBranchFilter',
  'enableSslVerification',
] as const

interface OwnerArgs {
  ownerId: number
}

function argsOf(owner: HookOwner): OwnerArgs {
  return { ownerId: owner.kind === 'system' ? 0 : owner.id }
}

function hooksOf(db: Kysely<Schema>, $: Param<OwnerArgs>, kind: HookOwner['kind']) {
  const hooks = db.selectFrom('webhooks')
  if (kind === 'system') return hooks.where('webhooks.kind', '=', 'system')
  return hooks.where(`webhooks.${kind}Id`, '=', $('ownerId'))
}

/** One page of the hooks of an owner, oldest first. At most two queries. */
export async function listWebhooks(
  q: Queries,
  owner: HookOwner,
  request: PageRequest,
): Promise<Page<WebhookRow>> {
  return listUncached(q, request, {
    shape: `webhooks.list|${owner.kind}`,
    args: argsOf(owner),
    key: 'webhooks.id',
    from: (db, $) => hooksOf(db, $, owner.kind),
    order: (query) => query.orderBy('webhooks.id'),
    columns: (query) => query.selectAll('webhooks'),
  })
}

/** How many hooks a project, a group or the instance has. */
export async function countWebhooks(q: Queries, owner: HookOwner): Promise<number> {
  const counted = await q.first(`webhooks.count|${owner.kind}`, argsOf(owner), (db, $) =>
    hooksOf(db, $, owner.kind).select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return counted?.total ?? 0
}

/** A hook of an owner, or undefined. */
export async function findWebhook(
  q: Queries,
  owner: HookOwner,
  id: number,
): Promise<WebhookRow | undefined> {
  const args = { ...argsOf(owner), id }
  const row = await q.first('webhooks.find', args, (db, $) =>
    db.selectFrom('webhooks').selectAll().where('webhooks.id', '=', $('id')),
  )
  return row !== undefined && isOf(row, owner) ? row : undefined
}

function isOf(row: WebhookRow, owner: HookOwner): boolean {
  if (owner.kind === 'system') return row.kind === 'system'
  return owner.id === (owner.kind === 'project' ? row.projectId : row.groupId)
}

/** Adds a hook and returns its row. */
export async function insertWebhook(
  tx: Transaction,
  owner: HookOwner,
  { now, ...values }: WebhookValues & { now: number },
): Promise<WebhookRow> {
  const hook = {
    ...values,
    now,
    kind: owner.kind,
    projectId: owner.kind === 'project' ? owner.id : null,
    groupId: owner.kind === 'group' ? owner.id : null,
  }
  const row = await tx.first('webhooks.insert', hook, (db, $) =>
    db
      .insertInto('webhooks')
      .values({
        ...pick($, valueColumns),
        ...pick($, ['kind', 'projectId', 'groupId']),
        createdAt: $('now'),
        updatedAt: $('now'),
      })
      .returningAll(),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/** Updates a hook; undefined if it no longer exists. */
export function updateWebhook(
  tx: Transaction,
  hook: WebhookValues & { id: number; now: number },
): Promise<WebhookRow | undefined> {
  return tx.first('webhooks.update', hook, (db, $) =>
    db
      .updateTable('webhooks')
      .set({ ...pick($, valueColumns), updatedAt: $('now') })
      .where('webhooks.id', '=', $('id'))
      .returningAll(),
  )
}

/** Deletes a hook, and its deliveries with it; false if it no longer exists. */
export async function deleteWebhook(tx: Transaction, id: number): Promise<boolean> {
  const { changes } = await tx.run('webhooks.delete', { id }, (db, $) =>
    db.deleteFrom('webhooks').where('webhooks.id', '=', $('id')),
  )
  return changes > 0
}
