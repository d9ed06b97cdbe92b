import { conflict, dueDateRemark, milestoneRemark, splitQuickActions } from '@stithy/core'
import {
  addIssueAssignees,
  insertIssue,
  isUniqueViolation,
  type NewIssue,
  type Row,
  type Transaction,
  toFlag,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { IssueItem } from '../items/item.ts'
import { applyLabels, type LabelPlan, planLabels } from '../labels/labelling.service.ts'
import {
  applyTextEffects,
  ownText,
  planTextEffects,
  type TextEffects,
} from '../mentions/text-effects.service.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { readQuickActions, runDeeds } from '../quick-actions/quick-action.service.ts'
import { remarkAll } from '../system-notes/system-note.service.ts'
import { addTodos } from '../todos/todo.service.ts'
import { announceIssue } from '../webhooks/item-hooks.ts'
import {
  assignable,
  checkedTexts,
  type IssueInput,
  mergeChange,
  permittedSettings,
} from './issue-input.ts'
import { applyClosing } from './issue-state.service.ts'
import { countOpenIssue, openIssueDelta } from './lists/open-issues.service.ts'
import { milestoneOf } from './write/issue-change-plan.ts'
import { taskColumns } from './write/issue-columns.ts'
import { labelledItem } from './write/issue-relations.ts'
import { type Change, finish, reload } from './write/issue-write.ts'

/** An issue that can be written, with all that had to be looked up for it. */
interface CreationPlan {
  /** As it will be, but for id and number. */
  draft: IssueItem
  row: NewIssue
  milestone: Row<'milestones'> | null
  labels: LabelPlan | undefined
  effects: TextEffects
}

/**
 * Opens an issue in a project where the caller may, with its labels, assignees, todos, event and hooks, as the
 * quick actions in its description ask; what the caller may not set is left out (catalogue: issues, 2.1).
 * @throws DomainError `validation_failed`; `conflict` where the number that is given is taken.
 */
export async function createIssue(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  input: IssueInput,
): Promise<IssueItem> {
  const asked = checkedTexts(permittedSettings(caller, project, input))
  const userId = requireCaller(caller).id
  const now = app.now()
  const by = { userId, now, at: asked.createdAt ?? now }
  const { text, commands } = splitQuickActions(asked.description ?? '')
  const settings = asked.description ? { ...asked, description: text } : asked
  if (commands.length === 0) {
    return write(app, await planCreation(app, caller, project, settings, by), by)
  }
  const draft = draftOf(project, rowOf(project, settings, null, by), [])
  const { change, deeds } = await readQuickActions(app, caller, draft, commands)
  const plan = await planCreation(app, caller, project, mergeChange(settings, change), by)
  const item = await write(app, plan, by, change.stateEvent)
  if (deeds.length === 0) return item
  await runDeeds(deeds, item)
  return reload(app, item)
}

async function planCreation(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  settings: IssueInput,
  by: Change,
): Promise<CreationPlan> {
  const { milestoneId = null, labelNames = [] } = settings
  const milestone = await milestoneOf(app, { project }, milestoneId)
  const row = rowOf(project, settings, milestone?.id ?? null, by)
  const nobody = draftOf(project, row, [])
  const assigneeIds = await assignable(app, nobody, settings.assigneeIds ?? [])
  const draft = draftOf(project, row, assigneeIds)
  return {
    draft,
    row: { ...row, assigneeCount: assigneeIds.length },
    milestone,
    labels:
      labelNames.length === 0
        ? undefined
        : await planLabels(app, caller, project, labelNames, { create: true }),
    effects: await planTextEffects(app, caller, draft, { text: ownText(row) }),
  }
}

function rowOf(
  { row: project }: ProjectSubject,
  settings: IssueInput,
  milestoneId: number | null,
  { userId, at, now }: Change,
): NewIssue {
  const { iid, title, description = null, discussionLocked, dueDate = null } = settings
  return {
    projectId: project.id,
    iid,
    authorId: userId,
    title,
    description,
    state: 'opened',
    confidential: toFlag(settings.confidential ?? false),
    discussionLocked: discussionLocked === undefined ? null : toFlag(discussionLocked),
    milestoneId,
    dueDate,
    weight: settings.weight ?? null,
    ...taskColumns(description),
    assigneeCount: 0,
    closedById: null,
    closedAt: null,
    createdAt: at,
    updatedAt: now,
  }
}

/** The issue as it will be; it has no id yet. */
function draftOf(
  project: ProjectSubject,
  { iid = 0, ...row }: NewIssue,
  assigneeIds: readonly number[],
): IssueItem {
  const counts = {
    userNotesCount: 0,
    upvotes: 0,
    downvotes: 0,
    labelCount: 0,
    mergeRequestsCount: 0,
  }
  const links = { movedToId: null, duplicatedToId: null, projectFullPath: project.row.fullPath }
  const time = { timeEstimate: 0, totalTimeSpent: 0 }
  return {
    type: 'issue',
    row: { ...row, ...counts, ...links, ...time, id: 0, iid },
    project,
    assigneeIds,
  }
}

/** Answers the issue as it is then, so that nobody has to read it again. */
async function write(
  app: App,
  plan: CreationPlan,
  by: Change,
  stateEvent?: 'close' | 'reopen',
): Promise<IssueItem> {
  try {
    return await app.db.transaction(async (tx) => {
      const row = await insertIssue(tx, plan.row)
      const { projectFullPath } = plan.draft.row
      const item = { ...plan.draft, row: { ...row, projectFullPath } }
      await addIssueAssignees(tx, row, item.assigneeIds)
      item.row.labelCount = await labelIt(tx, item, plan.labels, by)
      await follow(tx, item, plan, by)
      tx.onCommit(app.wakeWorker)
      return stateEvent === 'close' ? closeAtOnce(tx, item, by) : item
    })
  } catch (error) {
    throw isUniqueViolation(error, 'iid') ? conflict('Duplicated issue') : error
  }
}

/** Answers how many labels the issue has. */
async function labelIt(
  tx: Transaction,
  item: IssueItem,
  plan: LabelPlan | undefined,
  { userId, at }: Change,
): Promise<number> {
  if (plan === undefined) return 0
  await applyLabels(tx, labelledItem(item), plan, { mode: 'add', userId, at })
  return plan.labelIds.length + plan.newTitles.length
}

/** What follows from a new issue (catalogue: issues, 3). */
async function follow(
  tx: Transaction,
  item: IssueItem,
  { milestone, effects }: CreationPlan,
  by: Change,
): Promise<void> {
  const { userId, at, now } = by
  const { dueDate, projectId } = item.row
  const bodies = [
    ...(milestone === null ? [] : [milestoneRemark(milestone)]),
    ...(dueDate === null ? [] : [dueDateRemark(dueDate)]),
  ]
  await remarkAll(tx, item, { authorId: userId, bodies, at })
  const assigned = { item, userIds: item.assigneeIds, authorId: userId, at: now }
  await addTodos(tx, { ...assigned, action: 'assigned' })
  await applyTextEffects(tx, { ...effects, item }, { at: now })
  await countOpenIssue(tx, projectId, openIssueDelta(undefined, item.row))
  await announceIssue(tx, { row: item.row, action: 'open', userId, at: now })
  await finish(tx, item, 'created', by)
}

async function closeAtOnce(tx: Transaction, item: IssueItem, by: Change): Promise<IssueItem> {
  const closed = await applyClosing(tx, item, by)
  if (closed === undefined) return item
  await finish(tx, closed, 'closed', by)
  return closed
}
