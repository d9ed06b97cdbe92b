import type { Row } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import {
  planTextEffects,
  type TextEffects,
  titleAndDescription,
} from '../../mentions/text-effects.service.ts'
import { findUsableMilestone } from '../../milestones/milestone-views.service.ts'
import type { PlannedItem, WorkItem } from '../item.ts'
import { planAssignees } from './item-assignees.ts'
import type { ItemChange } from './item-change.ts'
import { planLabelSteps } from './item-labels.ts'
import type { ItemPlan } from './item-plan.ts'
import { permittedSettings, validateTexts } from './permitted-settings.ts'
import { type WorkItemType, withColumns } from './work-item-type.ts'
/**
 * Looks up what a change of an item needs, and drops settings that the caller may not set.
 * @throws DomainError `validation_failed`, and what `planMore` of the type throws.
 */
export async function planItemChange<I extends PlannedItem, More>(
  app: App,
  caller: Caller,
  type: WorkItemType<I, More>,
  item: I,
  requested: ItemChange,
): Promise<ItemPlan<More>> {
  const project = item.type === 'epic' ? undefined : item.project
  const change = validateTexts(permittedSettings(type, caller, project, requested))
  const after = withChange(item, change)
  const { milestoneId } = change
  return {
    change,
    assignees: after.type === 'epic' ? undefined : await planAssignees(app, after, change),
    labels: await planLabelSteps(app, caller, item, change),
    milestone:
      milestoneId === undefined || item.type === 'epic'
        ? undefined
        : await milestoneOrNull(app, item, milestoneId),
    texts: await planTexts(app, caller, item, after),
    more: await type.planMore(app, caller, item, after, change),
  }
}

/** The item with the texts, confidentiality and target branch of the change. */
function withChange<I extends PlannedItem>(item: I, change: ItemChange): I {
  const { row } = item
  const { title = row.title, description = row.description, targetBranch, confidential } = change
  return withColumns(item, {
    title,
    description,
    ...(targetBranch === undefined ? {} : { targetBranch }),
    ...(confidential === undefined ? {} : { confidential: confidential ? 1 : 0 }),
  } as Partial<I['row']>)
}

/** The milestone with this id; null if the project cannot use it. At most one query. */
export async function milestoneOrNull(
  app: App,
  { project }: Pick<WorkItem, 'project'>,
  id: number | null,
): Promise<Row<'milestones'> | null> {
  if (id === null || id === 0) return null
  return (await findUsableMilestone(app, project, { id })) ?? null
}

async function planTexts(
  app: App,
  caller: Caller,
  { row }: PlannedItem,
  after: PlannedItem,
): Promise<TextEffects | undefined> {
  const texts = { text: titleAndDescription(after.row), previous: titleAndDescription(row) }
  if (texts.text === texts.previous) return undefined
  return planTextEffects(app, caller, after, texts)
}
