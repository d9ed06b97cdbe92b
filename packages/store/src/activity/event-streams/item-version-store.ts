import { type Kysely, sql } from 'kysely'
import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'

/** Items to look at, by their ids. */
export interface WatchedIds {
  issueIds: readonly number[]
  epicIds: readonly number[]
  mergeRequestIds: readonly number[]
}

/** What differs in an item once something that its page shows has changed. */
export interface ItemVersionRow {
  type: 'issue' | 'epic' | 'merge_request'
  id: number
  updatedAt: number
  userNotesCount: number
  upvotes: number
  downvotes: number
  labelCount: number
  /** When a note of it was written or changed last; null without any. */
  notedAt: number | null
  /** How many awards it and its notes have, and the newest of them. */
  awards: string
  /** When one of its labels was changed last; null without any. */
  relabeledAt: number | null
  /** Of a merge request: whether it can be merged, and how its newest pipeline is. */
  mergeStatus: string | null
  versionId: number | null
  approvals: number | null
  pipeline: string | null
}

/** Reads the versions of items of all types; those that were deleted are missing. One query. */
export function listItemVersions(q: Queries, ids: WatchedIds): Promise<ItemVersionRow[]> {
  return q.all('itemVersions.list', { ...ids }, (db, $) =>
    plainItems(db, 'issues', 'issue')
      .where(inList('issues.id', $('issueIds')))
      .unionAll(plainItems(db, 'epics', 'epic').where(inList('epics.id', $('epicIds'))))
      .unionAll(mergeRequests(db).where(inList('mergeRequests.id', $('mergeRequestIds')))),
  )
}

const counts = ['id', 'updatedAt', 'userNotesCount', 'upvotes', 'downvotes', 'labelCount'] as const

/** Issues and epics have nothing of what only merge requests have. */
function plainItems<Table extends 'issues' | 'epics'>(
  db: Kysely<Schema>,
  table: Table,
  type: ItemVersionRow['type'],
) {
  return db
    .selectFrom(table as 'issues')
    .select(counts)
    .select([
      sql<ItemVersionRow['type']>`${sql.lit(type)}`.as('type'),
      ...sharedColumns(type, table),
      sql<string | null>`cast(null as text)`.as('mergeStatus'),
      sql<number | null>`cast(null as bigint)`.as('versionId'),
      sql<number | null>`cast(null as bigint)`.as('approvals'),
      sql<string | null>`cast(null as text)`.as('pipeline'),
    ])
}

function mergeRequests(db: Kysely<Schema>) {
  return db
    .selectFrom('mergeRequests')
    .select(counts)
    .select((eb) => [
      sql<ItemVersionRow['type']>`'merge_request'`.as('type'),
      ...sharedColumns('merge_request', 'mergeRequests'),
      sql.ref<string | null>('mergeRequests.mergeStatus').as('mergeStatus'),
      sql.ref<number | null>('mergeRequests.latestVersionId').as('versionId'),
      eb
        .selectFrom('approvals')
        .whereRef('approvals.mergeRequestId', '=', 'mergeRequests.id')
        .select((e) => e.fn.countAll<number>().as('count'))
        .as('approvals'),
      eb
        .selectFrom('pipelines')
        .whereRef('pipelines.projectId', '=', 'mergeRequests.sourceProjectId')
        .whereRef('pipelines.sha', '=', 'mergeRequests.headSha')
        .whereRef('pipelines.ref', '=', 'mergeRequests.sourceBranch')
        .orderBy('pipelines.id', 'desc')
        .limit(1)
        .select(sql.ref<string | null>('pipelines.status').as('status'))
        .as('pipeline'),
    ])
}

function sharedColumns(type: ItemVersionRow['type'], table: string) {
  return [
    lastNoteOf(type, table).as('notedAt'),
    awardsOf(type, table).as('awards'),
    lastLabelChangeOf(type, table).as('relabeledAt'),
  ] as const
}

/** When a note of an item was written or changed last. */
function lastNoteOf(type: ItemVersionRow['type'], table: string) {
  return sql<
    number | null
  >`(select max("notes"."updatedAt") from "notes" where "notes"."noteableType" = ${sql.lit(type)} and "notes"."noteableId" = ${sql.ref(`${table}.id`)})`
}

/** The awards of an item and of its notes; one look-up for each note. */
function awardsOf(type: ItemVersionRow['type'], table: string) {
  const id = sql.ref(`${table}.id`)
  const figures = sql`cast(count(*) as text) || ' ' || cast(coalesce(max("awards"."id"), 0) as text)`
  return sql<string>`(select ${figures} from "awards" where "awards"."targetType" = ${sql.lit(type)} and "awards"."targetId" = ${id})
    || ' ' || (select ${figures} from "awards" where "awards"."targetType" = 'note' and "awards"."targetId" in
      (select "notes"."id" from "notes" where "notes"."noteableType" = ${sql.lit(type)} and "notes"."noteableId" = ${id}))`
}

function lastLabelChangeOf(type: ItemVersionRow['type'], table: string) {
  return sql<
    number | null
  >`(select max("labels"."updatedAt") from "labelLinks" join "labels" on "labels"."id" = "labelLinks"."labelId" where "labelLinks"."targetType" = ${sql.lit(type)} and "labelLinks"."targetId" = ${sql.ref(`${table}.id`)})`
}
