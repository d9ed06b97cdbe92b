import { badRequest, notFound } from '@stithy/core'
import { type Commit, cherryPickCommit, findBranch, revertCommit } from '@stithy/git'
import type { App } from '../../../platform/app.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import { changeRefs, requireRefUpdates } from '../../pushes/ref-change.service.ts'
import { requireWholeCommit } from '../commit.service.ts'
import { callerIdentity } from './commit-author.ts'
import type { Writer } from './commit-write.service.ts'

/** The commit to apply, and the target branch. */
export interface ReplayRequest {
  kind: 'pick' | 'revert'
  /** A hash, branch or tag. */
  sha: string
  branch: string
}

const kinds = {
  pick: { run: cherryPickCommit, done: 'picked', messageOf: cherryPickMessage },
  revert: { run: revertCommit, done: 'reverted', messageOf: revertMessage },
}

/**
 * Cherry-picks or reverts a commit on a branch, and returns the id of the new commit.
 * @throws DomainError `not_found` (`Commit`, `Branch`), `forbidden` when the branch may not be
 * pushed to, `bad_request` when the change conflicts or changes nothing.
 */
export async function replayOnBranch(
  app: App,
  { subject, caller }: Writer,
  { kind, sha, branch }: ReplayRequest,
): Promise<string> {
  const { run, done, messageOf } = kinds[kind]
  const commit = await requireWholeCommit(app, subject.row, sha)
  const repository = repositoryOf(app, subject.row)
  const onto = (await findBranch(app.git, repository, branch))?.oid
  if (onto === undefined) throw notFound('Branch')
  const update = { ref: `refs/heads/${branch}`, before: onto }
  const updates = [{ ...update, after: onto }]
  await requireRefUpdates(app, { subject, caller, updates, via: 'api' })
  const { oid: after } = await run(app.git, repository, {
    commit: commit.oid,
    onto,
    message: messageOf(commit),
    committer: callerIdentity(app, caller),
  })
  if (after === undefined) throw badRequest(refusalText(done))
  await changeRefs(app, { subject, caller, updates: [{ ...update, after }] })
  return after
}

/** The three possible causes, in one sentence. */
function refusalText(done: string): string {
  return `This commit cannot be ${done} automatically: it may already have been ${done}, or a newer commit changed the same content.`
}

/** The commit's own message and its origin, in the words of `git cherry-pick -x`. */
function cherryPickMessage({ message, oid }: Commit): string {
  return `${message.trimEnd()}\n\n(cherry picked from commit ${oid})`
}

/** The same for merges. Unlike that of `git revert`, it ends without a full stop. */
function revertMessage({ title, oid }: Commit): string {
  return `Revert "${title}"\n\nThis reverts commit ${oid}`
}
