import {
  isUnfinishedCommit,
  outdatedMergeStatus,
  type RefUpdate,
  type SystemNote,
} from '@stithy/core'
import { findBranch, isAncestor, type RangeCommit, readCommit } from '@stithy/git'
import {
  addVersion,
  findMergeRequestById,
  findRepository,
  listVersionCommits,
  type MergeRequestRow,
  resetMergeCheck,
  setClosings,
  type Transaction,
} from '@stithy/store'
import { existingActor } from '../../directory/users/ghost.service.ts'
import type { ItemRecord } from '../../planning/items/changes/item.changes.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { createKeyedMutex } from '../../platform/threads/keyed-mutex.ts'
import { autoMergeAborted } from './auto-merge-abort.ts'
import { planClosings } from './closing/closing.service.ts'
import { loadItemForJob } from './merge-request-for-job.ts'
import {
  type Draft,
  draftVersion,
  type Ends,
  fetchHead,
  moveHead,
  restoreHead,
} from './merge-request-version.service.ts'

declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** The source branch moved. */
    'merge_request.pushed': ItemRecord<MergeRequestItem> & {
      /** The previous head. */
      oldRev: string
    }
    /** One of its branches moved, or it has another target branch. */
    'merge_request.version_added': {
      mergeRequestId: number
      /** Of the target. */
      projectId: number
      /** Whether it has another target branch. */
      isRetargeted: boolean
    }
  }
}

/** Concurrent updates of the same merge request; one succeeds each time. */
const attempts = 5

/** A push to the source branch that is being processed. */
export interface SourcePush {
  actorId: number
  /** The commits between which it moved the branch, if they are known. */
  update?: Pick<RefUpdate, 'before' | 'after'> | undefined
}

const inTurn = createKeyedMutex<number>()

/**
 * Gives an open merge request a new version if one of its branches moved: new commits and hashes,
 * the published head, and an unchecked `merge_status`. Does nothing if nothing moved. Pushes in a
 * row, of which each makes a version, take turns in this process, so that they keep their order.
 * @param push to the source branch; without one, the version has the current head and is by the author
 */
export async function renewMergeRequest(app: App, id: number, push?: SourcePush): Promise<void> {
  if (push?.update === undefined) return renewNow(app, id, push)
  await inTurn(id, () => renewNow(app, id, push))
}

async function renewNow(app: App, id: number, push: SourcePush | undefined): Promise<void> {
  let published: Ends | undefined
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const request = await findMergeRequestById(app.db, id)
    if (request?.state !== 'opened') {
      if (request !== undefined && published !== undefined) {
        await restoreHead(app, published.target, request, published.headSha)
      }
      return
    }
    const current = await currentEnds(app, request)
    if (current === undefined) {
      await resetMergeCheck(app.db, request)
      return
    }
    const ends = { ...current, headSha: await chooseHead(app, request, current, push) }
    if (ends.headSha === request.headSha && ends.startSha === request.startSha) return
    published = ends
    if (await renew(app, request, ends, push?.actorId ?? request.authorId)) return
  }
  throw new Error(`merge request ${id} kept changing`)
}

/** False if a concurrent update was faster. */
async function renew(
  app: App,
  request: MergeRequestRow,
  found: Ends,
  actorId: number,
): Promise<boolean> {
  await fetchHead(app, found)
  const ends = { ...found, startSha: await chooseStart(app, request, found) }
  const hasMoved = ends.headSha !== request.headSha
  if (!hasMoved && ends.startSha === request.startSha) return true
  const draft = await draftVersion(app, ends, request)
  const added = hasMoved ? await newCommits(app, request, draft) : []
  const unfinished = added.findLast(({ title }) => isUnfinishedCommit(title))
  // Git first: the loser of the race below retries and publishes the head of that time, or restores
  // that with which it was merged.
  if (hasMoved) await moveHead(app, ends.target, request, ends.headSha)
  const issueIds = await planClosings(app, request, draft.version.commits)
  const item = hasMoved ? await loadItemForJob(app, request) : undefined
  return app.db.transaction(async (tx) => {
    const version = await addVersion(tx, {
      mergeRequestId: request.id,
      projectId: request.projectId,
      afterVersionId: request.latestVersionId,
      version: draft.version,
      isUnfinished: unfinished !== undefined,
      mergeStatus: outdatedMergeStatus(request.mergeStatus),
      now: app.now(),
    })
    if (version === undefined) return false
    await setClosings(tx, { id: request.id, issueIds })
    const now = app.now()
    const wipSha = version.isMarked ? unfinished?.oid : undefined
    const userId = await existingActor(tx, actorId, now)
    if (item !== undefined) await recordMove(tx, item, { added, wipSha, userId, now })
    const by = { userId, at: now, now }
    const { id: mergeRequestId, projectId } = request
    const of = { mergeRequestId, projectId, isRetargeted: false }
    await recordChange(tx, { kind: 'merge_request.version_added', ...by, ...of })
    return true
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
 * The head of the next version: that of the push, even if later ones have moved the branch on. Their
 * jobs follow. The current tip, if the pushes before were not processed in order, or their commits
 * are gone.
 */
async function chooseHead(
  app: App,
  request: MergeRequestRow,
  { headSha: tip, source }: Ends,
  push: SourcePush | undefined,
): Promise<string> {
  const { before, after } = push?.update ?? {}
  if (!after || after === tip || after === request.headSha) return after ?? tip
  if (before !== request.headSha) return tip
  const commit = await readCommit(app.git, repositoryOf(app, source), after)
  return commit === undefined ? tip : after
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

/** The commits that the version before does not have, newest first. */
async function newCommits(
  app: App,
  request: MergeRequestRow,
  { commits }: Draft,
): Promise<RangeCommit[]> {
  const known = new Set(await listVersionCommits(app.db, request.latestVersionId))
  return commits.filter(({ oid }) => !known.has(oid))
}

/** Commits that one system note lists. */
const maxNoted = 100

/** A push to the source branch. */
interface Move {
  /** Newest first. */
  added: readonly RangeCommit[]
  /** The commit that marked the merge request as work in progress. */
  wipSha: string | undefined
  userId: number
  now: number
}

/** Records a push to the source branch, of a merge request as it was before. */
async function recordMove(
  tx: Transaction,
  before: MergeRequestItem,
  { added, wipSha, userId, now }: Move,
): Promise<void> {
  const row = await findMergeRequestById(tx, before.row.id)
  if (row === undefined) return
  const { id, projectId, headSha: oldRev } = before.row
  const notes: SystemNote[] = []
  if (added.length > 0) {
    notes.push({
      action: 'commits_added',
      source: { type: 'merge_request', key: String(id), projectId },
      commits: added.slice(0, maxNoted).map(({ oid, title }) => ({ sha: oid, title })),
      count: added.length,
      versionId: row.latestVersionId,
      startSha: oldRev,
    })
  }
  if (wipSha !== undefined) {
    notes.push({ action: 'work_in_progress_changed', marked: true, sha: wipSha })
  }
  notes.push(...autoMergeAborted(before.row, 'source_updated'))
  const by = { userId, at: now, now }
  const item = { ...before, row }
  await recordChange(tx, { kind: 'merge_request.pushed', ...by, item, oldRev, notes })
}
