import type { CallerFacts } from '@stithy/core'
import { type Kysely, sql } from 'kysely'
import { viewerArgs, viewerKind } from '../../directory/members/visibility.ts'
import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { type IssueRow, listedIssueColumns } from '../issues/issue-row.ts'
import { visibleIssues } from '../issues/issue-visibility.ts'

/** An issue related to another one. */
export interface RelatedIssueRow extends IssueRow {
  issueLinkId: number
}

/**
 * Lists a page of the related issues that the caller may see, the oldest relation first. Two
 * queries.
 * @param viewer.today `YYYY-MM-DD`
 */
export async function listRelatedIssues(
  q: Queries,
  viewer: { issueId: number; caller: CallerFacts; today: string },
  request: PageRequest,
): Promise<Page<RelatedIssueRow>> {
  const kind = viewerKind(viewer.caller)
  const args = { ...viewerArgs(viewer.caller, viewer.today), issueId: viewer.issueId }
  const from = (db: Kysely<Schema>, $: Param<typeof args>) => {
    const other = sql<number>`case when ${sql.ref('issueLinks.sourceId')} = ${$('issueId')}
      then ${sql.ref('issueLinks.targetId')} else ${sql.ref('issueLinks.sourceId')} end`
    return db
      .selectFrom('issueLinks')
      .innerJoin('issues', (join) => join.on('issues.id', '=', other))
      .innerJoin('projects', 'projects.id', 'issues.projectId')
      .where((eb) =>
        eb.or([
          eb('issueLinks.sourceId', '=', $('issueId')),
          eb('issueLinks.targetId', '=', $('issueId')),
        ]),
      )
      .where(visibleIssues(kind, $))
  }
  const shape = `issue-links.of|${kind}`
  return listUncached(q, request, {
    shape,
    args,
    from,
    order: (query) => query.orderBy('issueLinks.id'),
    columns: (query) => query.select(listedIssueColumns).select('issueLinks.id as issueLinkId'),
    key: 'issueLinks.id',
  })
}

/** Relates two issues and returns the id of the relation; undefined if they are related already. */
export async function insertIssueLink(
  tx: Transaction,
  link: { issueIds: readonly [number, number]; at: number },
): Promise<number | undefined> {
  // In a fixed order, so that the unique key rejects a duplicate from either end.
  const args = {
    sourceId: Math.min(...link.issueIds),
    targetId: Math.max(...link.issueIds),
    at: link.at,
  }
  const row = await tx.first('issue-links.insert', args, (db, $) =>
    db
      .insertInto('issueLinks')
      .values({ sourceId: $('sourceId'), targetId: $('targetId'), createdAt: $('at') })
      .onConflict((conflict) => conflict.columns(['sourceId', 'targetId']).doNothing())
      .returning('issueLinks.id'),
  )
  return row?.id
}

/** The other issue of a relation of this one; undefined if there is no such relation. */
export async function findLinkedIssueId(
  q: Queries,
  args: { linkId: number; issueId: number },
): Promise<number | undefined> {
  const row = await q.first('issue-links.find', { linkId: args.linkId }, (db, $) =>
    db
      .selectFrom('issueLinks')
      .select(['sourceId', 'targetId'])
      .where('issueLinks.id', '=', $('linkId')),
  )
  if (row === undefined) return undefined
  if (row.sourceId === args.issueId) return row.targetId
  return row.targetId === args.issueId ? row.sourceId : undefined
}

/** Deletes a relation; false if it no longer exists. */
export async function deleteIssueLink(tx: Transaction, linkId: number): Promise<boolean> {
  const { changes } = await tx.run('issue-links.delete', { linkId }, (db, $) =>
    db.deleteFrom('issueLinks').where('issueLinks.id', '=', $('linkId')),
  )
  return changes > 0
}
