import { notFound } from '@stithy/core'
import { findEpic, findEpicByNumber } from '@stithy/store'
import type { App } from '../app.ts'
import type { GroupSubject } from '../groups/group-subject.ts'
import type { EpicItem } from '../items/item.ts'

/**
 * The epic of the group with this id or, where no epic of the group has that id, with this number
 * (decisions: path ids of epics). @throws DomainError `not_found`
 */
export async function requireEpic(app: App, group: GroupSubject, ref: number): Promise<EpicItem> {
  const row = await findEpic(app.db, { groupId: group.row.id, ref })
  if (row === undefined) throw notFound('Epic')
  return { type: 'epic', row, group }
}

/** The epic of the group with this number. @throws DomainError `not_found` */
export async function requireEpicByNumber(
  app: App,
  group: GroupSubject,
  iid: number,
): Promise<EpicItem> {
  const row = await findEpicByNumber(app.db, { groupId: group.row.id, iid })
  if (row === undefined) throw notFound('Epic')
  return { type: 'epic', row, group }
}
