import { badRequest, decideOnProject } from '@stithy/core'
import { type CopiedNote, findNoteDependents, listIssueNotes, type NewIssue } from '@stithy/store'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { shareUploads } from '../../../platform/uploads/upload-files.ts'
import { filterAssignable } from '../../items/changes/item-assignees.ts'
import type { IssueItem } from '../../items/item.ts'
import { type LabelPlan, loadLabels, planLabels } from '../../labels/labelling.service.ts'
import { findUsableMilestone, milestonesById } from '../../milestones/milestone-views.service.ts'
import { withMilestoneSources } from './copied-system-notes.service.ts'
import { crossProjectRewrite, type Rewrite } from './cross-project-text.ts'

/** An issue that can be moved, with the contents of its copy. */
export interface MovePlan {
  source: IssueItem
  target: ProjectSubject
  row: NewIssue
  assigneeIds: readonly number[]
  labels: LabelPlan
  /** As they will be stored. */
  notes: readonly CopiedNote[]
  /** Ids of the notes that mention users, and of those with awards. */
  mentioning: ReadonlySet<number>
  awarded: ReadonlySet<number>
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
  const issueId = source.row.id
  const notes = await listIssueNotes(app.db, { issueId, after: 0 })
  const comments = notes.filter(({ system }) => system === 0)
  const texts = [source.row.description ?? '', ...comments.map(({ body }) => body)]
  const rewrite = await crossProjectRewrite(app, caller, source, target, texts)
  await shareUploads(app.config, texts, { from: source.row.projectId, to: target.row.id })
  const { description } = source.row
  const assigneeIds = await filterAssignable(
    app,
    { ...source, project: target },
    source.assigneeIds,
  )
  const row = copiedRow(source, target, now)
  row.description = description && (await rewrite(description))
  row.milestoneId = await milestoneInTarget(app, source, target)
  row.assigneeCount = assigneeIds.length
  const noteIds = notes.map(({ id }) => id)
  return {
    source,
    target,
    row,
    assigneeIds,
    labels: await labelsInTarget(app, caller, source, target),
    notes: await withMilestoneSources(app, source, target, await rewriteComments(notes, rewrite)),
    ...(await findNoteDependents(app.db, { issueId, noteIds })),
  }
}

/** Rewrites references in comments; system notes are rendered for the project that they are in. */
async function rewriteComments(
  notes: readonly CopiedNote[],
  rewrite: Rewrite,
): Promise<CopiedNote[]> {
  const rewritten: CopiedNote[] = []
  for (const note of notes) {
    rewritten.push(note.system === 1 ? note : { ...note, body: await rewrite(note.body) })
  }
  return rewritten
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

/** The labels of the target with the same titles. */
async function labelsInTarget(
  app: App,
  caller: Caller,
  { row }: IssueItem,
  target: ProjectSubject,
): Promise<LabelPlan> {
  const labels = (await loadLabels(app, 'issue', [row.id])).get(row.id) ?? []
  const titles = labels.map(({ name }) => name)
  return planLabels(app, caller, { project: target }, titles, { create: false })
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
