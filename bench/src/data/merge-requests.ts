import { hash } from 'node:crypto'
import type { NewRow } from '@stithy/store'
import { inBulk } from './bulk.ts'
import {
  deriveFromItems,
  drawItems,
  itemColumns,
  linkWriter,
  type NewItem,
  otherThanMember,
} from './items.ts'
import { member, sharedBranch, stableBranch } from './measured.ts'
import { createRandom, type Random } from './random.ts'
import { inserter, minute, type World } from './world.ts'

/**
 * Merge requests with their versions, approvers and approvals, and what issues have as well. Their
 * commits don't exist, so the merge status is stored for all of them.
 */
export function fillMergeRequests(world: World): void {
  const tables = [
    'mergeRequests',
    'mergeRequestAssignees',
    'mergeRequestVersions',
    'mergeRequestCommits',
    'approvalRules',
    'approvalRuleUsers',
    'approvals',
    'labelLinks',
    'awards',
  ]
  inBulk(world.db, tables, () => writeMergeRequests(world))
  deriveFromItems(world, 'merge_request')
}

function writeMergeRequests(world: World): void {
  const { db, size } = world
  const random = createRandom('merge requests')
  const insertRequest = inserter(db, 'mergeRequests')
  const insertAssignee = inserter(db, 'mergeRequestAssignees')
  const writeLinks = linkWriter(world, 'merge_request')
  const writeVersions = versionWriter(world)
  const writeApprovals = approvalWriter(world)
  for (const item of drawItems(world, size.mergeRequests, random)) {
    const row = requestRow(world, item, random)
    const latestVersionId = writeVersions(row, random)
    insertRequest({ ...row, latestVersionId })
    writeLinks(item)
    for (const [position, userId] of item.assigneeIds.entries()) {
      insertAssignee({ mergeRequestId: item.id, userId, position, createdAt: item.createdAt })
    }
    writeApprovals(item, random)
  }
}

type RequestRow = ReturnType<typeof requestRow>

function requestRow(world: World, item: NewItem, random: Random) {
  const { title, ...common } = itemColumns(world, item, random)
  const { id, projectId } = item
  const isDraft = random.chance(0.15)
  const isFork = random.chance(0.1)
  const state = drawState(world, common.updatedAt, random)
  // At most one between two branches is open.
  const isShared = state.state !== 'opened' && random.chance(0.25)
  return {
    ...common,
    title: isDraft ? `WIP: ${title}` : title,
    workInProgress: isDraft ? (1 as const) : (0 as const),
    targetBranch: random.chance(0.2) ? stableBranch : 'main',
    sourceProjectId: isFork ? random.pick(world.projects).id : projectId,
    sourceBranch: isShared ? sharedBranch : `feature-${id}`,
    userNotesCount: 0,
    squash: random.chance(0.2) ? (1 as const) : (0 as const),
    headSha: hash('sha1', `head ${id}`),
    baseSha: hash('sha1', `base ${id}`),
    startSha: hash('sha1', `base ${id}`),
    ...state,
  }
}

/** Merged, closed or open. */
function drawState({ users }: World, when: number, random: Random) {
  const userId = random.pick(users).id
  const merged = random.chance(0.5)
  const closed = !merged && random.chance(0.4)
  const state = merged ? 'merged' : closed ? 'closed' : 'opened'
  return {
    state: state as 'merged' | 'closed' | 'opened',
    mergeStatus: random.chance(0.9) ? ('can_be_merged' as const) : ('cannot_be_merged' as const),
    mergedById: merged ? userId : null,
    mergedAt: merged ? when : null,
    mergeCommitSha: merged ? hash('sha1', `merge ${when} ${userId}`) : null,
    closedById: closed ? userId : null,
    closedAt: closed ? when : null,
  }
}

/** Writes one to three versions with their commits; returns the id of the newest. */
function versionWriter({ db }: World): (row: RequestRow, random: Random) => number {
  const insertVersion = inserter(db, 'mergeRequestVersions')
  const insertCommit = inserter(db, 'mergeRequestCommits')
  let versionId = 0
  return ({ id: mergeRequestId, projectId, baseSha, startSha, headSha, createdAt }, random) => {
    const versions = 1 + random.integer(3)
    for (let version = 1; version <= versions; version += 1) {
      versionId += 1
      const head = version === versions ? headSha : hash('sha1', `head ${versionId}`)
      const commits = [head, ...Array.from({ length: random.integer(3) }, (_, index) => index)].map(
        (name) => (typeof name === 'string' ? name : hash('sha1', `commit ${versionId} ${name}`)),
      )
      insertVersion({
        id: versionId,
        mergeRequestId,
        headSha: head,
        baseSha,
        startSha,
        commitCount: commits.length,
        commitsDigest: hash('sha256', commits.join()),
        commitsVersionId: versionId,
        fileCount: 1 + random.integer(20),
        state: 'collected',
        createdAt: createdAt + version * minute,
      })
      for (const [position, sha] of commits.entries()) {
        insertCommit({ versionId, position, mergeRequestId, projectId, sha })
      }
    }
    return versionId
  }
}

/**
 * Writes who may approve, of three in ten merge requests and the measured member for
 * their own, and an approval of half of these.
 */
function approvalWriter(world: World): (item: NewItem, random: Random) => void {
  const insertRule = inserter(world.db, 'approvalRules')
  const insertUser = inserter(world.db, 'approvalRuleUsers')
  const insertApproval = inserter(world.db, 'approvals')
  let ruleId = 0
  return ({ id: mergeRequestId, own, createdAt }, random) => {
    if (!own && !random.chance(0.3)) return
    ruleId += 1
    const userId = own ? member.id : otherThanMember(world, random)
    insertRule({ id: ruleId, mergeRequestId, ...fallback, createdAt })
    insertUser({ ruleId, userId })
    if (random.chance(0.5)) insertApproval({ mergeRequestId, userId, createdAt })
  }
}

/** Approvers that are listed without a rule. */
const fallback = {
  projectId: null,
  sourceRuleId: null,
  kind: 'fallback',
  name: '',
  approvalsRequired: 0,
} as const satisfies Partial<NewRow<'approvalRules'>>
