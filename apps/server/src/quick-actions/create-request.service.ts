import {
  branchForIssueRemark,
  decideOnProject,
  pathFromName,
  requestForIssueRemark,
  withWorkInProgress,
} from '@stithy/core'
import type { RemarkSource } from '@stithy/store'
import type { App } from '../app.ts'
import { createBranch } from '../branches/branch-write.service.ts'
import type { Caller } from '../http/call.ts'
import { webUrl } from '../http/urls.ts'
import type { IssueItem } from '../items/item.ts'
import { labelsOf } from '../labels/labelling.service.ts'
import { createMergeRequest } from '../merge-requests/merge-request-create.service.ts'
import { requireMergeRequest } from '../merge-requests/merge-request-found.ts'
import { updateMergeRequest } from '../merge-requests/merge-request-update.service.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { remarkNaming } from '../system-notes/system-note.service.ts'

const maxSlugLength = 100

/**
 * Makes a branch for an issue and a merge request from it that closes the issue, with its labels and
 * milestone, assigned to the caller; false where the caller may not, or where it would tell of a confidential
 * issue. Without a name the branch is called after the issue.
 * @throws DomainError as `createBranch` does.
 */
export async function createRequestFor(
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
  const path = `${project.row.fullPath}/compare/${encodeURI(`${target}...${branch}`)}`
  const link = webUrl(app.config, path)
  const { id: projectId } = project.row
  const code = { type: 'code', key: branch, projectId } as const
  await say(app, caller, issue, code, branchForIssueRemark(branch, link))
  const { id, iid } = await openRequest(app, caller, issue, { source: branch, target })
  const request = { type: 'merge_request', key: String(id), projectId } as const
  await say(app, caller, issue, request, requestForIssueRemark(iid))
  return true
}

function branchName({ row }: IssueItem): string {
  const slug = pathFromName(row.title)
    .slice(0, maxSlugLength)
    .replace(/[-.]+$/, '')
  return slug === '' ? String(row.iid) : `${row.iid}-${slug}`
}

async function say(
  app: App,
  caller: Caller,
  issue: IssueItem,
  source: RemarkSource,
  body: string,
): Promise<void> {
  const said = { authorId: requireCaller(caller).id, body, at: app.now() }
  await app.db.transaction((tx) => remarkNaming(tx, issue, source, said))
}

async function openRequest(
  app: App,
  caller: Caller,
  { row, project }: IssueItem,
  branches: { source: string; target: string },
): Promise<{ id: number; iid: number }> {
  const userId = requireCaller(caller).id
  const title = withWorkInProgress(`Resolve "${[...row.title].slice(0, 200).join('')}"`)
  const made = await createMergeRequest(app, {
    target: project.row,
    targetBranch: branches.target,
    source: project.row,
    sourceBranch: branches.source,
    authorId: userId,
    title,
    description: `Closes #${row.iid}`,
    assigneeIds: [userId],
  })
  const labels = (await labelsOf(app, 'issue', [row.id])).get(row.id) ?? []
  const addLabelNames = labels.map((label) => label.name)
  if (addLabelNames.length === 0 && row.milestoneId === null) return made
  const item = await requireMergeRequest(app, caller, project, made.iid)
  const milestone = row.milestoneId === null ? {} : { milestoneId: row.milestoneId }
  await updateMergeRequest(app, caller, item, { addLabelNames, ...milestone })
  return made
}
