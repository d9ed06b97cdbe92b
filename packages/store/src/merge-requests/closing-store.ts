import type { CallerFacts } from '@stithy/core'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import { countRows, type Page, type PageRequest, selectPage } from '../page.ts'
import type { Param, Queries, Transaction } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'
import { inList } from '../sql.ts'
import { touchStamp } from '../stamps.ts'
import { viewerArgs, viewerKind } from '../visibility.ts'
import { type MergeRequestRow, mergeRequestColumns } from './merge-request-row.ts'
import { visibleMergeRequests } from './merge-request-visibility.ts'

/**
 * Keeps which issues a merge request closes when it is merged, and with it the issues' number of such
 * requests. One that is not open closes none.
 */
export async function setClosings(
  tx: Transaction,
  { id, issueIds }: { id: number; issueIds: readonly number[] },
): Promise<void> {
  const kept = (await lockOpen(tx, id)) ? [...new Set(issueIds)].toSorted((a, b) => a - b) : []
  const dropped = await tx.all('closings.drop', { id, kept }, (db, $) =>
    db
      .deleteFrom('mergeRequestClosings')
      .where('mergeRequestId', '=', $('id'))
      .where((eb) => eb.not(inList('mergeRequestClosings.issueId', $('kept'))))
      .returning('issueId'),
  )
  await count(tx, dropped, -1)
  const added: { issueId: number }[] = []
  for (const issueId of kept) {
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
  if (dropped.length + added.length > 0) await touchStamp(tx, 'mergeRequests')
}

/** Forgets what merge requests close that are open no more, or are about to go. */
export async function dropClosings(tx: Transaction, ids: readonly number[]): Promise<void> {
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
  if (dropped.length > 0) await touchStamp(tx, 'mergeRequests')
}

/** False where the request is not open; others that change it wait from here on. */
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

/** The open merge requests of the issue's project that close it, as far as the caller may read them. */
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

/** How many open merge requests that the caller may read close each of the issues; those without one are left out. */
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

/** The merge requests among those named that the caller may read, by project, then by number. */
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
  const { shape, args, from } = list
  const total = await countRows(q, {
    shape: `${shape}|count`,
    args,
    stamp: ['mergeRequests', 'projects', 'members'],
    build: (db, $) => from(db, $).select((eb) => eb.fn.countAll<number>().as('total')),
  })
  const items = await selectPage(q, request, {
    shape,
    args,
    from,
    order: (query) => query.orderBy('mergeRequests.projectId').orderBy('mergeRequests.iid'),
    columns: (query) => query.select(mergeRequestColumns as never),
    key: 'mergeRequests.id',
  })
  return { items: items as unknown as MergeRequestRow[], total, ...request }
}

/** More are not looked at. */
const maxRelated = 1000

/**
 * Ids of merge requests whose texts name the issue, or that its texts name. Of each kind the newest 1,000.
 * Two queries.
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
