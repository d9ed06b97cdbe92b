import { sql } from 'kysely'
import { type Columns, type Tools, workItemCounts } from '../tools.ts'
import { createWorkItemIndexes } from './work-item-indexes.ts'

/** issues, issueAssignees, issueLinks, timeLogs */
export async function createIssues(t: Tools): Promise<void> {
  await t.table('issues', { ...textColumns(t), ...stateColumns(t), ...workItemCounts(t) })
  await t.unique('issues', 'projectId', 'iid')
  await createIndexes(t)
  await createAssignees(t)
  await createLinks(t)
  await createTimeLogs(t)
}

function textColumns(t: Tools): Columns {
  return {
    id: t.id(),
    projectId: t.parent('projects'),
    iid: t.long(),
    authorId: t.parent('users'),
    title: t.text(),
    description: t.textOrNull(),
    milestoneId: t.referenceOrNull('milestones'),
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
    closedById: t.referenceOrNull('users'),
    closedAt: t.longOrNull(),
    updatedById: t.referenceOrNull('users'),
    lastEditedAt: t.longOrNull(),
    lastEditedById: t.referenceOrNull('users'),
    movedToId: t.referenceOrNull('issues'),
    duplicatedToId: t.referenceOrNull('issues'),
    promotedToEpicId: t.referenceOrNull('epics'),
    relativePosition: t.long(0),
  }
}

async function createAssignees(t: Tools): Promise<void> {
  const columns = {
    issueId: t.parent('issues'),
    userId: t.parent('users'),
    position: t.int(),
    createdAt: t.long(),
  }
  await t.table('issueAssignees', columns, ['issueId', 'userId'])
  await t.index('issueAssignees', 'userId', 'createdAt', 'issueId')
}

async function createLinks(t: Tools): Promise<void> {
  await t.table('issueLinks', {
    id: t.id(),
    sourceId: t.parent('issues'),
    targetId: t.parent('issues'),
    createdAt: t.long(),
  })
  await t.unique('issueLinks', 'sourceId', 'targetId')
  await t.index('issueLinks', 'targetId')
}

async function createTimeLogs(t: Tools): Promise<void> {
  await t.table('timeLogs', {
    id: t.id(),
    projectId: t.parent('projects'),
    targetType: t.text(),
    targetId: t.long(),
    userId: t.parent('users'),
    seconds: t.long(),
    spentOn: t.text(),
    createdAt: t.long(),
  })
  await t.index('timeLogs', 'targetType', 'targetId', 'id')
  await t.index('timeLogs', 'projectId')
  await t.index('timeLogs', 'userId', 'id')
}

/**
 * The indexes of issue lists. Newest first is the usual order, so most end with `createdAt` and the
 * id; `confidential`, which nearly every list filters by, comes last so that counts need only the
 * index.
 */
async function createIndexes(t: Tools): Promise<void> {
  const byAge = ['createdAt', 'id', 'confidential']
  await t.index('issues', ...byAge)
  await t.index('issues', 'state', ...byAge)
  await t.index('issues', 'updatedAt', 'id', 'projectId', 'confidential')
  await t.index('issues', 'projectId', ...byAge)
  await t.index('issues', 'projectId', 'state', ...byAge)
  await t.index('issues', 'projectId', 'updatedAt', 'id', 'confidential')
  await t.index('issues', 'relativePosition', 'id', 'projectId', 'confidential')
  await t.index('issues', 'projectId', 'relativePosition', 'id', 'confidential')
  await t.index('issues', 'authorId', 'createdAt', 'id', 'projectId', 'confidential')
  await t.notNullIndex('issues', 'milestoneId', [
    'milestoneId',
    'createdAt',
    'id',
    'projectId',
    'confidential',
  ])
  await t.index('issues', 'iid', ...byAge)
  await createDueIndex(t)
  const references = [
    ...['closedById', 'updatedById', 'lastEditedById'],
    ...['movedToId', 'duplicatedToId', 'promotedToEpicId'],
  ]
  for (const column of references) await t.notNullIndex('issues', column)
  await createWorkItemIndexes(t, {
    name: 'issues',
    rareFlag: 'confidential',
    hasWeight: true,
    counted: ['confidential'],
  })
}

/** The open issues that are due on a day, of which there are few. */
async function createDueIndex(t: Tools): Promise<void> {
  await t.db.schema
    .createIndex('issues_opened_dueDate_id_index')
    .on('issues')
    .columns(['dueDate', 'id'])
    .where(sql.ref('state'), '=', 'opened')
    .where(sql.ref('dueDate'), 'is not', null)
    .execute()
}
