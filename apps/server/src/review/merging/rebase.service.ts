import { conflict, DomainError, decideOnProject, forbidden } from '@stithy/core'
import { fetchCommit, findBranch, GitError, rebaseBranch } from '@stithy/git'
import {
  enqueueJob,
  findMergeRequestById,
  finishRebase,
  noteRebase,
  startRebase,
} from '@stithy/store'
import { callerIdentity } from '../../code/commits/writes/commit-author.ts'
import { loadBranchRights } from '../../code/protected-refs/ref-access.service.ts'
import { changeRefs } from '../../code/pushes/ref-change.service.ts'
import { actingUser } from '../../directory/authentication/acting-user.ts'
import { loadProject, type ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import { enforce } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { renewMergeRequest } from '../merge-requests/merge-request-renew.service.ts'

export const rebaseKind = 'merge-requests.rebase'

/** Longer than any rebase: one that was started before has been given up. */
const abandonedMs = 3_600_000

const rebaseFailed = 'Rebase failed. Please rebase locally'
const tooLong = (maxCommits: number) =>
  `Rebase failed: more than ${maxCommits.toLocaleString('en')} commits. Please rebase locally`

/** A rebase that a job does. */
export interface RebaseJob {
  id: number
  userId: number
  startedAt: number
}

/**
 * Starts a rebase of the source branch onto the target branch (`PUT .../rebase`).
 * @throws DomainError `forbidden` if the branch does not exist, or the caller may not push to it or
 * read the code of the target;
 * `conflict` if the merge request is not open or is being rebased already.
 */
export async function requestRebase(
  app: App,
  caller: Caller,
  { row, project }: MergeRequestItem,
): Promise<void> {
  const userId = requireCaller(caller).id
  const source = await findSource(app, caller, row.sourceProjectId, row.sourceBranch)
  if (source === undefined) throw forbidden('Source branch does not exist')
  const { subject } = source
  const { canPush } = (await loadBranchRights(app, { subject, caller }))(row.sourceBranch)
  if (!canPush) throw forbidden('Cannot push to source branch')
  // The branch gets the commits of the target.
  enforce(decideOnProject('read_code', caller.facts, project.facts), caller)
  const now = app.now()
  const payload: RebaseJob = { id: row.id, userId, startedAt: now }
  const isStarted = await app.db.transaction(async (tx) => {
    const abandonedBefore = now - abandonedMs
    if (!(await startRebase(tx, { id: row.id, startedAt: now, abandonedBefore }))) return false
    await enqueueJob(tx, { queue: 'pushes', kind: rebaseKind, payload }, now)
    return true
  })
  if (!isStarted) throw conflict('409 Conflict: Resource lock')
}

/** The source branch as a caller sees it. */
interface Source {
  subject: ProjectSubject
  headSha: string
}

async function findSource(
  app: App,
  caller: Caller,
  projectId: number | null,
  branch: string,
): Promise<Source | undefined> {
  if (projectId === null) return undefined
  const subject = await loadProject(app, String(projectId), caller)
  if (subject === undefined) return undefined
  const tip = await findBranch(app.git, repositoryOf(app, subject.row), branch)
  return tip && { subject, headSha: tip.oid }
}

/**
 * Rebases the source branch on behalf of the user who asked for it; a failure becomes the
 * `merge_error`. An interrupted rebase can be repeated.
 */
export async function runRebase(app: App, job: RebaseJob): Promise<void> {
  const { id, startedAt } = job
  const row = await findMergeRequestById(app.db, id)
  if (row === undefined || row.rebaseStartedAt !== startedAt) return
  const mergeError = await rebase(app, job)
  // While it is still marked: whoever renews it sees that this push is a rebase.
  if (mergeError === null) await renewMergeRequest(app, id, { actorId: job.userId })
  await app.db.transaction((tx) => finishRebase(tx, { id, startedAt, mergeError }))
}

/** The `merge_error`; null if it succeeded. */
async function rebase(app: App, { id, userId, startedAt }: RebaseJob): Promise<string | null> {
  const row = await findMergeRequestById(app.db, id)
  const caller = await actingUser(app, userId)
  if (row?.state !== 'opened' || caller === undefined) return rebaseFailed
  const target = await loadProject(app, String(row.projectId), caller)
  const source = await findSource(app, caller, row.sourceProjectId, row.sourceBranch)
  if (target === undefined || source === undefined) return rebaseFailed
  if (!decideOnProject('read_code', caller.facts, target.facts).allowed) return rebaseFailed
  const targetRepository = repositoryOf(app, target.row)
  const onto = (await findBranch(app.git, targetRepository, row.targetBranch))?.oid
  if (onto === undefined) return rebaseFailed
  const { subject, headSha: head } = source
  const repository = repositoryOf(app, subject.row)
  try {
    if (subject.row.id !== target.row.id) {
      await fetchCommit(app.git, repository, targetRepository, onto)
    }
    const committer = callerIdentity(app, caller)
    const { rebase: limits } = app.config.codeLimits
    const rebased = await rebaseBranch(app.git, repository, { head, onto, committer, limits })

    if ('isTooLong' in rebased) return tooLong(limits.maxCommits)
    const { oid: after } = rebased
    if (after === undefined) return rebaseFailed
    await noteRebase(app.db, { id, startedAt, headSha: head, rebasedSha: after })
    const update = { ref: `refs/heads/${row.sourceBranch}`, before: head, after }
    await changeRefs(app, { subject, caller, updates: [update] })
    return null
  } catch (error) {
    if (!(error instanceof GitError || error instanceof DomainError)) throw error
    app.log.info({ err: error, mergeRequest: id }, 'a rebase failed')
    return rebaseFailed
  }
}
