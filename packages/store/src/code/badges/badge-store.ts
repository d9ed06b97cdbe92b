import type { ExpressionBuilder, Kysely } from 'kysely'
import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import type { Row, Schema } from '../../platform/schema/schema.ts'

/** A project with its namespace, or a group. */
export type BadgeOwner =
  | { projectId: number; namespaceId: number; groupId?: undefined }
  | { projectId?: undefined; namespaceId?: undefined; groupId: number }

/** A stored badge; of a group if `projectId` is null. */
export type BadgeRow = Row<'badges'>

/** The URLs of a badge, with their placeholders. */
export type BadgeColumns = Pick<BadgeRow, 'linkUrl' | 'imageUrl'>

type Args = { projectId: number; namespaceId: number; groupId: number }

function argsOf(owner: BadgeOwner): Args {
  const { projectId = 0, namespaceId = 0, groupId = 0 } = owner
  return { projectId, namespaceId, groupId }
}

function kindOf(owner: BadgeOwner): 'project' | 'group' {
  return owner.groupId === undefined ? 'project' : 'group'
}

/** The badges of a group; those of a project and of its ancestor groups. */
function badgesOf(db: Kysely<Schema>, $: Param<Args>, kind: 'project' | 'group') {
  const badges = db.selectFrom('badges')
  if (kind === 'group') return badges.where('badges.groupId', '=', $('groupId'))
  return badges.where((eb) =>
    eb.or([eb('badges.projectId', '=', $('projectId')), inGroups(eb, $('namespaceId'))]),
  )
}

function inGroups(eb: ExpressionBuilder<Schema, 'badges'>, namespaceId: number) {
  const groups = eb
    .selectFrom('namespaceAncestors as above')
    .where('above.descendantId', '=', namespaceId)
    .select('above.ancestorId')
  return eb('badges.groupId', 'in', groups)
}

/**
 * One page of the badges that a project or group shows, oldest first; those of a project come with
 * those of its ancestor groups. At most two queries.
 */
export async function listBadges(
  q: Queries,
  owner: BadgeOwner,
  request: PageRequest,
): Promise<Page<BadgeRow>> {
  const kind = kindOf(owner)
  const args = argsOf(owner)
  return listUncached(q, request, {
    shape: `badges.of-${kind}`,
    args,
    key: 'badges.id',
    from: (db, $) => badgesOf(db, $, kind),
    order: (query) => query.orderBy('badges.id'),
    columns: (query) => query.selectAll('badges'),
  })
}

/** A badge that a project or group shows, or undefined; see `listBadges`. */
export function findBadge(
  q: Queries,
  owner: BadgeOwner,
  id: number,
): Promise<BadgeRow | undefined> {
  const kind = kindOf(owner)
  return q.first(`badges.find|${kind}`, { ...argsOf(owner), id }, (db, $) =>
    badgesOf(db, $, kind).where('badges.id', '=', $('id')).selectAll('badges'),
  )
}

/** How many badges a project or group has of its own. */
export async function countOwnBadges(q: Queries, owner: BadgeOwner): Promise<number> {
  const kind = kindOf(owner)
  const counted = await q.first(`badges.own.count|${kind}`, argsOf(owner), (db, $) =>
    db
      .selectFrom('badges')
      .where(`badges.${kind}Id`, '=', $(`${kind}Id`))
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return counted?.total ?? 0
}

/** Adds a badge and returns its row. */
export async function insertBadge(
  tx: Transaction,
  owner: BadgeOwner,
  urls: BadgeColumns & { now: number },
): Promise<BadgeRow> {
  const { projectId = null, groupId = null } = owner
  const { linkUrl, imageUrl, now } = urls
  const row = await tx.first(
    'badges.insert',
    { projectId, groupId, linkUrl, imageUrl, now },
    (db, $) =>
      db
        .insertInto('badges')
        .values({
          projectId: $('projectId'),
          groupId: $('groupId'),
          linkUrl: $('linkUrl'),
          imageUrl: $('imageUrl'),
          createdAt: $('now'),
          updatedAt: $('now'),
        })
        .returningAll(),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/** Changes the URLs of a badge; undefined if it no longer exists. */
export function updateBadge(
  tx: Transaction,
  badge: BadgeColumns & { id: number; now: number },
): Promise<BadgeRow | undefined> {
  return tx.first('badges.update', badge, (db, $) =>
    db
      .updateTable('badges')
      .set({ linkUrl: $('linkUrl'), imageUrl: $('imageUrl'), updatedAt: $('now') })
      .where('badges.id', '=', $('id'))
      .returningAll(),
  )
}

/** Deletes a badge. */
export async function deleteBadge(tx: Transaction, id: number): Promise<void> {
  await tx.run('badges.delete', { id }, (db, $) =>
    db.deleteFrom('badges').where('id', '=', $('id')),
  )
}
