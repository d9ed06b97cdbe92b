import type { Queries } from '../../platform/queries/queries.ts'
import { fromJsonText, inList } from '../../platform/queries/sql.ts'

interface CommitsOfProject {
  projectId: number
  shas: readonly string[]
}

/**
 * Lists those of the commits that a merge request brought into the project, merge commits included;
 * also one whose branch has moved, and that is marked as merged in a moment. Three queries.
 */
export async function listMergedCommits(q: Queries, args: CommitsOfProject): Promise<Set<string>> {
  if (args.shas.length === 0) return new Set()
  const own = await listOwnCommits(q, args)
  const made = await listMergeCommits(q, args)
  const pending = await listPendingCommits(q, args.projectId)
  return new Set([...own, ...made, ...args.shas.filter((sha) => pending.has(sha))])
}

async function listOwnCommits(q: Queries, args: CommitsOfProject): Promise<string[]> {
  const rows = await q.all('mergeRequestCommits.merged', { ...args }, (db, $) =>
    db
      .selectFrom('mergeRequestCommits')
      .innerJoin('mergeRequests', 'mergeRequests.id', 'mergeRequestCommits.mergeRequestId')
      .where('mergeRequestCommits.projectId', '=', $('projectId'))
      .where(inList('mergeRequestCommits.sha', $('shas')))
      .where('mergeRequests.state', 'in', ['merged', 'locked'])
      .select('mergeRequestCommits.sha'),
  )
  return rows.map(({ sha }) => sha)
}

async function listMergeCommits(q: Queries, args: CommitsOfProject): Promise<string[]> {
  const rows = await q.all('mergeRequests.mergeCommits', { ...args }, (db, $) =>
    db
      .selectFrom('mergeRequests')
      .where('projectId', '=', $('projectId'))
      .where(inList('mergeRequests.mergeCommitSha', $('shas')))
      .select('mergeCommitSha'),
  )
  return rows.flatMap(({ mergeCommitSha }) => mergeCommitSha ?? [])
}

/** The commits that branches are just being moved to. */
async function listPendingCommits(q: Queries, projectId: number): Promise<Set<string>> {
  const rows = await q.all('mergeRequests.pendingMerges', { projectId }, (db, $) =>
    db
      .selectFrom('mergeRequests')
      .where('projectId', '=', $('projectId'))
      .where('state', '=', 'locked')
      .where('pendingMerge', 'is not', null)
      .select('pendingMerge'),
  )
  const pending = rows.flatMap(({ pendingMerge }) => pendingMerge ?? [])
  return new Set(pending.map((text) => fromJsonText<{ after: string }>(text).after))
}
