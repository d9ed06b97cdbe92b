import {
  decideOnProject,
  pathFromName,
  type SystemNote,
  trimEndCharacters,
  withWorkInProgress,
} from '@stithy/core'
import { createBranch } from '../../code/branches/branch-write.service.ts'
import type { IssueItem, MergeRequestItem } from '../../planning/items/item.ts'
import { loadLabels } from '../../planning/labels/labelling.service.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { openMergeRequest } from './open/merge-request-open.service.ts'

const maxSlugLength = 100

/**
 * Creates a branch for an issue and a merge request from it that closes the issue, with its labels
 * and milestone, assigned to the caller; false if the caller may not, or if the issue is
 * confidential. The default branch name is derived from the issue.
 * @throws DomainError as `createBranch` does.
 */
export async function createForIssue(
  app: App,
  caller: Caller,
  issue: IssueItem,
  name: string,
): Promise<boolean> {
  const { row, project } = issue
  const may = (ability: 'push_code' | 'admin_merge_requests') =>
    decideOnProject(ability, caller.facts, project.facts).allowed
  const target = project.row.defaultBranch
  if (row.confidential === 1 || target === null) return false
  if (!may('push_code') || !may('admin_merge_requests')) return false
  const branch = name === '' ? branchName(issue) : name
  await createBranch(app, { subject: project, caller }, { branch, ref: target })
  const { id: projectId } = project.row
  const code = { type: 'code', key: branch, projectId } as const
  await addNote(app, caller, issue, { action: 'branch_created', target, source: code })
  const branches = { sourceBranch: branch, targetBranch: target }
  const made = await openRequest(app, caller, issue, branches)
  const request = { type: 'merge_request', key: String(made.row.id), projectId } as const
  await addNote(app, caller, issue, { action: 'merge_request_created', source: request })
  return true
}

function branchName({ row }: IssueItem): string {
  const slug = trimEndCharacters(pathFromName(row.title).slice(0, maxSlugLength), '-.')
  return slug === '' ? String(row.iid) : `${row.iid}-${slug}`
}

async function addNote(
  app: App,
  caller: Caller,
  issue: IssueItem,
  note: SystemNote,
): Promise<void> {
  const now = app.now()
  const by = { userId: requireCaller(caller).id, at: now, now }
  await app.db.transaction((tx) =>
    recordChange(tx, { kind: 'item.noted', ...by, item: issue, notes: [note] }),
  )
}

async function openRequest(
  app: App,
  caller: Caller,
  { row, project }: IssueItem,
  { sourceBranch, targetBranch }: { sourceBranch: string; targetBranch: string },
): Promise<MergeRequestItem> {
  const labels = (await loadLabels(app, 'issue', [row.id])).get(row.id) ?? []
  const branches = { source: project, sourceBranch, target: project, targetBranch }
  return openMergeRequest(app, caller, branches, {
    title: withWorkInProgress(`Resolve "${[...row.title].slice(0, 200).join('')}"`),
    description: `Closes #${row.iid}`,
    assigneeIds: [requireCaller(caller).id],
    labelNames: labels.map(({ name }) => name),
    milestoneId: row.milestoneId,
  })
}
