import { findUserRefs, type HookLabelRow } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { HookChanges, ItemHookSource } from '../webhook-events.ts'
import { hookLabels, hookTime, hookUser } from './shared.ts'

/** What the bodies of `issue` and `merge_request` hooks have in common. One query. */
export async function hookItem(
  { config, db }: App,
  item: { assigneeIds: readonly number[]; labels: readonly HookLabelRow[] },
  source: ItemHookSource,
) {
  const { userId, previousLabels, previousAssigneeIds } = source
  const previousIds = previousAssigneeIds ?? []
  const rows = await findUserRefs(db, [userId, ...item.assigneeIds, ...previousIds])
  const users = new Map(rows.map((row) => [row.id, row]))
  const people = (ids: readonly number[]) =>
    ids.flatMap((id) => hookUser(config, users.get(id)) ?? [])
  const assignees = people(item.assigneeIds)
  const previous = previousAssigneeIds && people(previousIds)
  return {
    user: hookUser(config, users.get(userId)),
    assignees,
    assignee: assignees[0] ?? null,
    labels: hookLabels(item.labels),
    changes: {
      ...formatTimes(source.changes),
      ...(previousLabels && labelChange(previousLabels, item.labels)),
      ...(previous && { assignees: { previous, current: assignees } }),
    },
  }
}

function labelChange(previous: readonly HookLabelRow[], current: readonly HookLabelRow[]) {
  return { labels: { previous: hookLabels(previous), current: hookLabels(current) } }
}

/** Columns whose names end so hold timestamps as numbers. */
function formatTimes(changes: HookChanges): HookChanges {
  const time = (value: unknown) => (typeof value === 'number' ? hookTime(value) : value)
  return Object.fromEntries(
    Object.entries(changes).map(([name, { previous, current }]) => [
      name,
      name.endsWith('_at')
        ? { previous: time(previous), current: time(current) }
        : { previous, current },
    ]),
  )
}
