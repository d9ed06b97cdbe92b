import { sql } from 'kysely'
import type { Tools } from '../tools.ts'

/** A table of work items, as its list indexes need it. */
export interface ListedTable {
  name: 'issues' | 'mergeRequests'
  /** A flag that few rows have, which lists filter by. */
  rareFlag: string
  hasWeight: boolean
  /** Columns that end the presence indexes, so that counts need only the index. */
  counted: readonly string[]
}

/** Indexes of the list filters that issues and merge requests share, beyond plain columns. */
export async function createWorkItemIndexes(t: Tools, table: ListedTable): Promise<void> {
  await createRareIndexes(t, table)
  await createPresenceIndexes(t, table)
  await createEarlyIndex(t, table)
}

/** What is true of few rows has a partial index, which costs the others nothing. */
async function createRareIndexes(t: Tools, { name, rareFlag }: ListedTable): Promise<void> {
  for (const columns of [
    ['createdAt', 'id'],
    ['projectId', 'createdAt', 'id'],
  ]) {
    await t.db.schema
      .createIndex(`${name}_${rareFlag}_${columns.join('_')}_index`)
      .on(name)
      .columns(columns)
      .where(sql.ref(rareFlag), '=', 1)
      .execute()
  }
}

/**
 * One index for the filters `None` and `Any` of labels, assignees, milestone and, of issues,
 * weight: a number with a bit for each that an item has. `presenceBitsOf` in the queries must spell
 * it the same way.
 */
async function createPresenceIndexes(t: Tools, table: ListedTable): Promise<void> {
  const { name, hasWeight, counted } = table
  const weight = hasWeight ? sql` + case when "weight" is null then 0 else 8 end` : sql``
  const marks = sql`(case when "labelCount" > 0 then 1 else 0 end + case when "assigneeCount" > 0 then 2 else 0 end + case when "milestoneId" is null then 0 else 4 end${weight})`
  const rest = ['createdAt', 'id', ...counted].map((column) => sql`${sql.ref(column)}`)
  const project = sql`"projectId"`
  for (const [prefix, columns] of [
    [name, [marks, ...rest]],
    [`${name}_projectId`, [project, marks, ...rest]],
  ] as const) {
    await t.db.schema
      .createIndex(`${prefix}_marks_createdAt_id_index`)
      .on(name)
      .expression(sql`${sql.join(columns)}`)
      .execute()
  }
}

/**
 * The items whose `updatedAt` is before their `createdAt`, normally none: while that is so, an item
 * that was updated before some day was created before it, too.
 */
export async function createEarlyIndex(t: Tools, { name }: { name: string }): Promise<void> {
  await t.db.schema
    .createIndex(`${name}_early_index`)
    .on(name)
    .column('id')
    .where(sql.ref('updatedAt'), '<', sql.ref('createdAt'))
    .execute()
}
