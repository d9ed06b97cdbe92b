import { listGroupReaders, listProjectReaders, listReaders, type ReaderRow } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { ItemDraft } from './item.ts'
import { mayReadItem, withAccessLevel } from './item-access.ts'

/**
 * Filters users who may read the item; blocked users and bots are excluded. One query, whatever
 * their number. Of the item's project or group only the row is used, not the caller for whom it was
 * loaded.
 */
export async function filterReaders(
  app: App,
  item: ItemDraft,
  userIds: Iterable<number>,
): Promise<Set<number>> {
  const unique = [...new Set(userIds)]
  if (unique.length === 0) return new Set()
  const readers = await listCandidates(app, item, unique)
  const allowed = readers.filter((reader) => mayRead(app, item, reader))
  return new Set(allowed.map(({ facts }) => facts.userId))
}

function listCandidates(
  app: App,
  item: ItemDraft,
  userIds: readonly number[],
): Promise<ReaderRow[]> {
  const today = dayOf(app.now())
  if (item.type === 'epic') {
    return listGroupReaders(app.db, { groupId: item.group.row.id, userIds, today })
  }
  if (item.project === undefined) return listReaders(app.db, { userIds })
  return listProjectReaders(app.db, { projectId: item.project.row.id, userIds, today })
}

function mayRead(app: App, item: ItemDraft, { facts, level }: ReaderRow): boolean {
  return mayReadItem(app, withAccessLevel(item, level), { facts })
}
