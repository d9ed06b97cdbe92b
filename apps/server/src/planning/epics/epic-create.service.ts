import { insertEpic, type NewEpic, type Transaction, toFlag } from '@stithy/store'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { scanText } from '../../platform/text/scan-text.ts'
import { mergeChange } from '../issues/issue-input.ts'
import { changeBy } from '../items/changes/change-by.ts'
import type { ItemSettings } from '../items/changes/item-change.ts'
import { taskColumns } from '../items/changes/item-field.ts'
import { labelTarget } from '../items/changes/item-labels.ts'
import { validateTexts } from '../items/changes/permitted-settings.ts'
import { type ItemChangeBy, withColumns } from '../items/changes/work-item-type.ts'
import type { EpicDraft, EpicItem } from '../items/item.ts'
import { applyLabels, type LabelPlan, planLabels } from '../labels/labelling.service.ts'
import {
  planTextEffects,
  type TextEffects,
  titleAndDescription,
} from '../mentions/text-effects.service.ts'
import { planQuickActions, runDeferredActions } from '../quick-actions/quick-action.service.ts'
import { close } from './epic-states.ts'
import { placeInTree } from './epic-tree.service.ts'
import { reload, requireOrderedDates } from './epic-type.ts'

/** The input of a new epic. */
export interface EpicInput extends ItemSettings {
  title: string
  /** An epic that the caller may update, of the group or of one above it. */
  parent?: EpicItem | undefined
}

/** A checked epic with everything that was looked up for it. */
interface CreationPlan {
  group: GroupSubject
  row: NewEpic
  labels: LabelPlan | undefined
  texts: TextEffects
  isClosed: boolean
  parent: EpicItem | undefined
}

/**
 * Creates an epic in a group where the caller may, and applies the quick actions in its description.
 * `app/effects/` lists what follows.
 * @throws DomainError `validation_failed`
 */
export async function createEpic(
  app: App,
  caller: Caller,
  group: GroupSubject,
  input: EpicInput,
): Promise<EpicItem> {
  const requested = validateTexts(input)
  const by = changeBy(app, caller)
  const { text, commands } = await scanText('splitQuickActions', requested.description ?? '')
  const settings = commands.length === 0 ? requested : { ...requested, description: text }
  const draft: EpicDraft = { type: 'epic', row: epicRowOf(group, settings, by), group }
  const { change, deferredActions } = await planQuickActions(app, caller, draft, commands)
  const plan = await planCreation(app, caller, group, mergeChange(settings, change), by)
  const isClosed = change.stateEvent === 'close'
  const item = await write(app, { ...plan, isClosed, parent: input.parent }, by)
  if (deferredActions.length === 0) return item
  await runDeferredActions(deferredActions, item)
  return reload(app, item)
}

async function planCreation(
  app: App,
  caller: Caller,
  group: GroupSubject,
  settings: EpicInput,
  by: ItemChangeBy,
): Promise<Pick<CreationPlan, 'group' | 'row' | 'labels' | 'texts'>> {
  const { labelNames = [] } = settings
  const row = epicRowOf(group, settings, by)
  requireOrderedDates({ ...row, startDateFromMilestones: null, dueDateFromMilestones: null })
  const draft: EpicDraft = { type: 'epic', row, group }
  return {
    group,
    row,
    labels:
      labelNames.length === 0
        ? undefined
        : await planLabels(app, caller, { group }, labelNames, { create: true }),
    texts: await planTextEffects(app, caller, draft, { text: titleAndDescription(row) }),
  }
}

/** The columns of a new open epic. */
export function epicRowOf(
  { row: group }: GroupSubject,
  settings: EpicInput,
  { userId, at }: ItemChangeBy,
): NewEpic {
  return {
    groupId: group.id,
    authorId: userId,
    title: settings.title,
    description: settings.description ?? null,
    state: 'opened',
    startDateIsFixed: toFlag(settings.startDateIsFixed ?? false),
    startDateFixed: settings.startDateFixed ?? null,
    dueDateIsFixed: toFlag(settings.dueDateIsFixed ?? false),
    dueDateFixed: settings.dueDateFixed ?? null,
    ...taskColumns(settings.description ?? null),
    createdAt: at,
    updatedAt: at,
  }
}

/** Returns the epic as stored, so that callers need not read it again. */
async function write(app: App, plan: CreationPlan, by: ItemChangeBy): Promise<EpicItem> {
  const { group, labels, texts, parent } = plan
  return app.db.transaction(async (tx) => {
    const inserted = await insertEpic(tx, plan.row)
    const row = { ...inserted, groupFullPath: group.row.fullPath }
    const created: EpicItem = { type: 'epic', row, group }
    if (labels !== undefined) {
      await applyLabels(tx, labelTarget(created), labels, { mode: 'add', ...by })
      row.labelCount = labels.labelIds.length + labels.newTitles.length
    }
    await recordChange(tx, { kind: 'epic.created', ...by, item: created, texts, notes: [] })
    const item = parent === undefined ? created : await placeBelow(tx, created, parent, by)
    return plan.isClosed ? ((await close(tx, item, by)) ?? item) : item
  })
}

async function placeBelow(
  tx: Transaction,
  child: EpicItem,
  parent: EpicItem,
  by: ItemChangeBy,
): Promise<EpicItem> {
  await placeInTree(tx, { child, parent }, by)
  return withColumns(child, { parentId: parent.row.id })
}
