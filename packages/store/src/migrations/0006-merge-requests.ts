import type { Kysely } from 'kysely'
import { type Columns, createTools, type Tools } from './tools.ts'

/** mergeRequests, mergeRequestAssignees, mergeRequestVersions, mergeRequestCommits */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const tools = createTools(db, dialect)
  await createMergeRequests(tools)
  await createAssignees(tools)
  await createVersions(tools)
}

async function createMergeRequests(t: Tools): Promise<void> {
  await t.table('mergeRequests', { ...branchColumns(t), ...textColumns(t), ...stateColumns(t) })
  await t.unique('mergeRequests', 'projectId', 'iid')
  for (const order of ['createdAt', 'updatedAt']) {
    await t.index('mergeRequests', order, 'id')
    for (const whose of ['projectId', 'authorId']) {
      await t.index('mergeRequests', whose, order, 'id')
      await t.index('mergeRequests', whose, 'state', order, 'id')
    }
  }
  await t.index('mergeRequests', 'projectId', 'targetBranch', 'state', 'id')
  await t.index('mergeRequests', 'sourceProjectId', 'sourceBranch', 'state', 'id')
  for (const who of ['mergedById', 'closedById', 'mergeUserId']) {
    await t.index('mergeRequests', who)
  }
}

function branchColumns(t: Tools): Columns {
  return {
    id: t.id(),
    projectId: t.owner('projects'),
    iid: t.long(),
    targetBranch: t.text(),
    sourceProjectId: t.mentionOrNull('projects'),
    sourceBranch: t.text(),
    latestVersionId: t.long(0),
    headSha: t.text(),
    baseSha: t.textOrNull(),
    startSha: t.text(),
  }
}

function textColumns(t: Tools): Columns {
  return {
    authorId: t.owner('users'),
    title: t.text(),
    description: t.textOrNull(),
    workInProgress: t.int(0),
    discussionLocked: t.intOrNull(),
    timeEstimate: t.long(0),
    totalTimeSpent: t.long(0),
    createdAt: t.long(),
    updatedAt: t.long(),
  }
}

function stateColumns(t: Tools): Columns {
  return {
    state: t.text('opened'),
    mergeStatus: t.text('unchecked'),
    mergeError: t.textOrNull(),
    mergeCommitSha: t.textOrNull(),
    mergedById: t.mentionOrNull('users'),
    mergedAt: t.longOrNull(),
    closedById: t.mentionOrNull('users'),
    closedAt: t.longOrNull(),
    mergeUserId: t.mentionOrNull('users'),
    mergeWhenPipelineSucceeds: t.int(0),
    squash: t.int(0),
    shouldRemoveSourceBranch: t.intOrNull(),
    forceRemoveSourceBranch: t.int(0),
    allowCollaboration: t.int(0),
  }
}

async function createAssignees(t: Tools): Promise<void> {
  const columns = {
    mergeRequestId: t.owner('mergeRequests'),
    userId: t.owner('users'),
    position: t.int(),
  }
  await t.table('mergeRequestAssignees', columns, ['mergeRequestId', 'userId'])
  await t.index('mergeRequestAssignees', 'userId', 'mergeRequestId')
}

async function createVersions(t: Tools): Promise<void> {
  await t.table('mergeRequestVersions', {
    id: t.id(),
    mergeRequestId: t.owner('mergeRequests'),
    headSha: t.text(),
    baseSha: t.textOrNull(),
    startSha: t.text(),
    commitCount: t.int(),
    commitsDigest: t.text(),
    commitsVersionId: t.long(0),
    createdAt: t.long(),
  })
  await t.index('mergeRequestVersions', 'mergeRequestId', 'id')
  const commitColumns = {
    versionId: t.owner('mergeRequestVersions'),
    position: t.int(),
    mergeRequestId: t.long(),
    projectId: t.long(),
    sha: t.text(),
  }
  await t.table('mergeRequestCommits', commitColumns, ['versionId', 'position'])
  await t.index('mergeRequestCommits', 'projectId', 'sha', 'mergeRequestId', 'versionId')
}
