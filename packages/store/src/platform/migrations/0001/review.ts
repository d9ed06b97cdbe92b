import { sql } from 'kysely'
import { type Columns, type Tools, workItemCounts } from '../tools.ts'
import { createWorkItemIndexes } from './work-item-indexes.ts'

/** Merge requests, their assignees, versions and approvals, and the issues that they close. */
export async function createReview(t: Tools): Promise<void> {
  await createMergeRequests(t)
  await createAssignees(t)
  await createVersions(t)
  await createClosings(t)
  await createApprovals(t)
  await createViewedFiles(t)
}

async function createMergeRequests(t: Tools): Promise<void> {
  await t.table('mergeRequests', {
    ...branchColumns(t),
    ...textColumns(t),
    ...stateColumns(t),
    milestoneId: t.referenceOrNull('milestones'),
    ...workItemCounts(t),
  })
  await t.unique('mergeRequests', 'projectId', 'iid')
  for (const order of ['createdAt', 'updatedAt']) {
    await t.index('mergeRequests', order, 'id')
    for (const column of ['projectId', 'authorId']) {
      await t.index('mergeRequests', column, order, 'id')
      await t.index('mergeRequests', column, 'state', order, 'id')
    }
  }
  await t.index('mergeRequests', 'projectId', 'targetBranch', 'state', 'id')
  await t.index('mergeRequests', 'sourceProjectId', 'sourceBranch', 'state', 'id')
  const people = ['mergedById', 'closedById', 'updatedById', 'lastEditedById', 'mergeUserId']
  for (const column of people) await t.notNullIndex('mergeRequests', column)
  await t.notNullIndex('mergeRequests', 'mergeCommitSha', ['projectId', 'mergeCommitSha'])
  await t.notNullIndex('mergeRequests', 'milestoneId', ['milestoneId', 'createdAt', 'id'])
  await createListIndexes(t)
  await createOpenKey(t)
}

/** At most one is open between two branches; one that is being merged may be opened again. */
async function createOpenKey({ db }: Tools): Promise<void> {
  await db.schema
    .createIndex('mergeRequests_open_key')
    .on('mergeRequests')
    .columns(['sourceProjectId', 'sourceBranch', 'projectId', 'targetBranch'])
    .unique()
    .where(sql.ref('state'), 'in', ['opened', 'locked'])
    .execute()
}

/** Indexes of filters that lists of issues do not have, or have with other columns. */
async function createListIndexes(t: Tools): Promise<void> {
  await t.index('mergeRequests', 'state', 'createdAt', 'id')
  await t.index('mergeRequests', 'sourceBranch', 'createdAt', 'id')
  await t.index('mergeRequests', 'projectId', 'sourceBranch', 'createdAt', 'id')
  await t.index('mergeRequests', 'targetBranch', 'createdAt', 'id')
  await createWorkItemIndexes(t, {
    name: 'mergeRequests',
    rareFlag: 'workInProgress',
    hasWeight: false,
    counted: [],
  })
}

function branchColumns(t: Tools): Columns {
  return {
    id: t.id(),
    projectId: t.parent('projects'),
    iid: t.long(),
    targetBranch: t.text(),
    sourceProjectId: t.referenceOrNull('projects'),
    sourceBranch: t.text(),
    latestVersionId: t.long(0),
    headSha: t.text(),
    baseSha: t.textOrNull(),
    startSha: t.text(),
  }
}

function textColumns(t: Tools): Columns {
  return {
    authorId: t.parent('users'),
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
    mergedById: t.referenceOrNull('users'),
    mergedAt: t.longOrNull(),
    closedById: t.referenceOrNull('users'),
    closedAt: t.longOrNull(),
    updatedById: t.referenceOrNull('users'),
    lastEditedAt: t.longOrNull(),
    lastEditedById: t.referenceOrNull('users'),
    mergeUserId: t.referenceOrNull('users'),
    mergeWhenPipelineSucceeds: t.int(0),
    mergeParams: t.textOrNull(),
    pendingMerge: t.textOrNull(),
    squash: t.int(0),
    shouldRemoveSourceBranch: t.intOrNull(),
    forceRemoveSourceBranch: t.int(0),
    allowCollaboration: t.int(0),
    rebaseStartedAt: t.longOrNull(),
    rebasedSha: t.textOrNull(),
    approvalsBeforeMerge: t.intOrNull(),
  }
}

async function createAssignees(t: Tools): Promise<void> {
  const columns = {
    mergeRequestId: t.parent('mergeRequests'),
    userId: t.parent('users'),
    position: t.int(),
    createdAt: t.long(0),
  }
  await t.table('mergeRequestAssignees', columns, ['mergeRequestId', 'userId'])
  await t.index('mergeRequestAssignees', 'userId', 'mergeRequestId')
  await t.index('mergeRequestAssignees', 'userId', 'createdAt', 'mergeRequestId')
}

async function createVersions(t: Tools): Promise<void> {
  await t.table('mergeRequestVersions', {
    id: t.id(),
    mergeRequestId: t.parent('mergeRequests'),
    headSha: t.text(),
    baseSha: t.textOrNull(),
    startSha: t.text(),
    commitCount: t.int(),
    commitsDigest: t.text(),
    commitsVersionId: t.long(0),
    fileCount: t.int(0),
    state: t.text('collected'),
    createdAt: t.long(),
  })
  await t.index('mergeRequestVersions', 'mergeRequestId', 'id')
  const commitColumns = {
    versionId: t.parent('mergeRequestVersions'),
    position: t.int(),
    mergeRequestId: t.long(),
    projectId: t.long(),
    sha: t.text(),
  }
  await t.table('mergeRequestCommits', commitColumns, ['versionId', 'position'])
  await t.index('mergeRequestCommits', 'projectId', 'sha', 'mergeRequestId', 'versionId')
}

async function createClosings(t: Tools): Promise<void> {
  const columns = { mergeRequestId: t.parent('mergeRequests'), issueId: t.parent('issues') }
  await t.table('mergeRequestClosings', columns, ['mergeRequestId', 'issueId'])
  await t.index('mergeRequestClosings', 'issueId', 'mergeRequestId')
}

async function createApprovals(t: Tools): Promise<void> {
  const settings = {
    projectId: t.parent('projects'),
    resetApprovalsOnPush: t.int(),
    disableOverridingApprovers: t.int(),
    mergeRequestsAuthorApproval: t.int(),
  }
  await t.table('projectApprovalSettings', settings, ['projectId'])
  await t.table('approvalRules', {
    id: t.id(),
    projectId: t.parentOrNull('projects'),
    mergeRequestId: t.parentOrNull('mergeRequests'),
    sourceRuleId: t.referenceOrNull('approvalRules'),
    kind: t.text(),
    name: t.text(),
    approvalsRequired: t.int(),
    createdAt: t.long(),
  })
  // A rule belongs to one of the two, and nulls are distinct.
  await t.unique('approvalRules', 'projectId', 'kind', 'name')
  await t.unique('approvalRules', 'mergeRequestId', 'kind', 'name')
  await t.unique('approvalRules', 'sourceRuleId', 'mergeRequestId')
  const users = { ruleId: t.parent('approvalRules'), userId: t.parent('users') }
  await t.table('approvalRuleUsers', users, ['ruleId', 'userId'])
  await t.index('approvalRuleUsers', 'userId', 'ruleId')
  const groups = { ruleId: t.parent('approvalRules'), groupId: t.parent('namespaces') }
  await t.table('approvalRuleGroups', groups, ['ruleId', 'groupId'])
  await t.index('approvalRuleGroups', 'groupId', 'ruleId')
  const given = {
    mergeRequestId: t.parent('mergeRequests'),
    userId: t.parent('users'),
    createdAt: t.long(),
  }
  await t.table('approvals', given, ['mergeRequestId', 'userId'])
  await t.index('approvals', 'userId', 'mergeRequestId')
}

async function createViewedFiles(t: Tools): Promise<void> {
  await t.table('viewedFiles', {
    id: t.id(),
    mergeRequestId: t.parent('mergeRequests'),
    userId: t.parent('users'),
    path: t.text(),
    pathHash: t.text(),
    mode: t.text(),
    oid: t.text(),
    viewedAt: t.long(),
  })
  await t.unique('viewedFiles', 'mergeRequestId', 'userId', 'pathHash')
  await t.index('viewedFiles', 'userId')
}
