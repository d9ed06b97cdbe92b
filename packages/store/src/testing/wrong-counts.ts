import type { Queries } from '../platform/queries/queries.ts'
import { runText } from './run-text.ts'

/**
 * The expected value of each stored counter, and of what else follows from other rows, by column: a
 * query over the row `t`.
 */
type Counts = Record<string, string>

/** Counters that issues, merge requests and epics share. */
function itemCounts(type: string): Counts {
  const target = `x."targetType" = '${type}' and x."targetId" = t.id`
  const awards = `select count(*) from awards as x where ${target}`
  return {
    userNotesCount: `select count(*) from notes as x
      where x."noteableType" = '${type}' and x."noteableId" = t.id and x.system = 0`,
    upvotes: `${awards} and x.name = 'thumbsup'`,
    downvotes: `${awards} and x.name = 'thumbsdown'`,
    labelCount: `select count(*) from "labelLinks" as x where ${target}`,
  }
}

/**
 * Further counters of issues and merge requests: `assignees` is the table of assignees, `id` their
 * column.
 */
function workCounts(type: string, assignees: string, id: string): Counts {
  return {
    ...itemCounts(type),
    assigneeCount: `select count(*) from "${assignees}" as x where x."${id}" = t.id`,
    totalTimeSpent: `select coalesce(sum(x.seconds), 0) from "timeLogs" as x
      where x."targetType" = '${type}' and x."targetId" = t.id`,
  }
}

function datesOfEpic(aggregate: 'min' | 'max', column: 'startDate' | 'dueDate'): string {
  return `select ${aggregate}(m."${column}") from "epicIssues" as x
    join issues as i on i.id = x."issueId" join milestones as m on m.id = i."milestoneId"
    where x."epicId" = t.id`
}

const counts: Record<string, Counts> = {
  issues: {
    ...workCounts('issue', 'issueAssignees', 'issueId'),
    mergeRequestsCount: `select count(*) from "mergeRequestClosings" as x where x."issueId" = t.id`,
  },
  mergeRequests: workCounts('merge_request', 'mergeRequestAssignees', 'mergeRequestId'),
  epics: {
    ...itemCounts('epic'),
    startDateFromMilestones: datesOfEpic('min', 'startDate'),
    dueDateFromMilestones: datesOfEpic('max', 'dueDate'),
  },
  epicIssues: {
    milestoneId: `select x."milestoneId" from issues as x where x.id = t."issueId"`,
  },
  vulnerabilities: {
    // Odd where it isn't dismissed; those of replaced reports stay as they were.
    rank: `select case when r.state = 'replaced' then t.rank when exists (
        select 1 from "vulnerabilityDismissals" as x
        where x."projectId" = t."projectId" and x.fingerprint = t.fingerprint)
      then t.rank - t.rank % 2 else t.rank - t.rank % 2 + 1 end
      from "securityReports" as r where r.id = t."reportId"`,
  },
  vulnerabilityCounts: {
    total: `select count(*) from vulnerabilities as x
      where x."reportId" = t."reportId" and x.rank = t.rank`,
  },
  projects: {
    openIssuesCount: `select count(*) from issues as x
      where x."projectId" = t.id and x.state = 'opened' and x.confidential = 0`,
  },
}

/** Finds stored counters that do not agree with the rows: `issues.upvotes of 3: 2, not 1`. */
export async function findWrongCounts(q: Queries): Promise<string[]> {
  const found: string[] = []
  for (const [table, columns] of Object.entries(counts)) {
    for (const [column, actual] of Object.entries(columns)) {
      const rows = await runText<{
        id: number
        stored: number | string | null
        actual: number | string | null
      }>(
        q,
        `select * from (select t.id, t."${column}" as stored, (${actual}) as actual from "${table}" as t)
          as c where c.stored is distinct from c.actual`,
      )
      for (const row of rows) {
        found.push(`${table}.${column} of ${row.id}: ${row.stored}, not ${row.actual}`)
      }
    }
  }
  return found
}
