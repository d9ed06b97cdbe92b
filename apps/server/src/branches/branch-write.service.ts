import type { IncomingHttpHeaders } from 'node:http'
import { badRequest, clashingName, isBranchOrTagName, notFound } from '@stithy/core'
import { findBranch, listRefs, readCommit } from '@stithy/git'
import { enqueueJob } from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import { requireUnmodified } from '../namespaces/if-unmodified.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { changeRefs } from '../pushes/ref-change.service.ts'
import { type CodePlace, repositoryOf, resolveRef } from '../repositories/repository.service.ts'

/** Who changes the branches of which project. */
export interface BranchChange {
  subject: ProjectSubject
  caller: Caller
}

/**
 * Makes a branch where another branch, a tag or a commit is. In an empty repository there is nothing to
 * start from, so nothing is made there (catalogue: repository, 5).
 * @throws DomainError `bad_request` for a bad or taken name, an unknown ref and where a protection is
 * against it.
 */
export async function createBranch(
  app: App,
  change: BranchChange,
  { branch, ref }: { branch: string; ref: string },
): Promise<void> {
  const { row } = change.subject
  await requireFreeName(app, row, branch)
  const commit = await resolveRef(app, row, ref)
  if (commit === undefined) throw badRequest(`Invalid reference name: ${ref}`)
  const update = { ref: `refs/heads/${branch}`, before: null, after: commit }
  await changeRefs(app, { ...change, updates: [update], refusedAs: 'bad_request' })
}

async function requireFreeName(app: App, place: CodePlace, name: string): Promise<void> {
  if (!isBranchOrTagName(name)) throw badRequest('The branch name is invalid')
  const names = (await listRefs(app.git, repositoryOf(app, place), 'heads')).map((ref) => ref.name)
  if (names.includes(name)) throw badRequest('Branch already exists')
  const clash = clashingName(name, names)
  if (clash !== undefined) throw badRequest(`The branch ${clash} leaves no room for ${name}`)
}

/**
 * Deletes a branch (decisions: DELETE of a branch).
 * @throws DomainError `not_found`; `forbidden` for a developer where it is protected; `bad_request` for
 * the default branch, and where it moved meanwhile; `precondition_failed`
 */
export async function removeBranch(
  app: App,
  change: BranchChange,
  name: string,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const repository = repositoryOf(app, change.subject.row)
  const branch = await findBranch(app.git, repository, name)
  if (branch === undefined) throw notFound('Branch')
  const commit = await readCommit(app.git, repository, branch.oid)
  if (commit !== undefined) requireUnmodified(headers, Date.parse(commit.committer.date))
  const update = { ref: `refs/heads/${name}`, before: branch.oid, after: null }
  await changeRefs(app, { ...change, updates: [update] })
}

/** The kind of the job that deletes merged branches. */
export const removeMergedKind = 'branches.remove-merged'

/** Asks for all merged branches to be deleted in the background, in the caller's name. */
export async function requestMergedRemoval(
  app: App,
  { subject, caller }: BranchChange,
): Promise<void> {
  const payload = { projectId: subject.row.id, userId: requireCaller(caller).id }
  await app.db.transaction(async (tx) => {
    await enqueueJob(tx, { queue: 'default', kind: removeMergedKind, payload }, app.now())
    tx.onCommit(app.wakeWorker)
  })
}
