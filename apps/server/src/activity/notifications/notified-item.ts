import { DomainError } from '@stithy/core'
import {
  findEpicsById,
  findIssuesById,
  findMergeRequestById,
  findSnippet,
  listIssueAssignees,
  listMergeRequestAssignees,
} from '@stithy/store'
import { requireCommit } from '../../code/commits/commit.service.ts'
import { loadGroup } from '../../directory/groups/group-subject.ts'
import { loadProject } from '../../directory/projects/project-subject.ts'
import type { Item } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import type { DecidedCaller } from '../../platform/http/subjects.ts'
import type { NotificationTarget } from './notification.ts'

/**
 * Loads what a notification is about, as a user sees it; without a permission check. Undefined if it
 * was deleted.
 */
export async function loadTarget(
  app: App,
  target: NotificationTarget,
  caller: DecidedCaller,
): Promise<Item | undefined> {
  switch (target.type) {
    case 'issue':
      return loadIssue(app, target.id, caller)
    case 'merge_request':
      return loadMergeRequest(app, target.id, caller)
    case 'snippet':
      return loadSnippet(app, target.id, caller)
    case 'epic':
      return loadEpic(app, target.id, caller)
    case 'commit':
      return loadCommit(app, target, caller)
  }
}

async function loadIssue(app: App, id: number, caller: DecidedCaller): Promise<Item | undefined> {
  const [row] = await findIssuesById(app.db, [id])
  const project = row && (await loadProject(app, String(row.projectId), caller))
  if (row === undefined || project === undefined) return undefined
  const assignees = await listIssueAssignees(app.db, [id])
  return { type: 'issue', row, project, assigneeIds: assignees.map(({ userId }) => userId) }
}

async function loadMergeRequest(
  app: App,
  id: number,
  caller: DecidedCaller,
): Promise<Item | undefined> {
  const row = await findMergeRequestById(app.db, id)
  const project = row && (await loadProject(app, String(row.projectId), caller))
  if (row === undefined || project === undefined) return undefined
  const assignees = await listMergeRequestAssignees(app.db, [id])
  const assigneeIds = assignees.map(({ userId }) => userId)
  return { type: 'merge_request', row, project, assigneeIds }
}

async function loadSnippet(app: App, id: number, caller: DecidedCaller): Promise<Item | undefined> {
  const row = await findSnippet(app.db, id)
  if (row === undefined) return undefined
  if (row.projectId === null) return { type: 'snippet', row, project: undefined }
  const project = await loadProject(app, String(row.projectId), caller)
  return project && { type: 'snippet', row, project }
}

async function loadEpic(app: App, id: number, caller: DecidedCaller): Promise<Item | undefined> {
  const [row] = await findEpicsById(app.db, [id])
  const group = row && (await loadGroup(app, String(row.groupId), caller))
  return row && group && { type: 'epic', row, group }
}

async function loadCommit(
  app: App,
  { projectId, commitId }: Extract<NotificationTarget, { type: 'commit' }>,
  caller: DecidedCaller,
): Promise<Item | undefined> {
  const project = await loadProject(app, String(projectId), caller)
  if (project === undefined) return undefined
  try {
    const { oid, title } = await requireCommit(app, project.row, commitId)
    return { type: 'commit', commitId: oid, title, project }
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return undefined
    throw error
  }
}
