import { conflict, decideOnProject, milestoneSystemNote, type SystemNote } from '@stithy/core'
import {
  addIssueAssignees,
  insertIssue,
  isUniqueViolation,
  type NewIssue,
  type Row,
  type Transaction,
  toFlag,
} from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { scanText } from '../../platform/text/scan-text.ts'
import { filterAssignable } from '../items/changes/item-assignees.ts'
import { taskColumns } from '../items/changes/item-field.ts'
import { labelTarget } from '../items/changes/item-labels.ts'
import { permittedSettings, validateTexts } from '../items/changes/permitted-settings.ts'
import { milestoneOrNull } from '../items/changes/plan-item-change.ts'
import type { ItemChangeBy } from '../items/changes/work-item-type.ts'
import type { IssueDraft, IssueItem } from '../items/item.ts'
import { applyLabels, type LabelPlan, planLabels } from '../labels/labelling.service.ts'
import {
  planTextEffects,
  type TextEffects,
  titleAndDescription,
} from '../mentions/text-effects.service.ts'
import { planQuickActions, runDeferredActions } from '../quick-actions/quick-action.service.ts'
import { type IssueInput, mergeChange } from './issue-input.ts'
import { close } from './issue-states.ts'
import { issueType, reload } from './issue-type.ts'

/** A checked issue with everything that was looked up for it. */
interface CreationPlan {
  project: ProjectSubject
  row: NewIssue
  assigneeIds: readonly number[]
  milestone: Row<'milestones'> | null
  labels: LabelPlan | undefined
  texts: TextEffects
}

/** Writes what belongs to a new issue, in its transaction. */
type WriteAlong = (tx: Transaction, issueId: number) => Promise<void>

/**
 * Creates an issue in a project where the caller may, applies the quick actions in its description,
 * and ignores settings that the caller may not set. `app/effects/` lists what follows.
 * @throws DomainError `validation_failed`; `conflict` if the given iid is taken.
 */
export async function createIssue(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  input: IssueInput,
  writeAlong?: WriteAlong,
): Promise<IssueItem> {
  const requested = validateTexts(permitted(caller, project, input))
  const userId = requireCaller(caller).id
  const now = app.now()
  const by = { userId, now, at: requested.createdAt ?? now }
  const { text, commands } = await scanText('splitQuickActions', requested.description ?? '')
  const settings = requested.description ? { ...requested, description: text } : requested
  if (commands.length === 0) {
    const plan = await planCreation(app, caller, project, settings, by)
    return write(app, { ...plan, writeAlong }, by)
  }
  const draft = draftOf(project, rowOf(project, settings, null, by), [])
  const { change, deferredActions } = await planQuickActions(app, caller, draft, commands)
  const plan = await planCreation(app, caller, project, mergeChange(settings, change), by)
  const item = await write(app, { ...plan, writeAlong }, by, change.stateEvent === 'close')
  if (deferredActions.length === 0) return item
  await runDeferredActions(deferredActions, item)
  return reload(app, item)
}

/** Drops settings that the caller may not set; only owners set `created_at` and `iid`. */
function permitted(caller: Caller, project: ProjectSubject, input: IssueInput): IssueInput {
  const settings = permittedSettings(issueType, caller, project, input)
  if (decideOnProject('set_issue_dates', caller.facts, project.facts).allowed) return settings
  const { createdAt: _, iid: __, ...rest } = settings
  return rest
}

async function planCreation(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  settings: IssueInput,
  by: ItemChangeBy,
): Promise<CreationPlan> {
  const { milestoneId = null, labelNames = [] } = settings
  const milestone = await milestoneOrNull(app, { project }, milestoneId)
  const row = rowOf(project, settings, milestone?.id ?? null, by)
  const requestedIds = settings.assigneeIds ?? []
  const assigneeIds = await filterAssignable(app, draftOf(project, row, []), requestedIds)
  const draft = draftOf(project, row, assigneeIds)
  const create = { create: true }
  return {
    project,
    row: { ...row, assigneeCount: assigneeIds.length },
    assigneeIds,
    milestone,
    labels:
      labelNames.length === 0
        ? undefined
        : await planLabels(app, caller, { project }, labelNames, create),
    texts: await planTextEffects(app, caller, draft, { text: titleAndDescription(row) }),
  }
}

function rowOf(
  { row: project }: ProjectSubject,
  settings: IssueInput,
  milestoneId: number | null,
  { userId, at, now }: ItemChangeBy,
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

function draftOf(
  project: ProjectSubject,
  row: NewIssue,
  assigneeIds: readonly number[],
): IssueDraft {
  return { type: 'issue', row, project, assigneeIds }
}

/** Returns the issue as stored, so that callers need not read it again. */
async function write(
  app: App,
  plan: CreationPlan & { writeAlong: WriteAlong | undefined },
  by: ItemChangeBy,
  isClosed = false,
): Promise<IssueItem> {
  const { project, assigneeIds } = plan
  try {
    return await app.db.transaction(async (tx) => {
      const inserted = await insertIssue(tx, plan.row)
      await plan.writeAlong?.(tx, inserted.id)
      await addIssueAssignees(tx, inserted, assigneeIds)
      const row = { ...inserted, projectFullPath: project.row.fullPath }
      const item: IssueItem = { type: 'issue', row, project, assigneeIds }
      row.labelCount = await addLabels(tx, item, plan.labels, by)
      const { texts } = plan
      await recordChange(tx, { kind: 'issue.created', ...by, item, texts, notes: notesOn(plan) })
      return isClosed ? ((await close(tx, item, by)) ?? item) : item
    })
  } catch (error) {
    throw isUniqueViolation(error, 'iid') ? conflict('Duplicated issue') : error
  }
}

/** Returns the number of labels on the issue. */
async function addLabels(
  tx: Transaction,
  item: IssueItem,
  plan: LabelPlan | undefined,
  by: ItemChangeBy,
): Promise<number> {
  if (plan === undefined) return 0
  await applyLabels(tx, labelTarget(item), plan, { mode: 'add', ...by })
  return plan.labelIds.length + plan.newTitles.length
}

function notesOn({ milestone, row: { dueDate } }: CreationPlan): SystemNote[] {
  return [
    ...(milestone === null ? [] : [milestoneSystemNote(milestone)]),
    ...(dueDate === null ? [] : [{ action: 'due_date_changed', to: dueDate } as const]),
  ]
}
