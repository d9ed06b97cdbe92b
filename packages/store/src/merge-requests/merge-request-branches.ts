import type { Queries } from '../queries.ts'
import { type MergeRequestRow, mergeRequestColumns } from './merge-request-row.ts'

/** A branch of a project. */
export interface BranchPlace {
  projectId: number
  branch: string
}

/** The open merge requests that come from a branch, into any project that is there; oldest first. */
export function listOpenFrom(q: Queries, place: BranchPlace): Promise<MergeRequestRow[]> {
  return q.all('mergeRequests.open.from', place, (db, $) =>
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

/** The open merge requests into a branch, oldest first. */
export function listOpenInto(q: Queries, place: BranchPlace): Promise<MergeRequestRow[]> {
  return q.all('mergeRequests.open.into', place, (db, $) =>
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
 * The names of the project's branches that an open merge request comes from or goes into, each once:
 * what deletes branches in bulk leaves them alone.
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
