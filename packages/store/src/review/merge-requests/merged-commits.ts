import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'

/** Lists those of the commits that were merged into the project by a merge request. */
export async function listMergedCommits(
  q: Queries,
  args: { projectId: number; shas: readonly string[] },
): Promise<Set<string>> {
  if (args.shas.length === 0) return new Set()
  const rows = await q.all('mergeRequestCommits.merged', args, (db, $) =>
    db
      .selectFrom('mergeRequestCommits')
      .innerJoin('mergeRequests', 'mergeRequests.id', 'mergeRequestCommits.mergeRequestId')
      .where('mergeRequestCommits.projectId', '=', $('projectId'))
      .where(inList('mergeRequestCommits.sha', $('shas')))
      .where('mergeRequests.state', '=', 'merged')
      .select('mergeRequestCommits.sha'),
  )
  return new Set(rows.map((row) => row.sha))
}
