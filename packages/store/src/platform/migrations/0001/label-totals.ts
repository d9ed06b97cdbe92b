import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tools } from '../tools.ts'

/**
 * The number of issues and merge requests of each project with a label, by state and
 * confidentiality. Counting them for a page of labels would read each of them. Triggers maintain
 * the totals, since rows of `labelLinks` are inserted and deleted in many ways, including cascades
 * from a label, a user or a project.
 */
export async function createLabelTotals(t: Tools): Promise<void> {
  const columns = {
    labelId: t.parent('labels'),
    projectId: t.parent('projects'),
    targetType: t.text(),
    state: t.text(),
    confidential: t.int(),
    total: t.long(),
  }
  const key = ['labelId', 'projectId', 'targetType', 'state', 'confidential']
  await t.table('labelTotals', columns, key)
  await t.index('labelTotals', 'projectId', 'targetType')
  for (const kind of kinds) {
    if (t.dialect === 'sqlite') await createSqliteTriggers(t.db, kind)
    else await createPostgresTriggers(t.db, kind)
  }
}

interface Kind {
  table: string
  /** Its `targetType` in `labelLinks`. */
  type: RawBuilder<unknown>
  confidential: (row: string) => RawBuilder<unknown>
  /** Columns that determine the total in which an item is counted. */
  totalColumns: RawBuilder<unknown>
}

const kinds: readonly Kind[] = [
  {
    table: 'issues',
    type: sql`'issue'`,
    confidential: (row) => sql`${sql.raw(row)}."confidential"`,
    totalColumns: sql`"state", "confidential"`,
  },
  {
    table: 'mergeRequests',
    type: sql`'merge_request'`,
    confidential: () => sql`0`,
    totalColumns: sql`"state"`,
  },
]

const insertion = sql`insert into "labelTotals"
  ("labelId", "projectId", "targetType", "state", "confidential", "total")`
const onConflict = sql`on conflict ("labelId", "projectId", "targetType", "state", "confidential")
  do update set "total" = "labelTotals"."total" + excluded."total"`

/** Adds one to the total of each label of the row, or subtracts it. */
function countRow({ type, confidential }: Kind, row: 'old' | 'new', by: 1 | -1) {
  const item = sql.raw(row)
  const links = sql`"labelLinks" where "targetType" = ${type} and "targetId" = ${item}."id"`
  if (by === 1) {
    return sql`${insertion} select "labelId", ${item}."projectId", ${type}, ${item}."state",
      ${confidential(row)}, 1 from ${links} order by "labelId" ${onConflict};`
  }
  return sql`update "labelTotals" set "total" = "total" - 1
    where "projectId" = ${item}."projectId" and "targetType" = ${type}
      and "state" = ${item}."state" and "confidential" = ${confidential(row)}
      and "labelId" in (select "labelId" from ${links});`
}

/** Whether an update of the row moves it to another total. */
function moved(kind: Kind) {
  return sql`old."state" <> new."state" or ${kind.confidential('old')} <> ${kind.confidential('new')}`
}

async function createSqliteTriggers(db: Kysely<unknown>, kind: Kind): Promise<void> {
  const { table, type, confidential, totalColumns } = kind
  const name = (what: string) => sql.ref(`${table}_labelTotals_${what}`)
  const run = (text: RawBuilder<unknown>) => text.execute(db)
  await run(sql`create trigger ${name('given')} after insert on "labelLinks"
    when new."targetType" = ${type} begin
    ${insertion} select new."labelId", t."projectId", ${type}, t."state", ${confidential('t')}, 1
      from ${sql.table(table)} as t where t."id" = new."targetId" ${onConflict}; end`)
  await run(sql`create trigger ${name('taken')} after delete on "labelLinks"
    when old."targetType" = ${type} begin
    update "labelTotals" set "total" = "total" - 1
      where "labelId" = old."labelId" and "targetType" = ${type}
        and ("projectId", "state", "confidential") = (
          select t."projectId", t."state", ${confidential('t')}
          from ${sql.table(table)} as t where t."id" = old."targetId"); end`)
  await run(sql`create trigger ${name('changed')} after update of ${totalColumns} on ${sql.table(table)}
    when ${moved(kind)} begin ${countRow(kind, 'old', -1)} ${countRow(kind, 'new', 1)} end`)
  await run(sql`create trigger ${name('gone')} after delete on ${sql.table(table)}
    begin ${countRow(kind, 'old', -1)} end`)
}

/**
 * Links and items deleted by one statement are counted together: row by row, each would leave a
 * dead version of a total behind.
 */
async function createPostgresTriggers(db: Kysely<unknown>, kind: Kind): Promise<void> {
  const { table, type, confidential, totalColumns } = kind
  const name = (what: string) => sql.ref(`${table}_labelTotals_${what}`)
  const from = sql.table(table)
  const linked = (links: string) => sql`select l."labelId", t."projectId", t."state",
      ${confidential('t')} as "confidential", count(*) as "total"
    from ${sql.raw(links)} as l join ${from} as t on t."id" = l."targetId"
    where l."targetType" = ${type} group by 1, 2, 3, 4 order by 1, 2, 3, 4`
  const gone = sql`select l."labelId", t."projectId", t."state", ${confidential('t')} as "confidential",
      count(*) as "total"
    from things as t join "labelLinks" as l on l."targetType" = ${type} and l."targetId" = t."id"
    group by 1, 2, 3, 4`
  const subtract = (counted: RawBuilder<unknown>) => sql`update "labelTotals" as a
    set "total" = a."total" - b."total" from (${counted}) as b
    where a."labelId" = b."labelId" and a."projectId" = b."projectId" and a."targetType" = ${type}
      and a."state" = b."state" and a."confidential" = b."confidential";`
  const trigger = async (what: string, when: RawBuilder<unknown>, body: RawBuilder<unknown>) => {
    await sql`create function ${name(what)}() returns trigger language plpgsql as $$
      begin ${body} return null; end $$`.execute(db)
    await sql`create trigger ${name(what)} after ${when} execute function ${name(what)}()`.execute(
      db,
    )
  }
  await trigger(
    'given',
    sql`insert on "labelLinks" referencing new table as links for each statement`,
    sql`${insertion} select "labelId", "projectId", ${type}, "state", "confidential", "total"
      from (${linked('links')}) as counted ${onConflict};`,
  )
  await trigger(
    'taken',
    sql`delete on "labelLinks" referencing old table as links for each statement`,
    subtract(linked('links')),
  )
  await trigger(
    'changed',
    sql`update of ${totalColumns} on ${from} for each row when (${moved(kind)})`,
    sql`${countRow(kind, 'old', -1)} ${countRow(kind, 'new', 1)}`,
  )
  await trigger(
    'gone',
    sql`delete on ${from} referencing old table as things for each statement`,
    subtract(gone),
  )
}
