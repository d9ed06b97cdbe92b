import type { IncomingHttpHeaders } from 'node:http'
import { type AwardableType, type DomainError, notFound } from '@stithy/core'
import {
  type AwardRow,
  deleteAwards,
  findAwardOf,
  insertAward,
  type ListedNoteRow,
  lockItemRow,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { decideOn } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { findEmoji } from '../../platform/text/emoji/emoji.ts'
import type { Item, PlannedItem } from '../items/item.ts'

/** The target of an award: an item, or a note on one. */
export interface Awardable {
  type: AwardableType
  id: number
  projectId: number | null
}

export type AwardableItem = Exclude<Item, { type: 'commit' }>

/** The item, or the note on it, as the target of an award. */
export function toAwardable(item: AwardableItem, note?: ListedNoteRow): Awardable {
  const projectId = item.type === 'epic' ? null : (item.project?.row.id ?? null)
  if (note !== undefined) return { type: 'note', id: note.id, projectId }
  return { type: item.type, id: item.row.id, projectId }
}

/**
 * Awards an emoji on behalf of the caller and returns the award; undefined if the caller has
 * given it already. Does not check whether the caller may.
 * @param name without colons; an alias is resolved to the canonical name of the emoji
 * @throws DomainError `not_found` for an unknown emoji, and if the item was deleted.
 */
export async function award(
  app: App,
  caller: Caller,
  item: AwardableItem,
  name: string,
  note?: ListedNoteRow,
): Promise<AwardRow | undefined> {
  const userId = requireCaller(caller).id
  const emoji = findEmoji(name)
  if (emoji === undefined) throw awardRefused('is not a valid emoji name')
  const { type: targetType, id: targetId, projectId } = toAwardable(item, note)
  const now = app.now()
  return app.db.transaction(async (tx) => {
    await lockTarget(tx, item)
    return insertAward(tx, { targetType, targetId, projectId, userId, name: emoji.name, now })
  })
}

/** Locks the item against deletion: awards refer to it without a foreign key. */
async function lockTarget(tx: Transaction, item: AwardableItem): Promise<void> {
  if (!(await lockItemRow(tx, { type: item.type, id: item.row.id }))) throw notFound('Award Emoji')
}

/** A 404 that gives the reason, as `POST /projects/:id/issues/:issue_iid/award_emoji` answers. */
export function awardRefused(reason: string): DomainError {
  return notFound(`Award Emoji ${JSON.stringify({ name: [reason] })}`)
}

/** Toggles an award as `/award` does: removes the caller's award of this name, or else gives it. */
export async function toggleAward(
  app: App,
  caller: Caller,
  item: AwardableItem,
  name: string,
): Promise<void> {
  if ((await award(app, caller, item, name)) !== undefined) return
  const { type: targetType, id: targetId } = toAwardable(item)
  const key = { targetType, targetId, userId: requireCaller(caller).id }
  const existing = await findAwardOf(app.db, { ...key, name: findEmoji(name)?.name ?? name })
  if (existing !== undefined) await app.db.transaction((tx) => deleteAwards(tx, [existing.id]))
}

/** Whether the caller may award the item. They must be able to read it. */
export function mayAward(app: App, caller: Caller, item: PlannedItem): boolean {
  switch (item.type) {
    case 'issue':
      return decideOn(app, 'issue', 'award_issue', item, caller).allowed
    case 'merge_request':
      return decideOn(app, 'merge_request', 'award_merge_request', item, caller).allowed
    case 'epic':
      return decideOn(app, 'epic', 'award_epic', item, caller).allowed
  }
}

/** Deletes an award. @throws DomainError `not_found`, `precondition_failed` */
export async function removeAward(
  app: App,
  row: AwardRow,
  headers: IncomingHttpHeaders,
): Promise<undefined> {
  requireUnmodified(headers, row.updatedAt)
  const deleted = await app.db.transaction((tx) => deleteAwards(tx, [row.id]))
  if (deleted === 0) throw notFound('Award Emoji')
  return undefined
}
