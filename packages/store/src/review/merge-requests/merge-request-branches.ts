import { sql } from 'kysely'
import {
  type MergeRequestRow,
  mergeRequestColumns,
} from '../../planning/items/merge-request-row.ts'
import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'

/** The condition of the partial index `mergeRequests_open_key`, which only a literal matches. */
const isActive = sql<boolean>`state in ('opened', 'locked')`

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

/** The two branches of a merge request. */
export interface BranchPair {
  sourceProjectId: number
  sourceBranch: string
  /** The target project. */
  projectId: number
  targetBranch: string
}

/**
 * The merge request between two branches that is open, or locked because it is being merged: there
 * is at most one.
 */
export function findOpenBetween(
  q: Queries,
  branches: BranchPair,
): Promise<{ id: number; iid: number } | undefined> {
  return q.first('mergeRequests.open.between', { ...branches }, (db, $) =>
    db
      .selectFrom('mergeRequests')
      .where('sourceProjectId', '=', $('sourceProjectId'))
      .where('sourceBranch', '=', $('sourceBranch'))
      .where('projectId', '=', $('projectId'))
      .where('targetBranch', '=', $('targetBranch'))
      .where(isActive)
      .select(['id', 'iid']),
  )
}

/** A branch of a project that members of the target of its merge request may push to. */
export interface SharedBranch {
  branch: string
  targetProjectId: number
  authorId: number
}

/**
 * Lists the source branches of a project's open merge requests into other projects that allow the
 * members of the target to push; up to `limit`, the newest first.
 */
export function listSharedBranches(
  q: Queries,
  args: { projectId: number; limit: number },
): Promise<SharedBranch[]> {
  return q.all('mergeRequests.sharedBranches', args, (db, $) =>
    db
      .selectFrom('mergeRequests')
      .where('sourceProjectId', '=', $('projectId'))
      .where('projectId', '<>', $('projectId'))
      .where(isActive)
      .where('state', '=', 'opened')
      .where('allowCollaboration', '=', 1)
      .orderBy('id', 'desc')
      .limit($('limit'))
      .select(['sourceBranch as branch', 'projectId as targetProjectId', 'authorId']),
  )
}

/** The source branch of a merge request between two projects that are not private. */
export interface CollaborationBranch {
  id: number
  branch: string
  /** The name or pattern of a protected branch of the source; null if it has none. */
  protectedName: string | null
}

/**
 * Lists those of the merge requests whose source and target are both not private, once for each
 * protected branch of the source.
 */
export function listCollaborationBranches(
  q: Queries,
  ids: readonly number[],
): Promise<CollaborationBranch[]> {
  return q.all('mergeRequests.collaborations', { ids }, (db, $) =>
    db
      .selectFrom('mergeRequests')
      .innerJoin('projects as source', 'source.id', 'mergeRequests.sourceProjectId')
      .innerJoin('projects as target', 'target.id', 'mergeRequests.projectId')
      .leftJoin('protectedRefs', (join) =>
        join
          .onRef('protectedRefs.projectId', '=', 'source.id')
          .on('protectedRefs.kind', '=', 'branch'),
      )
      .where(inList('mergeRequests.id', $('ids')))
      .where('source.deletedAt', 'is', null)
      .where('source.visibility', '<>', 'private')
      .where('target.visibility', '<>', 'private')
      .select([
        'mergeRequests.id',
        'mergeRequests.sourceBranch as branch',
        'protectedRefs.name as protectedName',
      ]),
  )
}

/** Lists the ids of merge requests from projects into others that are open or being merged. */
export async function listOpenFromProjects(
  q: Queries,
  projectIds: readonly number[],
): Promise<number[]> {
  const rows = await q.all('mergeRequests.open.fromProjects', { projectIds }, (db, $) =>
    db
      .selectFrom('mergeRequests')
      .where(inList('mergeRequests.sourceProjectId', $('projectIds')))
      .whereRef('sourceProjectId', '<>', 'projectId')
      .where(isActive)
      .orderBy('id')
      .select('id'),
  )
  return rows.map(({ id }) => id)
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
