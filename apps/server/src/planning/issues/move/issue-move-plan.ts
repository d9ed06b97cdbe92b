import { badRequest, decideOnProject } from '@stithy/core'
import type { NewIssue } from '@stithy/store'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { filterAssignable } from '../../items/changes/item-assignees.ts'
import type { IssueItem } from '../../items/item.ts'
import type { LabelPlan } from '../../labels/labelling.service.ts'
import { findUsableMilestone, milestonesById } from '../../milestones/milestone-views.service.ts'
import { type ContentPlan, planContents, planCopiedLabels } from '../copy/issue-copy.service.ts'

/** An issue that can be moved, with the contents of its copy. */
export interface MovePlan {
  source: IssueItem
  target: ProjectSubject
  row: NewIssue
  assigneeIds: readonly number[]
  labels: LabelPlan
  contents: ContentPlan
}

/** Requires that the issue can be moved to the target. @throws DomainError `bad_request` */
export function requireMovable(caller: Caller, source: IssueItem, target: ProjectSubject): void {
  if (source.project.row.id === target.row.id) {
    throw badRequest('Cannot move issue to project it originates from!')
  }
  const decision = decideOnProject('admin_issues', caller.facts, target.facts)
  if (!decision.allowed || source.row.movedToId !== null) throw cannotMove()
}

export function cannotMove() {
  return badRequest('Cannot move issue due to insufficient permissions!')
}

/** Looks up the contents of the copy in the target project. @param now milliseconds */
export async function planMove(
  app: App,
  caller: Caller,
  source: IssueItem,
  target: ProjectSubject,
  now: number,
): Promise<MovePlan> {
  const contents = await planContents(app, caller, source, { project: target })
  const assigneeIds = await filterAssignable(
    app,
    { ...source, project: target },
    source.assigneeIds,
  )
  const row = copiedRow(source, target, now)
  row.description = contents.description
  row.milestoneId = await milestoneInTarget(app, source, target)
  row.assigneeCount = assigneeIds.length
  const labels = await planCopiedLabels(app, caller, source, { project: target })
  return { source, target, row, assigneeIds, labels, contents }
}

function copiedRow({ row }: IssueItem, target: ProjectSubject, now: number): NewIssue {
  return {
    projectId: target.row.id,
    authorId: row.authorId,
    title: row.title,
    description: row.description,
    state: row.state,
    confidential: row.confidential,
    discussionLocked: row.discussionLocked,
    milestoneId: null,
    dueDate: row.dueDate,
    weight: row.weight,
    taskCount: row.taskCount,
    taskDoneCount: row.taskDoneCount,
    assigneeCount: 0,
    closedById: row.closedById,
    closedAt: row.closedAt,
    createdAt: row.createdAt,
    updatedAt: now,
  }
}

/** The milestone of the target with the same title. */
async function milestoneInTarget(
  app: App,
  { row }: IssueItem,
  target: ProjectSubject,
): Promise<number | null> {
  if (row.milestoneId === null) return null
  const milestone = (await milestonesById(app, [row.milestoneId])).get(row.milestoneId)
  if (milestone === undefined) return null
  return (await findUsableMilestone(app, target, { title: milestone.title }))?.id ?? null
}
