import type { Queries } from '../platform/queries/queries.ts'
import { runText } from './run-text.ts'

/** The table that a column references, by the column's name. */
const named: Readonly<Record<string, string>> = {
  userId: 'users',
  authorId: 'users',
  resolvedById: 'users',
  closedById: 'users',
  assigneeId: 'users',
  creatorId: 'users',
  projectId: 'projects',
  sourceProjectId: 'projects',
  groupId: 'namespaces',
  environmentId: 'environments',
  noteId: 'notes',
  labelId: 'labels',
  milestoneId: 'milestones',
  issueId: 'issues',
  epicId: 'epics',
  mergeRequestId: 'mergeRequests',
  ruleId: 'approvalRules',
  sourceRuleId: 'approvalRules',
  reportId: 'securityReports',
}

/** The column with the type of a polymorphic reference, by the referencing column. */
const typedBy: Readonly<Record<string, string>> = {
  targetId: 'targetType',
  noteableId: 'noteableType',
  sourceKey: 'sourceType',
  scopeId: 'scope',
}

const tableOf: Readonly<Record<string, string>> = {
  issue: 'issues',
  merge_request: 'mergeRequests',
  snippet: 'snippets',
  epic: 'epics',
  note: 'notes',
  discussion_note: 'notes',
  diff_note: 'notes',
  label: 'labels',
  milestone: 'milestones',
  project: 'projects',
  group: 'namespaces',
  user: 'users',
}

/** Tables whose rows outlive what they name. */
const outliving: ReadonlySet<string> = new Set(['auditEvents'])

/** Types whose references have no id. */
const withoutId: ReadonlySet<string> = new Set(['commit', 'code', 'global'])

/**
 * Finds references to rows that no longer exist, in any table with such a column: `awards.targetId
 * (note): 2`.
 * @throws Error for a type without a known table.
 */
export async function findOrphans(q: Queries): Promise<string[]> {
  const found: string[] = []
  const columns = await columnsOf(q)
  const known = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  for (const { table, column } of columns) {
    if (outliving.has(table)) continue
    const to = named[column]
    const own = to === undefined ? [] : [{ to, where: '1 = 1', suffix: '' }]
    const by = typedBy[column]
    // Without a type beside it, a foreign key guarantees the reference.
    const typed = known.has(`${table}.${by}`) ? await typesOf(q, table, by ?? '') : []
    for (const { to: target, where, suffix } of [...own, ...typed]) {
      const orphans = await countOrphans(q, { table, column, to: target, where })
      if (orphans > 0) found.push(`${table}.${column}${suffix}: ${orphans}`)
    }
  }
  return found
}

function columnsOf(q: Queries): Promise<{ table: string; column: string }[]> {
  return runText(
    q,
    q.dialect === 'sqlite'
      ? `select m.name as "table", c.name as "column" from sqlite_master as m,
          pragma_table_info(m.name) as c where m.type = 'table'`
      : `select table_name as "table", column_name as "column" from information_schema.columns
          where table_schema = current_schema()`,
  )
}

/** The referenced table of a column, for each type that occurs in the column `by`. */
async function typesOf(q: Queries, table: string, by: string) {
  const rows = await runText<{ type: string | null }>(
    q,
    `select distinct "${by}" as type from "${table}"`,
  )
  return rows.flatMap(({ type }) => {
    if (type === null || withoutId.has(type)) return []
    const to = tableOf[type]
    if (to === undefined) throw new Error(`${table}.${by}: where is ${type}?`)
    return [{ to, where: `t."${by}" = '${type}'`, suffix: ` (${type})` }]
  })
}

/** 0 means no reference, as null does. */
async function countOrphans(
  q: Queries,
  { table, column, to, where }: { table: string; column: string; to: string; where: string },
): Promise<number> {
  const value = `cast(t."${column}" as text)`
  const [row] = await runText<{ count: number }>(
    q,
    `select count(*) as count from "${table}" as t where ${value} <> '0' and ${where}
      and not exists (select 1 from "${to}" as r where cast(r.id as text) = ${value})`,
  )
  return row?.count ?? 0
}
