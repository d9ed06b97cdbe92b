import { type Kysely, sql } from 'kysely'
import type { Tools } from '../tools.ts'

/**
 * What lists of issues are read by. The newest first is the usual order, so most end with `createdAt` and
 * the id; `confidential`, which nearly every list asks for, stands behind so that counts need the index
 * alone. What is true of few issues has an index of those few, which costs the others nothing.
 */
export async function createIssueIndices(db: Kysely<unknown>, t: Tools): Promise<void> {
  const byAge = ['createdAt', 'id', 'confidential']
  await t.index('issues', ...byAge)
  await t.index('issues', 'state', ...byAge)
  await t.index('issues', 'updatedAt', 'id', 'projectId', 'confidential')
  await t.index('issues', 'projectId', ...byAge)
  await t.index('issues', 'projectId', 'state', ...byAge)
  await t.index('issues', 'projectId', 'updatedAt', 'id', 'confidential')
  await t.index('issues', 'authorId', 'createdAt', 'id', 'projectId', 'confidential')
  await t.index('issues', 'milestoneId', 'createdAt', 'id', 'projectId', 'confidential')
  await t.index('issues', 'iid', ...byAge)
  await t.index('issues', 'closedById')
  for (const column of ['movedToId', 'duplicatedToId']) await createIndexOfSet(db, column)
  await createConfidentialIndices(db)
  await createMarkIndices(db)
  await createEarlyIndex(db)
}

/** An index of the rows that have a value there. */
async function createIndexOfSet(db: Kysely<unknown>, column: string): Promise<void> {
  await db.schema
    .createIndex(`issues_${column}_index`)
    .on('issues')
    .column(column)
    .where(sql.ref(column), 'is not', null)
    .execute()
}

async function createConfidentialIndices(db: Kysely<unknown>): Promise<void> {
  for (const columns of [
    ['createdAt', 'id'],
    ['projectId', 'createdAt', 'id'],
  ]) {
    await db.schema
      .createIndex(`issues_confidential_${columns.join('_')}_index`)
      .on('issues')
      .columns(columns)
      .where(sql.ref('confidential'), '=', 1)
      .execute()
  }
}

/**
 * One index for the filters `None` and `Any` of labels, assignees, milestone and weight, whichever is rare:
 * a number of four bits, one for each that an issue has. `work-items/marks.ts` spells it the same way.
 */
async function createMarkIndices(db: Kysely<unknown>): Promise<void> {
  const marks = sql`(case when "labelCount" > 0 then 1 else 0 end + case when "assigneeCount" > 0 then 2 else 0 end + case when "milestoneId" is null then 0 else 4 end + case when "weight" is null then 0 else 8 end)`
  const byAge = [sql`"createdAt"`, sql`"id"`, sql`"confidential"`]
  await db.schema
    .createIndex('issues_marks_createdAt_id_index')
    .on('issues')
    .expression(sql`${sql.join([marks, ...byAge])}`)
    .execute()
  await db.schema
    .createIndex('issues_projectId_marks_createdAt_id_index')
    .on('issues')
    .expression(sql`${sql.join([sql`"projectId"`, marks, ...byAge])}`)
    .execute()
}

/**
 * The issues whose last change is said to be older than they are, which are none, as a rule: as long as that
 * is so, what was changed before a day was created before it, too.
 */
async function createEarlyIndex(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('issues_early_index')
    .on('issues')
    .column('id')
    .where(sql.ref('updatedAt'), '<', sql.ref('createdAt'))
    .execute()
}
