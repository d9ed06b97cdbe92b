import { defaultMergeMessage, defaultSquashMessage, type SquashedCommit } from '@stithy/core'
import { type BranchMerged, mergeBranch, readWholeCommit } from '@stithy/git'
import { findUserRefs, listVersionCommits } from '@stithy/store'
import { callerIdentity } from '../../code/commits/writes/commit-author.ts'
import { actingUser } from '../../directory/authentication/acting-user.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { closedIssues } from '../merge-requests/closing/closing.service.ts'

/** Texts that the caller gave for the new commits; an empty one counts as absent. */
export interface MergeTexts {
  mergeCommitMessage?: string | undefined
  squashCommitMessage?: string | undefined
}

/** A merge to create the commits of. */
export interface MergePlan extends MergeTexts {
  /** The tip of the target branch. */
  targetSha: string
  squash: boolean
}

/**
 * Creates the commits with which a merge request is merged, the way that its project merges. No
 * ref reaches them yet.
 * @throws GitError `timeout`, `memory_limit`, `output_limit`
 */
export async function createMergeCommits(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
  plan: MergePlan,
): Promise<BranchMerged> {
  const { row, project } = item
  const committer = callerIdentity(app, caller)
  const squash = plan.squash ? await squashWords(app, item, plan) : undefined
  const merge =
    project.row.mergeMethod === 'ff'
      ? undefined
      : { message: await mergeMessage(app, caller, item, plan), author: committer }
  return mergeBranch(app.git, repositoryOf(app, project.row), {
    target: plan.targetSha,
    source: row.headSha,
    ...(squash === undefined
      ? {}
      : { squash: { message: squash, author: await authorOf(app, caller, item), committer } }),
    ...(merge === undefined ? {} : { merge }),
  })
}

/** The message of a merge commit: the caller's, or one that names what is merged. */
export async function mergeMessage(
  app: App,
  caller: Caller,
  { row }: MergeRequestItem,
  { mergeCommitMessage }: MergeTexts,
): Promise<string> {
  if (mergeCommitMessage) return mergeCommitMessage
  const commits = await listVersionCommits(app.db, row.latestVersionId)
  const issues = await closedIssues(app, caller, row, commits)
  const closes = issues.map((issue) => {
    const path = issue.row.projectId === row.projectId ? '' : issue.row.projectFullPath
    return `${path}#${issue.row.iid}`
  })
  return defaultMergeMessage({
    sourceBranch: row.sourceBranch,
    targetBranch: row.targetBranch,
    title: row.title,
    closes: [...new Set(closes)],
    reference: `${row.projectFullPath}!${row.iid}`,
  })
}

/** The message of the squashed commit; undefined if there is nothing to squash. */
async function squashWords(
  app: App,
  { row, project }: MergeRequestItem,
  { squashCommitMessage }: MergeTexts,
): Promise<string | undefined> {
  if (squashCommitMessage) return squashCommitMessage
  const shas = await listVersionCommits(app.db, row.latestVersionId)
  if (shas.length < 2) return undefined
  const repository = repositoryOf(app, project.row)
  const commits: SquashedCommit[] = []
  for (const sha of shas.toReversed()) {
    const commit = await readWholeCommit(app.git, repository, sha)
    if (commit === undefined) continue
    commits.push(commit)
    if (defaultSquashMessage([commit], '') !== '') break
  }
  return defaultSquashMessage(commits, row.title)
}

/** The author of the merge request, also if the account is blocked. */
async function authorOf(app: App, caller: Caller, { row }: MergeRequestItem) {
  const identity = callerIdentity(app, caller)
  if (row.authorId === caller.facts.userId) return identity
  const author = await actingUser(app, row.authorId)
  if (author !== undefined) return callerIdentity(app, author)
  const [user] = await findUserRefs(app.db, [row.authorId])
  return { ...identity, name: user?.name ?? identity.name, email: '' }
}
