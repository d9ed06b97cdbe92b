import { isUnfinishedCommit, outdatedMergeStatus, withWorkInProgress } from '@stithy/core'
import { findBranch, isAncestor } from '@stithy/git'
import {
  addVersion,
  findMergeRequestById,
  findRepository,
  listVersionCommits,
  type MergeRequestRow,
  resetMergeCheck,
  setClosings,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { planClosings } from './closing/closing.service.ts'
import {
  type Draft,
  draftVersion,
  type Ends,
  fetchHead,
  moveHead,
} from './merge-request-version.service.ts'

/** Concurrent updates of the same merge request; one succeeds each time. */
const attempts = 5

/**
 * Gives an open merge request a new version if one of its branches moved: new commits and hashes,
 * the published head, and an unchecked `merge_status`. Does nothing if nothing moved.
 */
export async function renewMergeRequest(app: App, id: number): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const request = await findMergeRequestById(app.db, id)
    if (request?.state !== 'opened') return
    const ends = await currentEnds(app, request)
    if (ends === undefined) {
      await resetMergeCheck(app.db, request)
      return
    }
    if (ends.headSha === request.headSha && ends.startSha === request.startSha) return
    if (await renew(app, request, ends)) return
  }
  throw new Error(`merge request ${id} kept changing`)
}

/** False if a concurrent update was faster. */
async function renew(app: App, request: MergeRequestRow, found: Ends): Promise<boolean> {
  await fetchHead(app, found)
  const ends = { ...found, startSha: await chooseStart(app, request, found) }
  const hasMoved = ends.headSha !== request.headSha
  if (!hasMoved && ends.startSha === request.startSha) return true
  const draft = await draftVersion(app, ends)
  const title = hasMoved ? await titleAfter(app, request, draft) : request.title
  // Git first: the loser of the race below retries and publishes the head of that time.
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

/** Undefined if one of the branches, or the fork, does not exist. */
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
 * The commit of the target branch to compare with. If that branch received the head since it was
 * last checked, the push that brought it is not processed yet, and will mark the merge request as
 * merged: until then it is compared with the previous commit.
 */
async function chooseStart(app: App, request: MergeRequestRow, ends: Ends): Promise<string> {
  const { headSha, startSha, target } = ends
  if (startSha === request.startSha) return startSha
  const repository = repositoryOf(app, target)
  const isMerged = await isAncestor(app.git, repository, headSha, startSha)
  if (!isMerged || (await isAncestor(app.git, repository, headSha, request.startSha))) {
    return startSha
  }
  return request.startSha
}

/** The title, with the WIP prefix if one of the new commits asks for it. */
async function titleAfter(app: App, request: MergeRequestRow, { commits }: Draft): Promise<string> {
  const unfinished = commits.filter(({ title }) => isUnfinishedCommit(title))
  if (unfinished.length === 0) return request.title
  const known = new Set(await listVersionCommits(app.db, request.latestVersionId))
  const marked = unfinished.some(({ oid }) => !known.has(oid))
  return marked ? withWorkInProgress(request.title) : request.title
}
