import { sql } from 'kysely'
import type { Queries } from '../platform/queries/queries.ts'
import { someTime } from './factories.ts'
import { putIssue, type WorkItemModel } from './work-items.ts'

type DescribedIssue = Pick<WorkItemModel, 'id' | 'projectId' | 'authorId' | 'description'>

/** Adds an issue with a description and nothing else; its iid is its id. */
export function putDescribedIssue(q: Queries, issue: DescribedIssue): Promise<void> {
  return putIssue(q, {
    ...{ ...issue, iid: issue.id, title: 'An issue' },
    ...{ weight: null, milestoneId: null, labelIds: [], assigneeIds: [], awards: [] },
    ...{ state: 'opened', confidential: false, createdAt: someTime, updatedAt: someTime },
  })
}

/** SQLite: the ids of the issues whose text is indexed with a word, in order. */
export async function findIssueTexts(q: Queries, word: string): Promise<number[]> {
  const rows = await q.all(
    'test.found',
    { word },
    (_, $) =>
      sql<{ id: number }>`select rowid as id from "issueTexts"
        where "issueTexts" match ${$('word')} order by rowid`,
  )
  return rows.map(({ id }) => id)
}
