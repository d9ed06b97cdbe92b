import { badRequest, forbidden, type RequestPushOptions } from '@stithy/core'
import { readCommit } from '@stithy/git'
import { listMentionedUsers, type MergeRequestRow } from '@stithy/store'
import type { AnsweredPush } from '../../code/git-http/push-messages.ts'
import type { ItemChange } from '../../planning/items/changes/item-change.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import { findMergeRequestItem } from '../../planning/items/item-access.ts'
import { findUsableMilestone } from '../../planning/milestones/milestone-views.service.ts'
import type { App } from '../../platform/app.ts'
import { decideOn, enforce } from '../../platform/http/authorize.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { updateMergeRequest } from '../merge-requests/merge-request-update.service.ts'
import { openMergeRequest } from '../merge-requests/open/merge-request-open.service.ts'
import { mayMerge } from '../merge-requests/read/merge-request-detail.service.ts'
import { queueMerge } from '../merging/auto-merge.service.ts'

/** A pushed branch with the open merge requests from it. */
interface OptionBranch {
  name: string
  tip: string
  open: readonly MergeRequestRow[]
}

/**
 * Opens a merge request from a pushed branch, into the default branch unless another one is given,
 * or updates those that are open within the project.
 * @throws DomainError if the caller may not, or as these do.
 */
export async function applyPushOptions(
  app: App,
  push: AnsweredPush,
  branch: OptionBranch,
  options: RequestPushOptions,
): Promise<void> {
  const own = branch.open.filter(({ projectId }) => projectId === push.project.row.id)
  const change = await changeOf(app, push, options)
  if (own.length === 0) {
    if (!options.create) {
      throw badRequest(
        `A merge_request.create push option is required to create a merge request for branch ${branch.name}`,
      )
    }
    await queue(app, push, await open(app, push, branch, change), options)
    return
  }
  for (const row of own) {
    const item = await findMergeRequestItem(app, push.caller, push.project, row.iid)
    if (item === undefined) continue
    const decision = decideOn(app, 'merge_request', 'update_merge_request', item, push.caller)
    enforce(decision, push.caller, 'Merge Request')
    await queue(app, push, await updateMergeRequest(app, push.caller, item, change), options)
  }
}

async function open(
  app: App,
  { project, caller }: AnsweredPush,
  { name, tip }: OptionBranch,
  {
    addLabelNames,
    addAssigneeIds,
    removeLabelNames: _,
    removeAssigneeIds: __,
    ...change
  }: ItemChange,
): Promise<MergeRequestItem> {
  const targetBranch = change.targetBranch ?? project.row.defaultBranch
  if (targetBranch === null) throw badRequest('The project has no default branch')
  const commit = await readCommit(app.git, repositoryOf(app, project.row), tip)
  const message = commit?.message ?? ''
  const body = message.slice(commit?.title.length ?? 0).trim()
  const branches = { source: project, sourceBranch: name, target: project, targetBranch }
  return openMergeRequest(app, caller, branches, {
    ...change,
    title: change.title ?? commit?.title ?? name,
    description: change.description ?? (body === '' ? undefined : body),
    labelNames: addLabelNames,
    assigneeIds: addAssigneeIds,
  })
}

/**
 * Lets a merge request wait for the pipeline of the pushed head, if there is one.
 * @throws DomainError `forbidden` if the caller may not merge it.
 */
async function queue(
  app: App,
  { caller }: AnsweredPush,
  item: MergeRequestItem,
  { mergeWhenPipelineSucceeds }: RequestPushOptions,
): Promise<void> {
  if (!mergeWhenPipelineSucceeds) return
  if (!(await mayMerge(app, caller, item))) throw forbidden('You may not merge this merge request')
  await queueMerge(app, caller, item, {})
}

async function changeOf(
  app: App,
  { project }: AnsweredPush,
  options: RequestPushOptions,
): Promise<ItemChange> {
  const { target, title, description, milestone, labels, removedLabels } = options
  const found =
    milestone === undefined
      ? undefined
      : await findUsableMilestone(app, project, { title: milestone })
  const assigned = await userIds(app, options.assign)
  const unassigned = await userIds(app, options.unassign)
  return {
    ...(target === undefined ? {} : { targetBranch: target }),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(found === undefined ? {} : { milestoneId: found.id }),
    ...(options.removeSourceBranch ? { removeSourceBranch: true } : {}),
    ...(labels.length === 0 ? {} : { addLabelNames: labels }),
    ...(removedLabels.length === 0 ? {} : { removeLabelNames: removedLabels }),
    ...(assigned.length === 0 ? {} : { addAssigneeIds: assigned }),
    ...(unassigned.length === 0 ? {} : { removeAssigneeIds: unassigned }),
  }
}

/** Users by id or username, in order. At most one query. */
async function userIds(app: App, users: readonly string[]): Promise<number[]> {
  const names = users.filter((user) => !/^\d{1,15}$/.test(user)).map(lowerName)
  const found = names.length === 0 ? [] : await listMentionedUsers(app.db, names)
  const byName = new Map(found.map(({ usernameLower, id }) => [usernameLower, id]))
  return users.flatMap((user) =>
    /^\d{1,15}$/.test(user) ? Number(user) : (byName.get(lowerName(user)) ?? []),
  )
}

function lowerName(user: string): string {
  return user.replace(/^@/, '').toLowerCase()
}
