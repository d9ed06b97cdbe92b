import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'
import type { Row } from '../../platform/schema/schema.ts'
import { touchEpicDates } from '../epics/epic-dates.ts'
import {
  type Destination,
  moveBeside,
  type OrderedTable,
  positionAtEnd,
  type Siblings,
} from '../items/relative-order.ts'

/** The link between an epic and an issue. */
export type EpicIssueLinkRow = Row<'epicIssues'>

const columns = [
  'epicIssues.id',
  'epicIssues.epicId',
  'epicIssues.issueId',
  'epicIssues.milestoneId',
  'epicIssues.relativePosition',
  'epicIssues.createdAt',
] as const

const epicIssues: OrderedTable = { name: 'epicIssues', parent: 'epicId' }

function issuesOf(epicId: number): Siblings {
  return { table: epicIssues, parentId: epicId }
}

/** The link of an issue to the epic that it is in. */
export function findEpicIssueLink(
  q: Queries,
  issueId: number,
): Promise<EpicIssueLinkRow | undefined> {
  return q.first('epic-issues.by-issue', { issueId }, (db, $) =>
    db.selectFrom('epicIssues').where('epicIssues.issueId', '=', $('issueId')).select(columns),
  )
}

/**
 * Makes an issue the last one of an epic, in which it isn't. The issue, the epic and its former one
 * must be locked. Touches what follows: the dates of both epics, and the lists of the project.
 */
export async function putIssueIntoEpic(
  tx: Transaction,
  issue: Pick<Row<'issues'>, 'id' | 'projectId' | 'milestoneId'>,
  { epicId, former, at }: { epicId: number; former: EpicIssueLinkRow | undefined; at: number },
): Promise<EpicIssueLinkRow> {
  const position = await positionAtEnd(tx, issuesOf(epicId))
  const { id: issueId, milestoneId, projectId } = issue
  touchEpicDates(tx, former === undefined ? [epicId] : [epicId, former.epicId])
  touchStamp(tx, stampOf('issues', projectId))
  const args = { epicId, issueId, milestoneId, position, at }
  const row = await tx.first('epic-issues.put', args, (db, $) =>
    db
      .insertInto('epicIssues')
      .values({
        epicId: $('epicId'),
        issueId: $('issueId'),
        milestoneId: $('milestoneId'),
        relativePosition: $('position'),
        createdAt: $('at'),
      })
      .onConflict((conflict) =>
        conflict
          .column('issueId')
          .doUpdateSet({ epicId: $('epicId'), relativePosition: $('position') }),
      )
      .returning(columns),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/** Takes an issue out of its epic; false if it is no longer in it. */
export async function takeIssueFromEpic(
  tx: Transaction,
  { id, epicId, projectId }: { id: number; epicId: number; projectId: number },
): Promise<boolean> {
  const { changes } = await tx.run('epic-issues.take', { id, epicId }, (db, $) =>
    db.deleteFrom('epicIssues').where('id', '=', $('id')).where('epicId', '=', $('epicId')),
  )
  if (changes === 0) return false
  touchEpicDates(tx, [epicId])
  touchStamp(tx, stampOf('issues', projectId))
  return true
}

/** Puts another issue in the place of one. */
export async function replaceIssueInEpic(
  tx: Transaction,
  { id, epicId }: Pick<EpicIssueLinkRow, 'id' | 'epicId'>,
  issue: Pick<Row<'issues'>, 'id' | 'projectId' | 'milestoneId'>,
): Promise<void> {
  const { id: issueId, milestoneId, projectId } = issue
  await tx.run('epic-issues.replace', { id, issueId, milestoneId }, (db, $) =>
    db
      .updateTable('epicIssues')
      .set({ issueId: $('issueId'), milestoneId: $('milestoneId') })
      .where('id', '=', $('id')),
  )
  touchEpicDates(tx, [epicId])
  touchStamp(tx, stampOf('issues', projectId))
}

/**
 * Takes issues of a project out of epics of groups that no longer contain it: those among the
 * `limit` issues after an iid. Returns the last iid of these; undefined if there are no more.
 */
export async function takeIssuesOfLeftGroups(
  tx: Transaction,
  args: { projectId: number; after: number; limit: number },
): Promise<number | undefined> {
  const issues = await tx.all('epic-issues.of-project', args, (db, $) =>
    db
      .selectFrom('issues')
      .where('issues.projectId', '=', $('projectId'))
      .where('issues.iid', '>', $('after'))
      .orderBy('issues.iid')
      .limit($('limit'))
      .select(['issues.id', 'issues.iid']),
  )
  const { projectId } = args
  const issueIds = issues.map(({ id }) => id)
  const taken = await tx.all('epic-issues.take-outside', { projectId, issueIds }, (db, $) =>
    db
      .deleteFrom('epicIssues')
      .where(inList('epicIssues.issueId', $('issueIds')))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('epics')
              .innerJoin('namespaceAncestors as above', 'above.ancestorId', 'epics.groupId')
              .innerJoin('projects', 'projects.namespaceId', 'above.descendantId')
              .whereRef('epics.id', '=', 'epicIssues.epicId')
              .where('projects.id', '=', $('projectId'))
              .select('epics.id'),
          ),
        ),
      )
      .returning('epicId'),
  )
  touchEpicDates(
    tx,
    taken.map(({ epicId }) => epicId),
  )
  if (taken.length > 0) touchStamp(tx, stampOf('issues', projectId))
  return issues.length < args.limit ? undefined : issues.at(-1)?.iid
}

/** Moves an issue among those of a locked epic; see `moveBeside`. */
export function moveEpicIssue(
  tx: Transaction,
  { epicId, ...move }: { epicId: number; id: number; to: Destination },
): Promise<boolean> {
  return moveBeside(tx, issuesOf(epicId), move)
}
