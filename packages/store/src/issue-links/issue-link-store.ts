import type { CallerFacts } from '@stithy/core'
import { type Kysely, sql } from 'kysely'
import { type IssueRow, issueColumns } from '../issues/issue-row.ts'
import { visibleIssues } from '../issues/issue-visibility.ts'
import { type Page, type PageRequest, selectPage } from '../page.ts'
import type { Param, Queries, Transaction } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'
import { viewerArgs, viewerKind } from '../visibility.ts'

/** An issue that another one is related to. */
export interface RelatedIssueRow extends IssueRow {
  issueLinkId: number
}

/**
 * A page of the issues that an issue is related to, as far as the caller may see them, the oldest relation
 * first. Two queries. @param whose.today `YYYY-MM-DD`
 */
export async function listRelatedIssues(
  q: Queries,
  whose: { issueId: number; caller: CallerFacts; today: string },
  request: PageRequest,
): Promise<Page<RelatedIssueRow>> {
  const kind = viewerKind(whose.caller)
  const args = { ...viewerArgs(whose.caller, whose.today), issueId: whose.issueId }
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
  const items = await selectPage(q, request, {
    shape,
    args,
    from,
    order: (query) => query.orderBy('issueLinks.id'),
    columns: (query) => query.select(issueColumns).select('issueLinks.id as issueLinkId'),
    key: 'issueLinks.id',
  })
  // Counted each time: an issue has few relations.
  const counted = await q.first(`${shape}|count`, args, (db, $) =>
    from(db, $).select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return { items, total: counted?.total ?? 0, ...request }
}

/** Relates two issues; undefined where they are related already. Answers the id of the relation. */
export async function insertIssueLink(
  tx: Transaction,
  link: { issueIds: readonly [number, number]; at: number },
): Promise<number | undefined> {
  // In one order, so that the key keeps the second one out whichever end it comes from.
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

/** The other issue of a relation of this one; undefined where there is no such relation. */
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

/** Ends a relation; false where it has ended already. */
export async function deleteIssueLink(tx: Transaction, linkId: number): Promise<boolean> {
  const { changes } = await tx.run('issue-links.delete', { linkId }, (db, $) =>
    db.deleteFrom('issueLinks').where('issueLinks.id', '=', $('linkId')),
  )
  return changes > 0
}
