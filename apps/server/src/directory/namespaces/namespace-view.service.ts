import type { CallerFacts, Namespace } from '@stithy/core'
import { countMembersBelow, type ListedNamespace } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { presentNamespace } from './namespace.presenter.ts'

/** Builds the shapes of namespaces, with the counts that owners see; one query. */
export async function viewNamespaces(
  app: App,
  caller: CallerFacts,
  rows: readonly ListedNamespace[],
): Promise<Namespace[]> {
  const groupIds = rows.filter((row) => row.kind === 'group').map((row) => row.id)
  const viewer = { userId: caller.userId ?? 0, today: dayOf(app.now()) }
  const counts = await countMembersBelow(app.db, {
    ...viewer,
    groupIds,
    everywhere: caller.admin,
  })
  return rows.map((row) => {
    const members = counts.get(row.id)
    const isOwn = row.ownerId !== null && (caller.admin || row.ownerId === caller.userId)
    const shown = isOwn || members !== undefined ? { members } : undefined
    return presentNamespace(app.config, row, shown)
  })
}
