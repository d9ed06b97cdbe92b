import { type BodyOf, type mergeRequestsContract, notFound } from '@stithy/core'
import { areInSameForkNetwork } from '../../../directory/forks/fork-network.service.ts'
import { type ProjectSubject, requireProject } from '../../../directory/projects/project-subject.ts'
import { mergeChange } from '../../../planning/issues/issue-input.ts'
import { filterAssignable } from '../../../planning/items/changes/item-assignees.ts'
import type { ItemSettings } from '../../../planning/items/changes/item-change.ts'
import {
  permittedSettings,
  validateTexts,
} from '../../../planning/items/changes/permitted-settings.ts'
import { milestoneOrNull } from '../../../planning/items/changes/plan-item-change.ts'
import type { MergeRequestDraft, MergeRequestItem } from '../../../planning/items/item.ts'
import { findMergeRequestItem } from '../../../planning/items/item-access.ts'
import { planLabels } from '../../../planning/labels/labelling.service.ts'
import {
  planQuickActions,
  runDeferredActions,
} from '../../../planning/quick-actions/quick-action.service.ts'
import type { App } from '../../../platform/app.ts'
import { decideOn, enforce } from '../../../platform/http/authorize.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { requireCaller } from '../../../platform/http/require-caller.ts'
import { scanText } from '../../../platform/text/scan-text.ts'
import { createMergeRequest, type MergeRequestCreation } from '../merge-request-create.service.ts'
import { settingsOf } from '../merge-request-parameters.ts'
import { updateMergeRequest } from '../merge-request-update.service.ts'
import { mayCollaborate } from '../update/collaboration.service.ts'
import { mergeRequestType, reload } from '../update/merge-request-type.ts'
import { baseError, requireDifferentBranches } from '../update/retarget.service.ts'

/** The two branches of a new merge request, with their projects as the caller sees them. */
export interface Branches {
  source: ProjectSubject
  sourceBranch: string
  target: ProjectSubject
  targetBranch: string
}

/** The settings of a new merge request. */
export interface MergeRequestInput extends ItemSettings {
  title: string
  approvalsBeforeMerge?: number | undefined
}

/**
 * Handles `POST /projects/:id/merge_requests`: from the project, into itself or another one of its
 * fork network.
 * @throws DomainError as `openMergeRequest`; `not_found` if the caller cannot see the target.
 */
export async function openByRequest(
  app: App,
  caller: Caller,
  source: ProjectSubject,
  body: BodyOf<typeof mergeRequestsContract.create>,
): Promise<MergeRequestItem> {
  const { target_project_id: targetId = source.row.id } = body
  const target =
    targetId === source.row.id ? source : await requireProject(app, String(targetId), caller)
  const branches = { sourceBranch: body.source_branch, targetBranch: body.target_branch }
  const approvalsBeforeMerge = body.approvals_before_merge
  const input = { ...settingsOf(body), title: body.title, approvalsBeforeMerge }
  return openMergeRequest(app, caller, { source, target, ...branches }, input)
}

/**
 * Creates a merge request from a project where the caller may, applies the quick actions in its
 * description, and ignores settings that the caller may not set in the target.
 * @throws DomainError `forbidden` if the caller may not create one in the target; `unprocessable`
 * if both sides are the same branch, or the projects share no fork network; and as
 * `createMergeRequest`.
 */
export async function openMergeRequest(
  app: App,
  caller: Caller,
  branches: Branches,
  input: MergeRequestInput,
): Promise<MergeRequestItem> {
  await requireBranches(app, caller, branches)
  const { target } = branches
  const requested = validateTexts(permittedSettings(mergeRequestType, caller, target, input))
  const { text, commands } = await scanText('splitQuickActions', requested.description ?? '')
  const settings = requested.description ? { ...requested, description: text } : requested
  const draft = draftOf(caller, branches, settings)
  if (commands.length === 0) {
    return create(app, caller, branches, settings)
  }
  const { change, deferredActions } = await planQuickActions(app, caller, draft, commands)
  const { stateEvent, targetBranch = branches.targetBranch } = change
  const ends = { ...branches, targetBranch }
  const item = await create(app, caller, ends, mergeChange(settings, change))
  if (stateEvent === 'close') await updateMergeRequest(app, caller, item, { stateEvent })
  await runDeferredActions(deferredActions, item)
  return reload(app, item)
}

async function requireBranches(app: App, caller: Caller, branches: Branches): Promise<void> {
  const { source, sourceBranch, target, targetBranch } = branches
  enforce(decideOn(app, 'project', 'create_merge_request_in', target, caller), caller, 'Project')
  requireDifferentBranches(
    { projectId: source.row.id, branch: sourceBranch },
    { projectId: target.row.id, branch: targetBranch },
  )
  if (!(await areInSameForkNetwork(app, source, target))) {
    throw baseError('Source project is not a fork of the target project')
  }
}

function draftOf(
  caller: Caller,
  { source, sourceBranch, target, targetBranch }: Branches,
  { title, description = null }: MergeRequestInput,
): MergeRequestDraft {
  const row = {
    projectId: target.row.id,
    targetBranch,
    sourceProjectId: source.row.id,
    sourceBranch,
    authorId: requireCaller(caller).id,
    title,
    description,
    state: 'opened',
    discussionLocked: null,
    milestoneId: null,
  } as const
  return { type: 'merge_request', row, project: target, assigneeIds: [] }
}

async function create(
  app: App,
  caller: Caller,
  branches: Branches,
  settings: MergeRequestInput,
): Promise<MergeRequestItem> {
  const { source, target, sourceBranch, targetBranch } = branches
  const creation: MergeRequestCreation = {
    source: source.row,
    sourceBranch,
    target: target.row,
    targetBranch,
    authorId: requireCaller(caller).id,
    title: settings.title,
    description: settings.description ?? null,
    squash: settings.squash ?? false,
    forceRemoveSourceBranch: settings.removeSourceBranch ?? false,
    discussionLocked: settings.discussionLocked,
    approvalsBeforeMerge: settings.approvalsBeforeMerge,
    ...(await planningOf(app, caller, branches, settings)),
    allowCollaboration:
      settings.allowCollaboration === true && (await mayCollaborate(app, caller, branches)),
  }
  const { iid } = await createMergeRequest(app, creation)
  const item = await findMergeRequestItem(app, caller, target, iid)
  if (item === undefined) throw notFound('Merge Request')
  return item
}

/** At most five queries. */
async function planningOf(
  app: App,
  caller: Caller,
  branches: Branches,
  settings: MergeRequestInput,
): Promise<Pick<MergeRequestCreation, 'assigneeIds' | 'milestone' | 'labels'>> {
  const { assigneeIds = [], milestoneId = null, labelNames = [] } = settings
  const { target } = branches
  const draft = draftOf(caller, branches, settings)
  return {
    assigneeIds: await filterAssignable(app, draft, assigneeIds),
    milestone: await milestoneOrNull(app, { project: target }, milestoneId),
    labels:
      labelNames.length === 0
        ? undefined
        : await planLabels(app, caller, { project: target }, labelNames, { create: true }),
  }
}
