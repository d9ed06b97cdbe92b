import { isUnfinishedCommit, outdatedMergeStatus, withWorkInProgress } from '@stithy/core'
import { findBranch, isAncestor } from '@stithy/git'
import {
  addVersion,
  findMergeRequestById,
  findRepository,
  forgetMergeCheck,
  listVersionCommits,
  type MergeRequestRow,
  setClosings,
} from '@stithy/store'
import type { App } from '../app.ts'
import { repositoryOf } from '../repositories/repository.service.ts'
import { planClosings } from './closing/closing.service.ts'
import {
  bringHead,
  type Draft,
  draftVersion,
  type Ends,
  moveHead,
} from './merge-request-version.service.ts'

/** Others may be at the same request; one of them gets through each time. */
const attempts = 5

/**
 * Gives an open merge request a new version where one of its branches has moved: commits and hashes anew, the
 * published head moved on, `merge_status` to be found out again. Nothing happens where nothing moved.
 */
export async function renewMergeRequest(app: App, id: number): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const request = await findMergeRequestById(app.db, id)
    if (request?.state !== 'opened') return
    const ends = await currentEnds(app, request)
    if (ends === undefined) {
      await forgetMergeCheck(app.db, request)
      return
    }
    if (ends.headSha === request.headSha && ends.startSha === request.startSha) return
    if (await renew(app, request, ends)) return
  }
  throw new Error(`merge request ${id} kept changing`)
}

/** False where somebody else was faster. */
async function renew(app: App, request: MergeRequestRow, found: Ends): Promise<boolean> {
  await bringHead(app, found)
  const ends = { ...found, startSha: await chooseStart(app, request, found) }
  const hasMoved = ends.headSha !== request.headSha
  if (!hasMoved && ends.startSha === request.startSha) return true
  const draft = await draftVersion(app, ends)
  const title = hasMoved ? await titleAfter(app, request, draft) : request.title
  // Git first: whoever loses the race below tries again and publishes what holds then.
  if (hasMoved) await moveHead(app, ends.target, request, ends.headSha)
  const issueIds = await planClosings(app, { ...request, title }, draft.version.commits)
  return app.db.transaction(async (tx) => {
    const isAdded = await addVersion(tx, {
      mergeRequestId: request.id,
      projectId: request.projectId,
      afterVersionId: request.latestVersionId,
      version: draft.version,
      title,
      mergeStatus: outdatedMergeStatus(request.mergeStatus),
      now: app.now(),
    })
    if (isAdded) await setClosings(tx, { id: request.id, issueIds })
    return isAdded
  })
}

/** Undefined where one of the branches, or the fork, is gone. */
async function currentEnds(app: App, request: MergeRequestRow): Promise<Ends | undefined> {
  const { projectId, sourceProjectId, targetBranch, sourceBranch } = request
  const target = await findRepository(app.db, projectId)
  if (target === undefined || sourceProjectId === null) return undefined
  const source =
    sourceProjectId === projectId ? target : await findRepository(app.db, sourceProjectId)
  if (source === undefined) return undefined
  const start = await findBranch(app.git, repositoryOf(app, target), targetBranch)
  const head = await findBranch(app.git, repositoryOf(app, source), sourceBranch)
  if (start === undefined || head === undefined) return undefined
  return { target, source, headSha: head.oid, startSha: start.oid }
}

/**
 * The commit of the target branch to go by. Where that branch has got the head since it was last looked at,
 * the push that brought it has still to be worked through, and makes the request merged: until then the
 * request is compared with what the branch was before.
 */
async function chooseStart(app: App, request: MergeRequestRow, ends: Ends): Promise<string> {
  const { headSha, startSha, target } = ends
  if (startSha === request.startSha) return startSha
  const repository = repositoryOf(app, target)
  const arrived = await isAncestor(app.git, repository, headSha, startSha)
  if (!arrived || (await isAncestor(app.git, repository, headSha, request.startSha))) {
    return startSha
  }
  return request.startSha
}

/** The title, marked as work in progress where one of the commits that came says so. */
async function titleAfter(app: App, request: MergeRequestRow, { commits }: Draft): Promise<string> {
  const unfinished = commits.filter(({ title }) => isUnfinishedCommit(title))
  if (unfinished.length === 0) return request.title
  const known = new Set(await listVersionCommits(app.db, request.latestVersionId))
  const marked = unfinished.some(({ oid }) => !known.has(oid))
  return marked ? withWorkInProgress(request.title) : request.title
}
