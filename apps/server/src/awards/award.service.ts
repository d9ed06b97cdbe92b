import type { IncomingHttpHeaders } from 'node:http'
import { type AwardableType, DomainError, decideOnProject, notFound } from '@stithy/core'
import {
  type AwardRow,
  deleteAwards,
  findAwardOf,
  holdItem,
  insertAward,
  type NoteRow,
  type Transaction,
} from '@stithy/store'
import type { App } from '../app.ts'
import { findEmoji } from '../emoji/emoji.ts'
import type { Caller } from '../http/call.ts'
import type { Item } from '../items/item.ts'
import { requireUnmodified } from '../namespaces/if-unmodified.ts'
import { requireCaller } from '../projects/require-caller.ts'

/** What is awarded: an item, or a note on it. */
export interface Awarded {
  type: AwardableType
  id: number
  projectId: number | null
}

export type AwardedItem = Exclude<Item, { type: 'commit' }>

/** The item, or the note on it, as what is awarded. */
export function awardedOf(item: AwardedItem, note?: NoteRow): Awarded {
  const projectId = item.type === 'epic' ? null : (item.project?.row.id ?? null)
  if (note !== undefined) return { type: 'note', id: note.id, projectId }
  return { type: item.type, id: item.row.id, projectId }
}

/**
 * Awards an emoji in the name of the caller and answers the award; undefined where the caller has awarded it
 * already (catalogue: issues, 9). Whether the caller may is not looked at here.
 * @param name without colons; an alias is taken as the emoji's own name
 * @throws DomainError `not_found` for an unknown emoji, and where the item is gone.
 */
export async function award(
  app: App,
  caller: Caller,
  item: AwardedItem,
  name: string,
  note?: NoteRow,
): Promise<AwardRow | undefined> {
  const userId = requireCaller(caller).id
  const emoji = findEmoji(name)
  if (emoji === undefined) throw awardRefused('is not a valid emoji name')
  const { type: targetType, id: targetId, projectId } = awardedOf(item, note)
  const now = app.now()
  return app.db.transaction(async (tx) => {
    await hold(tx, item)
    return insertAward(tx, { targetType, targetId, projectId, userId, name: emoji.name, now })
  })
}

/** Keeps a thing from going while it is awarded: awards name it without a foreign key. */
async function hold(tx: Transaction, item: AwardedItem): Promise<void> {
  if (!(await holdItem(tx, { type: item.type, id: item.row.id }))) throw notFound('Award Emoji')
}

/** The refusal of an award, which is a 404 that names the reason (catalogue: issues, 9). */
export function awardRefused(reason: string): DomainError {
  return notFound(`Award Emoji ${JSON.stringify({ name: [reason] })}`)
}

/** Takes an award of the caller back by its name, or awards it, as `/award` does. */
export async function toggleAward(
  app: App,
  caller: Caller,
  item: AwardedItem,
  name: string,
): Promise<void> {
  if ((await award(app, caller, item, name)) !== undefined) return
  const { type: targetType, id: targetId } = awardedOf(item)
  const key = { targetType, targetId, userId: requireCaller(caller).id }
  const known = await findAwardOf(app.db, { ...key, name: findEmoji(name)?.name ?? name })
  if (known !== undefined) await app.db.transaction((tx) => deleteAwards(tx, [known.id]))
}

/**
 * Holds awarding to those who may comment on the project's things; a locked discussion takes awards.
 * @throws DomainError `not_found` where the caller may not, `forbidden` in an archived project.
 */
export function requireAwarding(caller: Caller, item: AwardedItem): void {
  if (item.type === 'epic' || item.project === undefined) throw notFound('Award Emoji')
  const decision = decideOnProject('comment', caller.facts, item.project.facts)
  if (decision.allowed) return
  throw decision.reason === undefined
    ? notFound('Award Emoji')
    : new DomainError('forbidden', { message: decision.reason })
}

/**
 * Takes an award back. @throws DomainError `unauthorized` for somebody else's, `not_found`,
 * `precondition_failed`
 */
export async function removeAward(
  app: App,
  caller: Caller,
  row: AwardRow,
  headers: IncomingHttpHeaders,
): Promise<undefined> {
  if (row.userId !== caller.facts.userId && !caller.facts.admin) {
    throw new DomainError('unauthorized')
  }
  requireUnmodified(headers, row.updatedAt)
  const gone = await app.db.transaction((tx) => deleteAwards(tx, [row.id]))
  if (gone === 0) throw notFound('Award Emoji')
  return undefined
}
