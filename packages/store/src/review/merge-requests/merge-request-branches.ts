import {
  type MergeRequestRow,
  mergeRequestColumns,
} from '../../planning/items/merge-request-row.ts'
import type { Queries } from '../../platform/queries/queries.ts'

/** A branch of a project. */
export interface BranchKey {
  projectId: number
  branch: string
}

/** Lists the open merge requests from a branch into any existing project; oldest first. */
export function listOpenBySource(q: Queries, branch: BranchKey): Promise<MergeRequestRow[]> {
  return q.all('mergeRequests.open.from', branch, (db, $) =>
    db
      .selectFrom('mergeRequests')
      .innerJoin('projects', 'projects.id', 'mergeRequests.projectId')
      .where('mergeRequests.sourceProjectId', '=', $('projectId'))
      .where('mergeRequests.sourceBranch', '=', $('branch'))
      .where('mergeRequests.state', '=', 'opened')
      .where('projects.deletedAt', 'is', null)
      .orderBy('mergeRequests.id')
      .select(mergeRequestColumns),
  )
}

/** Lists the open merge requests into a branch, oldest first. */
export function listOpenByTarget(q: Queries, branch: BranchKey): Promise<MergeRequestRow[]> {
  return q.all('mergeRequests.open.into', branch, (db, $) =>
    db
      .selectFrom('mergeRequests')
      .innerJoin('projects', 'projects.id', 'mergeRequests.projectId')
      .where('mergeRequests.projectId', '=', $('projectId'))
      .where('mergeRequests.targetBranch', '=', $('branch'))
      .where('mergeRequests.state', '=', 'opened')
      .orderBy('mergeRequests.id')
      .select(mergeRequestColumns),
  )
}

/**
 * Lists the names of the project's branches that are the source or target of an open merge request,
 * each once: bulk deletion of branches skips them.
 */
export async function listBranchesInUse(q: Queries, projectId: number): Promise<string[]> {
  const rows = await q.all('mergeRequests.branches', { projectId }, (db, $) =>
    db
      .selectFrom('mergeRequests')
      .where('sourceProjectId', '=', $('projectId'))
      .where('state', 'in', ['opened', 'locked'])
      .select('sourceBranch as name')
      .union(
        db
          .selectFrom('mergeRequests')
          .where('projectId', '=', $('projectId'))
          .where('state', 'in', ['opened', 'locked'])
          .select('targetBranch as name'),
      ),
  )
  return rows.map((row) => row.name)
}
