import type { Row } from '@stithy/store'
import type { App } from '../../app.ts'
import type { Caller } from '../../http/call.ts'
import type { IssueItem, WorkItem } from '../../items/item.ts'
import { type LabelPlan, planLabels } from '../../labels/labelling.service.ts'
import { ownText, planTextEffects, type TextEffects } from '../../mentions/text-effects.service.ts'
import { findUsableMilestone } from '../../milestones/milestone-views.service.ts'
import { assignable, checkedTexts, type IssueChange, permittedSettings } from '../issue-input.ts'

/** Who is to be assigned; ids of users who may be. */
export interface AssigneePlan {
  /** In place of all that are assigned now. */
  replace?: readonly number[] | undefined
  add: readonly number[]
  remove: readonly number[]
}

export interface LabelStep {
  plan: LabelPlan
  mode: 'set' | 'add' | 'remove'
}

/** A change of an issue with all that had to be looked up for it. */
export interface ChangePlan {
  /** What the caller may change, with texts that are fit to be kept. */
  change: IssueChange
  assignees: AssigneePlan | undefined
  labels: readonly LabelStep[]
  /** The new milestone; null takes it away, undefined leaves it. */
  milestone: Row<'milestones'> | null | undefined
  /** What follows from a new text. */
  effects: TextEffects | undefined
}

/**
 * Looks up what a change of an issue needs, and drops what the caller may not change.
 * @throws DomainError `validation_failed`
 */
export async function planChange(
  app: App,
  caller: Caller,
  item: IssueItem,
  asked: IssueChange,
): Promise<ChangePlan> {
  const change = checkedTexts(permittedSettings(caller, item.project, asked))
  const { milestoneId } = change
  return {
    change,
    assignees: await planAssignees(app, afterwards(item, change), change),
    labels: await planLabelSteps(app, caller, item, change),
    milestone: milestoneId === undefined ? undefined : await milestoneOf(app, item, milestoneId),
    effects: await planEffects(app, caller, afterwards(item, change), item, change),
  }
}

/** The issue with its new texts, as those who are named in them would read it. */
function afterwards(item: IssueItem, change: IssueChange): IssueItem {
  const { title = item.row.title, description = item.row.description, confidential } = change
  const flag = confidential === undefined ? item.row.confidential : confidential ? 1 : 0
  return { ...item, row: { ...item.row, title, description, confidential: flag } }
}

/** Who is to be assigned to an item; undefined where that stays. At most two queries. */
export async function planAssignees(
  app: App,
  item: WorkItem,
  { assigneeIds, addAssigneeIds = [], removeAssigneeIds = [] }: IssueChange,
): Promise<AssigneePlan | undefined> {
  const replace = assigneeIds && (await planReplacement(app, item, assigneeIds))
  const add = await assignable(app, item, addAssigneeIds)
  if (replace === undefined && add.length === 0 && removeAssigneeIds.length === 0) return undefined
  return { replace, add, remove: removeAssigneeIds }
}

/** Undefined, which changes nothing, where none of those who are named can be assigned. */
async function planReplacement(
  app: App,
  item: WorkItem,
  ids: readonly number[],
): Promise<number[] | undefined> {
  const allowed = await assignable(app, item, ids)
  return allowed.length === 0 && ids.some((id) => id !== 0) ? undefined : allowed
}

/** The labels that are to be set, given and taken, in this order. */
export async function planLabelSteps(
  app: App,
  caller: Caller,
  { project }: WorkItem,
  { labelNames, addLabelNames, removeLabelNames }: IssueChange,
): Promise<LabelStep[]> {
  const steps: LabelStep[] = []
  const step = async (mode: LabelStep['mode'], names: readonly string[] | undefined) => {
    if (names === undefined) return
    const create = mode !== 'remove'
    steps.push({ mode, plan: await planLabels(app, caller, project, names, { create }) })
  }
  await step('set', labelNames)
  await step('add', addLabelNames)
  await step('remove', removeLabelNames)
  return steps
}

/** The milestone of an id; null for one that the project cannot use. */
export async function milestoneOf(
  app: App,
  { project }: Pick<WorkItem, 'project'>,
  id: number | null,
): Promise<Row<'milestones'> | null> {
  if (id === null || id === 0) return null
  return (await findUsableMilestone(app, project, { id })) ?? null
}

async function planEffects(
  app: App,
  caller: Caller,
  after: IssueItem,
  { row }: IssueItem,
  change: IssueChange,
): Promise<TextEffects | undefined> {
  if (change.title === undefined && change.description === undefined) return undefined
  const texts = { text: ownText(after.row), previous: ownText(row) }
  if (texts.text === texts.previous) return undefined
  return planTextEffects(app, caller, after, texts)
}
