import type { Columns, Tools } from '../tools.ts'

export async function createIssues(t: Tools): Promise<void> {
  await t.table('issues', { ...textColumns(t), ...stateColumns(t), ...keptCounts(t) })
  await t.unique('issues', 'projectId', 'iid')
  await createAssignees(t)
  await createLinks(t)
  await createTimeLogs(t)
}

function textColumns(t: Tools): Columns {
  return {
    id: t.id(),
    projectId: t.owner('projects'),
    iid: t.long(),
    authorId: t.owner('users'),
    title: t.text(),
    description: t.textOrNull(),
    milestoneId: t.mentionOrNull('milestones'),
    dueDate: t.textOrNull(),
    weight: t.intOrNull(),
    createdAt: t.long(),
    updatedAt: t.long(),
  }
}

function stateColumns(t: Tools): Columns {
  return {
    state: t.text('opened'),
    confidential: t.int(0),
    discussionLocked: t.intOrNull(),
    timeEstimate: t.long(0),
    totalTimeSpent: t.long(0),
    mergeRequestsCount: t.int(0),
    closedById: t.mentionOrNull('users'),
    closedAt: t.longOrNull(),
    movedToId: t.mentionOrNull('issues'),
    duplicatedToId: t.mentionOrNull('issues'),
  }
}

/** Columns of everything that is commented, awarded, labelled and assigned. */
export function keptCounts(t: Tools): Columns {
  return {
    userNotesCount: t.int(0),
    upvotes: t.int(0),
    downvotes: t.int(0),
    taskCount: t.int(0),
    taskDoneCount: t.int(0),
    labelCount: t.int(0),
    assigneeCount: t.int(0),
  }
}

async function createAssignees(t: Tools): Promise<void> {
  const columns = {
    issueId: t.owner('issues'),
    userId: t.owner('users'),
    position: t.int(),
    createdAt: t.long(),
  }
  await t.table('issueAssignees', columns, ['issueId', 'userId'])
  await t.index('issueAssignees', 'userId', 'createdAt', 'issueId')
}

async function createLinks(t: Tools): Promise<void> {
  await t.table('issueLinks', {
    id: t.id(),
    sourceId: t.owner('issues'),
    targetId: t.owner('issues'),
    createdAt: t.long(),
  })
  await t.unique('issueLinks', 'sourceId', 'targetId')
  await t.index('issueLinks', 'targetId')
  const columns = { mergeRequestId: t.owner('mergeRequests'), issueId: t.owner('issues') }
  await t.table('mergeRequestClosings', columns, ['mergeRequestId', 'issueId'])
  await t.index('mergeRequestClosings', 'issueId', 'mergeRequestId')
}

async function createTimeLogs(t: Tools): Promise<void> {
  await t.table('timeLogs', {
    id: t.id(),
    projectId: t.owner('projects'),
    targetType: t.text(),
    targetId: t.long(),
    userId: t.owner('users'),
    seconds: t.long(),
    spentOn: t.text(),
    createdAt: t.long(),
  })
  await t.index('timeLogs', 'targetType', 'targetId', 'id')
  await t.index('timeLogs', 'projectId')
  await t.index('timeLogs', 'userId', 'id')
}
