import { badRequest, type DomainError, mergeRequestMergeRef } from '@stithy/core'
import {
  findBranch,
  GitError,
  mergeBranch,
  readCommit,
  resolveCommit,
  updateRef,
} from '@stithy/git'
import { callerIdentity } from '../../code/commits/writes/commit-author.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { renewMergeRequest } from '../merge-requests/merge-request-renew.service.ts'
import { reload } from '../merge-requests/update/merge-request-type.ts'
import { type MergeTexts, mergeMessage } from './merge-commits.service.ts'

/**
 * Updates `refs/merge-requests/:iid/merge` with what merging a merge request would give, unless it
 * is up to date and no message is given, and returns its commit.
 * @throws DomainError `bad_request` if it is not open, has no commits, or conflicts.
 */
export async function mergeToRef(
  app: App,
  caller: Caller,
  before: MergeRequestItem,
  texts: Pick<MergeTexts, 'mergeCommitMessage'> = {},
): Promise<string> {
  await renewMergeRequest(app, before.row.id)
  const item = await reload(app, before)
  const { row, project } = item
  const repository = repositoryOf(app, project.row)
  const target = await findBranch(app.git, repository, row.targetBranch)
  const hasCommits = row.baseSha !== row.headSha
  if (row.state !== 'opened' || !hasCommits || target === undefined) throw notMergeable()
  const ref = mergeRequestMergeRef(row.iid)
  if (!texts.mergeCommitMessage) {
    const known = await findMergeOf(app, item, ref, target.oid)
    if (known !== undefined) return known
  }
  const words = {
    message: await mergeMessage(app, caller, item, texts),
    author: callerIdentity(app, caller),
  }
  const ends = { target: target.oid, source: row.headSha }
  const { oid } = await mergeBranch(app.git, repository, { ...ends, merge: words })
  if (oid === undefined) throw notMergeable()
  try {
    await updateRef(app.git, repository, ref, oid)
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== 'conflict') throw error
    throw badRequest('The ref is being updated. Please try again.')
  }
  return oid
}

function notMergeable(): DomainError {
  return badRequest('Merge request is not mergeable')
}

/** The commit of the ref, if it merges the present commits of both branches. */
async function findMergeOf(
  app: App,
  { row, project }: MergeRequestItem,
  ref: string,
  targetSha: string,
): Promise<string | undefined> {
  const repository = repositoryOf(app, project.row)
  const oid = await resolveCommit(app.git, repository, ref)
  const commit = oid === undefined ? undefined : await readCommit(app.git, repository, oid)
  const [first, second] = commit?.parents ?? []
  return first === targetSha && second === row.headSha ? oid : undefined
}
