import { badRequest, decideOnProject, forbidden } from '@stithy/core'
import { type CopiedNote, findHangingOnNotes, listIssueNotes, type NewIssue } from '@stithy/store'
import type { App } from '../../app.ts'
import type { Caller } from '../../http/call.ts'
import type { IssueItem } from '../../items/item.ts'
import { type LabelPlan, labelsOf, planLabels } from '../../labels/labelling.service.ts'
import { findUsableMilestone, milestonesById } from '../../milestones/milestone-views.service.ts'
import type { ProjectSubject } from '../../projects/project-subject.ts'
import { assignable } from '../issue-input.ts'
import { crossProjectRewrite } from './cross-project-text.ts'

/** An issue that can be moved, with all that its copy will have. */
export interface MovePlan {
  source: IssueItem
  target: ProjectSubject
  row: NewIssue
  assigneeIds: readonly number[]
  labels: LabelPlan
  /** As they will be written. */
  notes: readonly CopiedNote[]
  /** Ids of notes that somebody is named in, of those that tell where it was named, and of those with awards. */
  mentioning: ReadonlySet<number>
  telling: ReadonlySet<number>
  awarded: ReadonlySet<number>
  /** Ids of remarks that will name the project that the issue leaves. */
  naming: ReadonlySet<number>
}

/** @throws DomainError `bad_request`, `forbidden` where the source is archived (catalogue: issues, 2.2). */
export function requireMovable(caller: Caller, source: IssueItem, target: ProjectSubject): void {
  if (source.project.row.id === target.row.id) {
    throw badRequest('Cannot move issue to project it originates from!')
  }
  const may = ({ facts }: ProjectSubject) => decideOnProject('admin_issues', caller.facts, facts)
  const leaving = may(source.project)
  if (source.project.facts.archived) throw forbidden(leaving.reason)
  if (!leaving.allowed || !may(target).allowed || source.row.movedToId !== null) throw immovable()
}

export function immovable() {
  return badRequest('Cannot move issue due to insufficient permissions!')
}

/** Looks up what the copy of an issue will have in another project. @param now milliseconds */
export async function planMove(
  app: App,
  caller: Caller,
  source: IssueItem,
  target: ProjectSubject,
  now: number,
): Promise<MovePlan> {
  const issueId = source.row.id
  const notes = await listIssueNotes(app.db, { issueId, after: 0 })
  const texts = [source.row.description ?? '', ...notes.map(({ body }) => body)]
  const rewrite = await crossProjectRewrite(app, caller, source, target, texts)
  const { description } = source.row
  const assigneeIds = await assignable(app, { ...source, project: target }, source.assigneeIds)
  const row = copiedRow(source, target, now)
  row.description = description && rewrite(description)
  row.milestoneId = await milestoneThere(app, source, target)
  row.assigneeCount = assigneeIds.length
  const noteIds = notes.map(({ id }) => id)
  const written = notes.map((note) => ({ ...note, body: rewrite(note.body) }))
  return {
    source,
    target,
    row,
    assigneeIds,
    labels: await labelsThere(app, caller, source, target),
    notes: written,
    naming: rewrittenRemarks(notes, written),
    ...(await findHangingOnNotes(app.db, { issueId, noteIds })),
  }
}

/** Ids of the remarks whose text is another in the copy. */
function rewrittenRemarks(
  notes: readonly CopiedNote[],
  written: readonly CopiedNote[],
): ReadonlySet<number> {
  const changed = notes.filter(({ system, body }, n) => system === 1 && body !== written[n]?.body)
  return new Set(changed.map(({ id }) => id))
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

/** The labels of the same titles that the target has. */
async function labelsThere(
  app: App,
  caller: Caller,
  { row }: IssueItem,
  target: ProjectSubject,
): Promise<LabelPlan> {
  const labels = (await labelsOf(app, 'issue', [row.id])).get(row.id) ?? []
  const titles = labels.map(({ name }) => name)
  return planLabels(app, caller, target, titles, { create: false })
}

/** The milestone of the same title that the target has. */
async function milestoneThere(
  app: App,
  { row }: IssueItem,
  target: ProjectSubject,
): Promise<number | null> {
  if (row.milestoneId === null) return null
  const milestone = (await milestonesById(app, [row.milestoneId])).get(row.milestoneId)
  if (milestone === undefined) return null
  return (await findUsableMilestone(app, target, { title: milestone.title }))?.id ?? null
}
