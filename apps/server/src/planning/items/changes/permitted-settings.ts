import { decideOnProject, validationFailed, workItemErrors } from '@stithy/core'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { ItemChange, ItemSettings } from './item-change.ts'

/** The ability to plan: to set labels, assignees, milestones and the like. */
export type PlanningAbility = 'admin_issues' | 'admin_merge_requests'

/** Settings that are stored in separate tables; all of them require the planning ability. */
const relations = [
  'assigneeIds',
  'addAssigneeIds',
  'removeAssigneeIds',
  'labelNames',
  'addLabelNames',
  'removeLabelNames',
] as const satisfies (keyof ItemChange)[]

/** The part of a type of item that decides who may set what. */
interface SettingRules {
  planningAbility?: PlanningAbility
  fields: readonly { setting: keyof ItemSettings; planning?: true }[]
}

/** Drops settings that the caller may not set, which v4 clients expect to be ignored. */
export function permittedSettings<T extends ItemChange>(
  { planningAbility, fields }: SettingRules,
  caller: Caller,
  project: ProjectSubject | undefined,
  requested: T,
): T {
  if (planningAbility === undefined || project === undefined) return requested
  if (decideOnProject(planningAbility, caller.facts, project.facts).allowed) return requested
  const permitted = { ...requested }
  for (const name of relations) delete permitted[name]
  for (const { setting, planning } of fields) if (planning) delete permitted[setting]
  return permitted
}

/** Trims and validates the title and description. @throws DomainError `validation_failed` */
export function validateTexts<T extends Pick<ItemSettings, 'title' | 'description'>>(texts: T): T {
  const checked = texts.title === undefined ? texts : { ...texts, title: texts.title.trim() }
  const errors = workItemErrors(checked)
  if (errors !== undefined) throw validationFailed(errors)
  return checked
}
