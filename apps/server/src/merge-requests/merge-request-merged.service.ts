import { mergedRemark } from '@stithy/core'
import { findArrival, findBranch, GitError, isAncestor, listRange } from '@stithy/git'
import {
  dropClosings,
  enqueueJob,
  findMergeRequestById,
  findRepository,
  type MergeRequestRow,
  recordEvent,
  saveMerge,
} from '@stithy/store'
import type { App } from '../app.ts'
import { repositoryOf } from '../repositories/repository.service.ts'
import { closeMergedIssuesKind } from './closing/closing.service.ts'
import type { PushedBranch } from './merge-request-refresh.service.ts'
import { tellOfDeed, unseenItem } from './merge-request-remarks.ts'
import { renewMergeRequest } from './merge-request-renew.service.ts'

/** New commits of a push that are held in memory; of more, each request is looked at on its own. */
const maxListed = 10_000

/** Whether a commit came into the branch with the push. */
type IsNew = (oid: string) => Promise<boolean>

/**
 * Marks open merge requests into a pushed branch as merged where their head is among its new commits
 * (catalogue: repository, 14): the head that was seen last, or the one that the source branch has by now.
 */
export async function mergeArrived(
  app: App,
  pushed: PushedBranch,
  incoming: readonly MergeRequestRow[],
): Promise<void> {
  // A request without commits has nothing that could arrive.
  const candidates = incoming.filter(({ headSha, baseSha }) => headSha !== baseSha)
  if (candidates.length === 0) return
  const isNew = await newCommits(app, pushed)
  if (isNew === undefined) return
  for (const request of candidates) {
    const tip = await sourceTip(app, request)
    if (tip !== undefined && tip !== request.headSha && (await isNew(tip))) {
      await renewMergeRequest(app, request.id)
      await saveArrival(app, pushed, request.id, tip)
    } else if (await isNew(request.headSha)) {
      await saveArrival(app, pushed, request.id, request.headSha)
    }
  }
}

/** Undefined where the branch has no new commits, or they are gone again. */
async function newCommits(app: App, { project, update }: PushedBranch): Promise<IsNew | undefined> {
  const { before, after } = update
  if (after === null) return undefined
  const repository = repositoryOf(app, project)
  const range = { tip: after, ...(before === null ? {} : { notReachableFrom: before }) }
  try {
    const listed = await listRange(app.git, repository, { ...range, limit: maxListed + 1 })
    const known = new Set(listed.map(({ oid }) => oid))
    if (listed.length <= maxListed) return async (oid) => known.has(oid)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  const has = async (oid: string, tip: string) => {
    try {
      return await isAncestor(app.git, repository, oid, tip)
    } catch (error) {
      // The head of a fork that the target has never seen.
      if (isMissing(error)) return false
      throw error
    }
  }
  return async (oid) => (await has(oid, after)) && (before === null || !(await has(oid, before)))
}

function isMissing(error: unknown): boolean {
  return error instanceof GitError && error.code === 'not_found'
}

async function sourceTip(app: App, request: MergeRequestRow): Promise<string | undefined> {
  const { sourceProjectId, sourceBranch } = request
  if (sourceProjectId === null) return undefined
  const source = await findRepository(app.db, sourceProjectId)
  return source && (await findBranch(app.git, repositoryOf(app, source), sourceBranch))?.oid
}

/** Marks a request as merged by the pusher, with its event; nothing where it is so already. */
async function saveArrival(
  app: App,
  { project, update, actorId }: PushedBranch,
  id: number,
  headSha: string,
): Promise<void> {
  const request = await findMergeRequestById(app.db, id)
  if (request?.state !== 'opened' || request.headSha !== headSha || update.after === null) return
  const arrival = await findArrival(app.git, repositoryOf(app, project), {
    commit: headSha,
    tip: update.after,
    ...(update.before === null ? {} : { before: update.before }),
  })
  // A branch that was only moved forward has no merge commit (catalogue: merge requests, 1).
  const mergeCommitSha = arrival === undefined || arrival === headSha ? null : arrival
  const { iid, title, projectId, latestVersionId: versionId } = request
  const item = await unseenItem(app, request)
  if (item === undefined) return
  const now = app.now()
  await app.db.transaction(async (tx) => {
    if (!(await saveMerge(tx, { id, versionId, userId: actorId, mergeCommitSha, now }))) return
    await dropClosings(tx, [id])
    await tellOfDeed(tx, item, { authorId: actorId, bodies: [mergedRemark], at: now })
    // For what this process may not live to do: issues are closed one by one.
    const job = { queue: 'pushes', kind: closeMergedIssuesKind, payload: { id } }
    await enqueueJob(tx, job, now)
    await recordEvent(tx, {
      projectId,
      authorId: actorId,
      action: 'merged',
      target: { type: 'merge_request', id, iid, title },
      createdAt: now,
    })
    tx.onCommit(app.wakeWorker)
  })
}
