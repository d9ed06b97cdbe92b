import { decideOnProject } from '@stithy/core'
import { listVersionCommits, type Row } from '@stithy/store'
import type { App } from '../../app.ts'
import type { Caller } from '../../http/call.ts'
import { checkedTexts } from '../../issues/issue-input.ts'
import {
  type AssigneePlan,
  type LabelStep,
  milestoneOf,
  planAssignees,
  planLabelSteps,
} from '../../issues/write/issue-change-plan.ts'
import type { MergeRequestItem } from '../../items/item.ts'
import { ownText, planTextEffects, type TextEffects } from '../../mentions/text-effects.service.ts'
import { planClosings } from '../closing/closing.service.ts'
import { planRetarget, type Retarget } from './retarget.service.ts'

/** What somebody changes of a merge request; what is undefined stays. */
export interface MergeRequestChange {
  title?: string | undefined
  description?: string | null | undefined
  /** Ids; 0 stands for nobody. */
  assigneeIds?: readonly number[] | undefined
  addAssigneeIds?: readonly number[] | undefined
  removeAssigneeIds?: readonly number[] | undefined
  /** Global id; null, 0 and one of elsewhere stand for none. */
  milestoneId?: number | null | undefined
  /** All labels that it is to have. */
  labelNames?: readonly string[] | undefined
  addLabelNames?: readonly string[] | undefined
  removeLabelNames?: readonly string[] | undefined
  discussionLocked?: boolean | undefined
  targetBranch?: string | undefined
  stateEvent?: 'close' | 'reopen' | undefined
}

/** A change of a merge request with all that had to be looked up for it. */
export interface RequestChangePlan {
  change: MergeRequestChange
  assignees: AssigneePlan | undefined
  labels: readonly LabelStep[]
  /** The new milestone; null takes it away, undefined leaves it. */
  milestone: Row<'milestones'> | null | undefined
  /** What follows from a new text. */
  effects: TextEffects | undefined
  retarget: Retarget | undefined
  /** The issues that it closes, where that may have changed. */
  closings: readonly number[] | undefined
}

/** For developers. */
const planning = [
  'assigneeIds',
  'addAssigneeIds',
  'removeAssigneeIds',
  'milestoneId',
  'labelNames',
  'addLabelNames',
  'removeLabelNames',
  'discussionLocked',
] as const

/**
 * Looks up what a change of a merge request needs, and drops what the caller may not change (catalogue: merge
 * requests, 2.1).
 * @throws DomainError `validation_failed`
 */
export async function planRequestChange(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
  asked: MergeRequestChange,
): Promise<RequestChangePlan> {
  const change = checkedTexts(permitted(caller, item, asked))
  const { milestoneId, targetBranch } = change
  const after = afterwards(item, change)
  return {
    change,
    assignees: await planAssignees(app, after, change),
    labels: await planLabelSteps(app, caller, item, change),
    milestone: milestoneId === undefined ? undefined : await milestoneOf(app, item, milestoneId),
    effects: await planEffects(app, caller, item, after),
    retarget: targetBranch === undefined ? undefined : await planRetarget(app, item, targetBranch),
    closings: await planNewClosings(app, item, after, change),
  }
}

function permitted(
  caller: Caller,
  { project }: MergeRequestItem,
  asked: MergeRequestChange,
): MergeRequestChange {
  if (decideOnProject('admin_merge_requests', caller.facts, project.facts).allowed) return asked
  const rest = { ...asked }
  for (const name of planning) delete rest[name]
  return rest
}

/** The request with its new texts and target. */
function afterwards(item: MergeRequestItem, change: MergeRequestChange): MergeRequestItem {
  const { row } = item
  const { title = row.title, description = row.description, targetBranch } = change
  const branch = targetBranch ?? row.targetBranch
  return { ...item, row: { ...row, title, description, targetBranch: branch } }
}

async function planEffects(
  app: App,
  caller: Caller,
  { row }: MergeRequestItem,
  after: MergeRequestItem,
): Promise<TextEffects | undefined> {
  const texts = { text: ownText(after.row), previous: ownText(row) }
  if (texts.text === texts.previous) return undefined
  return planTextEffects(app, caller, after, texts)
}

async function planNewClosings(
  app: App,
  { row }: MergeRequestItem,
  after: MergeRequestItem,
  change: MergeRequestChange,
): Promise<readonly number[] | undefined> {
  const sameTexts = ownText(row) === ownText(after.row)
  const sameTarget = row.targetBranch === after.row.targetBranch
  if (sameTexts && sameTarget && change.stateEvent !== 'reopen') return undefined
  return planClosings(app, after.row, await listVersionCommits(app.db, row.latestVersionId))
}
