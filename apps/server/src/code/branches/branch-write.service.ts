import type { IncomingHttpHeaders } from 'node:http'
import { badRequest, conflictingName, isBranchOrTagName, notFound } from '@stithy/core'
import { findBranch, listRefs, readCommit } from '@stithy/git'
import { enqueueJob } from '@stithy/store'
import { readmeName } from '../../directory/projects/create/project-repository.ts'
import { type ProjectSubject, requireProject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { commitToBranch } from '../commits/writes/commit-write.service.ts'
import { changeRefs } from '../pushes/ref-change.service.ts'
import { resolveRef, type SourceRepository } from '../revisions/revision.service.ts'

/** The project whose branches change, and the caller. */
export interface BranchChange {
  subject: ProjectSubject
  caller: Caller
}

/**
 * Creates a branch from another branch, a tag or a commit. An empty repository has nothing to start
 * from: it gets a first commit on its default branch before, also when the ref then turns out to be
 * unknown. Returns the project as it is afterwards.
 * @throws DomainError `bad_request` for an invalid or taken name, an unknown ref, and when a
 * protection forbids it
 */
export async function createBranch(
  app: App,
  request: BranchChange,
  { branch, ref }: { branch: string; ref: string },
): Promise<ProjectSubject> {
  if (!isBranchOrTagName(branch)) throw badRequest('The branch name is invalid')
  const subject = await withFirstCommit(app, request)
  const change = { ...request, subject }
  const { row } = subject
  await requireFreeName(app, row, branch)
  const commit = await resolveRef(app, row, ref)
  if (commit === undefined) throw badRequest(`Invalid reference name: ${ref}`)
  const update = { ref: `refs/heads/${branch}`, before: null, after: commit }
  await changeRefs(app, { ...change, updates: [update], refusedAs: 'bad_request' })
  return subject
}

/**
 * Commits an empty README to the default branch of a repository without branches, and loads the
 * project again. Returns other projects as they are.
 * @throws DomainError `bad_request` when a protection forbids it
 */
async function withFirstCommit(
  app: App,
  { subject, caller }: BranchChange,
): Promise<ProjectSubject> {
  if (await hasBranches(app, subject.row)) return subject
  const branch = subject.row.defaultBranch ?? app.config.defaultBranch
  try {
    await commitToBranch(
      app,
      { subject, caller },
      {
        branch,
        message: `Add ${readmeName}`,
        changes: [{ kind: 'write', path: readmeName, content: Buffer.alloc(0), must: 'be_absent' }],
        refusedAs: 'bad_request',
      },
    )
  } catch (error) {
    // Of concurrent calls, one makes the commit.
    if (!(await hasBranches(app, subject.row))) throw error
  }
  return requireProject(app, String(subject.row.id), caller)
}

async function hasBranches(app: App, project: SourceRepository): Promise<boolean> {
  return (await listRefs(app.git, repositoryOf(app, project), 'heads')).length > 0
}

async function requireFreeName(app: App, project: SourceRepository, name: string): Promise<void> {
  const names = (await listRefs(app.git, repositoryOf(app, project), 'heads')).map(
    (ref) => ref.name,
  )
  if (names.includes(name)) throw badRequest('Branch already exists')
  const clash = conflictingName(name, names)
  if (clash !== undefined)
    throw badRequest(`The branch name ${name} conflicts with the existing branch ${clash}`)
}

/**
 * Deletes a branch (`DELETE /projects/:id/repository/branches/:branch`).
 * @throws DomainError `not_found`; `forbidden` for a developer if it is protected; `bad_request`
 * for the default branch, and if it moved meanwhile; `precondition_failed`
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

/** Enqueues the deletion of all merged branches, on behalf of the caller. */
export async function requestMergedRemoval(
  app: App,
  { subject, caller }: BranchChange,
): Promise<void> {
  const payload = { projectId: subject.row.id, userId: requireCaller(caller).id }
  await app.db.transaction(async (tx) => {
    await enqueueJob(tx, { queue: 'default', kind: removeMergedKind, payload }, app.now())
  })
}
