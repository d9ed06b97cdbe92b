import type { CallerFacts } from '@stithy/core'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import { viewerArgs, viewerKind } from '../../directory/members/visibility.ts'
import {
  listedMergeRequestColumns,
  type MergeRequestRow,
} from '../../planning/items/merge-request-row.ts'
import { visibleMergeRequests } from '../../planning/items/merge-request-visibility.ts'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'
import type { Schema } from '../../platform/schema/schema.ts'

/**
 * Replaces the issues that a merge request closes when it is merged, and updates the issues'
 * counters of such merge requests. A merge request that is not open closes none.
 */
export async function setClosings(
  tx: Transaction,
  { id, issueIds }: { id: number; issueIds: readonly number[] },
): Promise<void> {
  const closed = (await lockOpen(tx, id)) ? [...new Set(issueIds)].toSorted((a, b) => a - b) : []
  const dropped = await tx.all('closings.delete', { id, closed }, (db, $) =>
    db
      .deleteFrom('mergeRequestClosings')
      .where('mergeRequestId', '=', $('id'))
      .where((eb) => eb.not(inList('mergeRequestClosings.issueId', $('closed'))))
      .returning('issueId'),
  )
  await count(tx, dropped, -1)
  const added: { issueId: number }[] = []
  for (const issueId of closed) {
    const row = await tx.first('closings.add', { id, issueId }, (db, $) =>
      db
        .insertInto('mergeRequestClosings')
        .values({ mergeRequestId: $('id'), issueId: $('issueId') })
        .onConflict((conflict) => conflict.doNothing())
        .returning('issueId'),
    )
    if (row !== undefined) added.push(row)
  }
  await count(tx, added, 1)
  if (dropped.length + added.length > 0) await touchLists(tx, [id])
}

/** Touches the lists of the projects of merge requests. */
async function touchLists(tx: Transaction, ids: readonly number[]): Promise<void> {
  const projects = await tx.all('closings.projects', { ids }, (db, $) =>
    db
      .selectFrom('mergeRequests')
      .where(inList('mergeRequests.id', $('ids')))
      .select('projectId')
      .distinct(),
  )
  for (const { projectId } of projects) touchStamp(tx, stampOf('mergeRequests', projectId))
}

/** Deletes the closings of merge requests that are no longer open, or are being deleted. */
export async function deleteClosings(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const dropped = await tx.all('closings.dropAll', { ids }, (db, $) =>
    db
      .deleteFrom('mergeRequestClosings')
      .where(inList('mergeRequestClosings.mergeRequestId', $('ids')))
      .returning('issueId'),
  )
  const byIssue = Map.groupBy(dropped, ({ issueId }) => issueId)
  for (const [times, issues] of Map.groupBy(byIssue, ([, ofIssue]) => ofIssue.length)) {
    const closed = issues.map(([issueId]) => ({ issueId }))
    await count(tx, closed, -times)
  }
  if (dropped.length > 0) await touchLists(tx, ids)
}

/** Locks the merge request; false if it is not open. */
async function lockOpen(tx: Transaction, id: number): Promise<boolean> {
  const { changes } = await tx.run('closings.lock', { id }, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set((eb) => ({ state: eb.ref('state') }))
      .where('id', '=', $('id'))
      .where('state', '=', 'opened'),
  )
  return changes > 0
}

async function count(
  tx: Transaction,
  closed: readonly { issueId: number }[],
  by: number,
): Promise<void> {
  if (closed.length === 0) return
  const ids = closed.map(({ issueId }) => issueId)
  await tx.run('closings.count', { ids, by }, (db, $) =>
    db
      .updateTable('issues')
      .set((eb) => ({ mergeRequestsCount: eb('mergeRequestsCount', '+', $('by')) }))
      .where(inList('issues.id', $('ids'))),
  )
}

interface ListArgs {
  issueId: number
  /** Of the issue. */
  projectId: number
  caller: CallerFacts
  /** `YYYY-MM-DD` */
  today: string
}

type Select = SelectQueryBuilder<Schema, 'mergeRequests', object>

/**
 * Lists the open merge requests of the issue's project that close it and that the caller may read.
 */
export async function listClosingRequests(
  q: Queries,
  { issueId, projectId, caller, today }: ListArgs,
  request: PageRequest,
): Promise<Page<MergeRequestRow>> {
  const kind = viewerKind(caller)
  const args = { issueId, projectId, ...viewerArgs(caller, today) }
  const from = (db: Kysely<Schema>, $: Param<typeof args>) =>
    db
      .selectFrom('mergeRequestClosings')
      .innerJoin('mergeRequests', 'mergeRequests.id', 'mergeRequestClosings.mergeRequestId')
      .innerJoin('projects', 'projects.id', 'mergeRequests.projectId')
      .where('mergeRequestClosings.issueId', '=', $('issueId'))
      .where('mergeRequests.projectId', '=', $('projectId'))
      .where(visibleMergeRequests(kind, $)) as unknown as Select
  const shape = `closings.ofIssue|${kind}`
  return listRequests(q, { shape, args, from }, request)
}

/**
 * Counts the open merge requests that close each of the issues and that the caller may read; issues
 * without one are left out.
 */
export function countClosingRequests(
  q: Queries,
  { issueIds, caller, today }: { issueIds: readonly number[]; caller: CallerFacts; today: string },
): Promise<{ issueId: number; total: number }[]> {
  const kind = viewerKind(caller)
  const args = { issueIds, ...viewerArgs(caller, today) }
  return q.all(`closings.countOf|${kind}`, args, (db, $) =>
    db
      .selectFrom('mergeRequestClosings')
      .innerJoin('mergeRequests', 'mergeRequests.id', 'mergeRequestClosings.mergeRequestId')
      .innerJoin('projects', 'projects.id', 'mergeRequests.projectId')
      .where(inList('mergeRequestClosings.issueId', $('issueIds')))
      .where(visibleMergeRequests(kind, $))
      .groupBy('mergeRequestClosings.issueId')
      .select((eb) => ['mergeRequestClosings.issueId', eb.fn.countAll<number>().as('total')]),
  )
}

/** Lists those of the merge requests that the caller may read, by project, then by iid. */
export async function listVisibleRequests(
  q: Queries,
  { ids, caller, today }: { ids: readonly number[]; caller: CallerFacts; today: string },
  request: PageRequest,
): Promise<Page<MergeRequestRow>> {
  const kind = viewerKind(caller)
  const args = { ids, ...viewerArgs(caller, today) }
  const from = (db: Kysely<Schema>, $: Param<typeof args>) =>
    db
      .selectFrom('mergeRequests')
      .innerJoin('projects', 'projects.id', 'mergeRequests.projectId')
      .where(inList('mergeRequests.id', $('ids')))
      .where(visibleMergeRequests(kind, $)) as unknown as Select
  return listRequests(q, { shape: `mergeRequests.visible|${kind}`, args, from }, request)
}

async function listRequests<A extends object>(
  q: Queries,
  list: { shape: string; args: A; from: (db: Kysely<Schema>, $: Param<A>) => Select },
  request: PageRequest,
): Promise<Page<MergeRequestRow>> {
  const page = await listPage(q, request, {
    ...list,
    stamp: ['mergeRequests', 'projects', 'members'],
    order: (query) => query.orderBy('mergeRequests.projectId').orderBy('mergeRequests.iid'),
    columns: (query) => query.select(listedMergeRequestColumns as never),
    key: 'mergeRequests.id',
  })
  return page as unknown as Page<MergeRequestRow>
}

/** Further ones are not read. */
const maxRelated = 1000

/**
 * Ids of merge requests whose texts mention the issue, or that its texts mention. At most the
 * newest 1,000 of each. Two queries.
 */
export async function findRelatedRequestIds(q: Queries, issueId: number): Promise<number[]> {
  const naming = await q.all('mergeRequests.naming', { issueId, limit: maxRelated }, (db, $) =>
    db
      .selectFrom('crossReferences')
      .where('targetType', '=', 'issue')
      .where('targetId', '=', $('issueId'))
      .where('sourceType', '=', 'merge_request')
      .orderBy('id', 'desc')
      .limit($('limit'))
      .select('sourceKey'),
  )
  const args = { key: String(issueId), limit: maxRelated }
  const named = await q.all('mergeRequests.named', args, (db, $) =>
    db
      .selectFrom('crossReferences')
      .where('sourceType', '=', 'issue')
      .where('sourceKey', '=', $('key'))
      .where('targetType', '=', 'merge_request')
      .orderBy('id', 'desc')
      .limit($('limit'))
      .select('targetId'),
  )
  const ids = [...naming.map((row) => Number(row.sourceKey)), ...named.map((row) => row.targetId)]
  return [...new Set(ids)].toSorted((a, b) => a - b)
}
