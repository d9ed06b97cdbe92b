import { decideOnProject, validationFailed, workItemErrors } from '@stithy/core'
import type { App } from '../app.ts'
import { tierAllows } from '../config/config.ts'
import type { Caller } from '../http/call.ts'
import type { WorkItem } from '../items/item.ts'
import { thoseWhoMayRead } from '../items/readers.service.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'

/** What may be set of an issue at any time; what is undefined stays, or has its default. */
export interface IssueSettings {
  title?: string | undefined
  description?: string | null | undefined
  confidential?: boolean | undefined
  /** Ids; 0 stands for nobody. */
  assigneeIds?: readonly number[] | undefined
  /** Global id; null, 0 and one of elsewhere stand for none. */
  milestoneId?: number | null | undefined
  /** All labels that the issue is to have. */
  labelNames?: readonly string[] | undefined
  /** `YYYY-MM-DD` */
  dueDate?: string | null | undefined
  discussionLocked?: boolean | undefined
  weight?: number | null | undefined
}

/** An issue as somebody opens it; instants in milliseconds. */
export interface IssueInput extends IssueSettings {
  title: string
  createdAt?: number | undefined
  iid?: number | undefined
}

/** What somebody changes of an issue. */
export interface IssueChange extends IssueSettings {
  stateEvent?: 'close' | 'reopen' | undefined
  addLabelNames?: readonly string[] | undefined
  removeLabelNames?: readonly string[] | undefined
  addAssigneeIds?: readonly number[] | undefined
  removeAssigneeIds?: readonly number[] | undefined
}

type Setting = keyof IssueInput | keyof IssueChange

/** From Reporter on. */
const planning: ReadonlySet<Setting> = new Set([
  'assigneeIds',
  'addAssigneeIds',
  'removeAssigneeIds',
  'milestoneId',
  'labelNames',
  'addLabelNames',
  'removeLabelNames',
  'dueDate',
  'discussionLocked',
  'weight',
] as const)

/** For owners. */
const history: ReadonlySet<Setting> = new Set(['createdAt', 'iid'] as const)

/** The input without what the caller may not set, which is no error (catalogue: issues, 2.1). */
export function permittedSettings<T extends IssueInput | IssueChange>(
  caller: Caller,
  project: ProjectSubject,
  input: T,
): T {
  const may = (ability: 'admin_issues' | 'set_issue_dates') =>
    decideOnProject(ability, caller.facts, project.facts).allowed
  const dropped = [
    ...(may('admin_issues') ? [] : planning),
    ...(may('set_issue_dates') ? [] : history),
  ]
  if (dropped.every((name) => !(name in input))) return input
  const permitted: Partial<Record<Setting, unknown>> = { ...input }
  for (const name of dropped) delete permitted[name]
  return permitted as T
}

/** The texts of an issue as they are kept. @throws DomainError `validation_failed` */
export function checkedTexts<T extends Pick<IssueSettings, 'title' | 'description'>>(texts: T): T {
  const checked = texts.title === undefined ? texts : { ...texts, title: texts.title.trim() }
  const errors = workItemErrors(checked)
  if (errors !== undefined) throw validationFailed(errors)
  return checked
}

/**
 * Those of the users who can be assigned, in their order: who may read the item. The community tier
 * takes one (decisions: several assignees).
 */
export async function assignable(
  app: App,
  item: WorkItem,
  userIds: readonly number[],
): Promise<number[]> {
  const named = [...new Set(userIds)].filter((id) => id > 0)
  if (named.length === 0) return []
  const readers = await thoseWhoMayRead(app, item, named)
  const allowed = named.filter((id) => readers.has(id))
  return tierAllows(app.config.tier, 'premium') ? allowed : allowed.slice(0, 1)
}

/** A new issue as commands in its description change it. */
export function mergeChange(
  input: IssueInput,
  { title, stateEvent: _, ...change }: IssueChange,
): IssueInput {
  const { addLabelNames = [], removeLabelNames = [], ...rest } = change
  const { addAssigneeIds = [], removeAssigneeIds = [], ...settings } = rest
  const { labelNames = input.labelNames ?? [], assigneeIds = input.assigneeIds ?? [] } = settings
  return {
    ...input,
    ...settings,
    title: title ?? input.title,
    labelNames: without([...labelNames, ...addLabelNames], removeLabelNames),
    assigneeIds: without([...assigneeIds, ...addAssigneeIds], removeAssigneeIds),
  }
}

function without<T>(all: readonly T[], taken: readonly T[]): T[] {
  return all.filter((one) => !taken.includes(one))
}
