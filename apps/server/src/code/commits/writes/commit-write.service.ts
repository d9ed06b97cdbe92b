import { badRequest } from '@stithy/core'
import {
  createCommit,
  emptyTreeOid,
  fetchCommit,
  isValidPath,
  lastCommitFor,
  type TreeChange,
} from '@stithy/git'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import {
  changeRefs,
  type RefusalStyle,
  requireRefUpdates,
} from '../../pushes/ref-change.service.ts'
import { authorOf, callerIdentity, type NamedAuthor } from './commit-author.ts'
import { type CommitTarget, findTarget, type TargetRequest } from './commit-target.service.ts'
import { showPath, toBadRequest, withTreeChangeErrors } from './tree-change-errors.ts'

/** The caller and the project to write to. */
export interface Writer {
  subject: ProjectSubject
  caller: Caller
}

/** The last commit of a file that its editor has seen. */
export interface FileLock {
  path: string
  lastCommit: string
}

/** A commit to create on a branch. */
export interface BranchWrite extends TargetRequest, RefusalStyle {
  message: string
  changes: TreeChange[]
  locks?: FileLock[]
  author?: NamedAuthor
  /** Refuses changes that leave the tree as it was. */
  mustChange?: boolean
}

/**
 * Creates one commit on a branch with the checks and effects of a push, and returns its id. Nothing
 * is written when a rule or a change is refused.
 * @throws DomainError `forbidden` when the branch may not be pushed to (or as `refusedAs` says),
 * `bad_request` with a reason.
 */
export async function commitToBranch(
  app: App,
  writer: Writer,
  write: BranchWrite,
): Promise<string> {
  const { subject, caller } = writer
  const target = await findTarget(app, subject, write)
  await requirePush(app, writer, target, write)
  const repository = repositoryOf(app, subject.row)
  const { start, before, ref } = target
  if (write.startProject !== undefined && start !== undefined) {
    await fetchCommit(app.git, repository, repositoryOf(app, write.startProject.row), start)
  }
  await requireLocks(app, subject, start, write.locks ?? [])
  const committer = callerIdentity(app, caller)
  const made = createCommit(app.git, repository, {
    base: start,
    parents: start === undefined ? [] : [start],
    changes: write.changes,
    message: write.message,
    author: authorOf(committer, write.author ?? {}),
    committer,
    ...(write.mustChange ? { mustChange: true } : {}),
  })
  const after = await withTreeChangeErrors(made)
  const updates = [{ ref, before, after }]
  await changeRefs(app, { subject, caller, updates, ...styleOf(write) })
  return after
}

/**
 * Checks the move of the branch against the rules before anything is written. The new commit has no
 * id yet, so its parent represents it; in an empty repository, or with a parent in another
 * repository, there is none.
 */
async function requirePush(
  app: App,
  { subject, caller }: Writer,
  { ref, before, start }: CommitTarget,
  write: BranchWrite,
): Promise<void> {
  const known = write.startProject === undefined ? start : before
  const updates = [{ ref, before, after: known ?? emptyTreeOid }]
  await requireRefUpdates(app, { subject, caller, updates, via: 'api', ...styleOf(write) })
}

function styleOf({ refusedAs = 'forbidden' }: RefusalStyle): RefusalStyle {
  return { refusedAs }
}

/** @throws DomainError `bad_request` when a file was changed since. */
async function requireLocks(
  app: App,
  { row }: ProjectSubject,
  start: string | undefined,
  locks: readonly FileLock[],
): Promise<void> {
  const repository = repositoryOf(app, row)
  for (const { path, lastCommit } of locks) {
    if (!isValidPath(path)) throw toBadRequest('path', path)
    const last = start && (await lastCommitFor(app.git, repository, start, path))
    if (last && last.oid === lastCommit.toLowerCase()) continue
    throw badRequest(`'${showPath(path)}' was changed by a newer commit than last_commit_id.`)
  }
}
