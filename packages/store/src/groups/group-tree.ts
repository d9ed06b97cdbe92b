import type { Visibility } from '@stithy/core'
import { sql } from 'kysely'
import { deleteCustomAttributesOf } from '../custom-attributes/custom-attribute-store.ts'
import { renameNamespaceInRemarks } from '../notes/remark-paths.ts'
import { forgetNotificationSettings } from '../notification-settings/notification-setting-store.ts'
import type { StorageSizesRow } from '../projects/project-details.ts'
import type { Queries, Transaction } from '../queries.ts'
import { inList } from '../sql.ts'
import { touchStamp } from '../stamps.ts'

/** The visibilities that occur among the direct subgroups and the own projects of a group. */
export async function findVisibilitiesInside(
  q: Queries,
  args: { groupId: number },
): Promise<{ subgroups: Visibility[]; projects: Visibility[] }> {
  const rows = await q.all('groups.visibilities', args, (db, $) =>
    db
      .selectFrom('namespaces')
      .select(['visibility', sql<string>`'group'`.as('what')])
      .where('parentId', '=', $('groupId'))
      .where('deletedAt', 'is', null)
      .union(
        db
          .selectFrom('projects')
          .select(['visibility', sql<string>`'project'`.as('what')])
          .where('namespaceId', '=', $('groupId'))
          .where('deletedAt', 'is', null),
      ),
  )
  const of = (what: string) => rows.filter((row) => row.what === what).map((row) => row.visibility)
  return { subgroups: of('group'), projects: of('project') }
}

/** A group and all below it, nearest first; those being deleted are left out. */
export function listGroupTree(
  q: Queries,
  args: { groupId: number },
): Promise<{ id: number; parentId: number | null; path: string; name: string }[]> {
  return q.all('groups.tree', args, (db, $) =>
    db
      .selectFrom('namespaceAncestors as a')
      .innerJoin('namespaces as n', 'n.id', 'a.descendantId')
      .where('a.ancestorId', '=', $('groupId'))
      .where('n.deletedAt', 'is', null)
      .orderBy('a.distance')
      .orderBy('n.id')
      .select(['n.id', 'n.parentId', 'n.path', 'n.name']),
  )
}

/**
 * Carries the full path and name of a group to everything below it, and the path to remarks on that; the
 * group's own row has them already. Two updates and one of remarks, whatever their number.
 * @throws UniqueViolationError when a full path below is taken.
 */
export async function renameBelow(
  tx: Transaction,
  args: { groupId: number; oldPath: string; newPath: string; oldName: string; newName: string },
): Promise<void> {
  const { groupId, oldPath, newPath, oldName, newName } = args
  const paths = {
    groupId,
    newPath,
    newPathLower: newPath.toLowerCase(),
    pathStart: oldPath.length + 1,
    newName,
    // Databases count characters, where JavaScript counts halves of some.
    nameStart: [...oldName].length + 1,
  }
  await tx.run('groups.rename.groups', paths, (db, $) =>
    db
      .updateTable('namespaces')
      .set({
        fullPath: sql<string>`${$('newPath')} || substr(${sql.ref('fullPath')}, ${$('pathStart')})`,
        fullPathLower: sql<string>`${$('newPathLower')} || substr(${sql.ref('fullPathLower')}, ${$('pathStart')})`,
        fullName: sql<string>`${$('newName')} || substr(${sql.ref('fullName')}, ${$('nameStart')})`,
      })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('namespaceAncestors')
          .select('descendantId')
          .where('ancestorId', '=', $('groupId'))
          .where('distance', '>', 0),
      )
      .where('deletedAt', 'is', null),
  )
  await renameNamespaceInRemarks(tx, { namespaceId: groupId, oldPath, newPath })
  const { newName: _, nameStart: __, ...projectPaths } = paths
  await renameProjectsBelow(tx, projectPaths)
  await touchStamp(tx, 'groups', 'projects')
}

async function renameProjectsBelow(
  tx: Transaction,
  paths: { groupId: number; newPath: string; newPathLower: string; pathStart: number },
): Promise<void> {
  await tx.run('groups.rename.projects', paths, (db, $) =>
    db
      .updateTable('projects')
      .set({
        fullPath: sql<string>`${$('newPath')} || substr(${sql.ref('fullPath')}, ${$('pathStart')})`,
        fullPathLower: sql<string>`${$('newPathLower')} || substr(${sql.ref('fullPathLower')}, ${$('pathStart')})`,
      })
      .where('namespaceId', 'in', (eb) =>
        eb
          .selectFrom('namespaceAncestors')
          .select('descendantId')
          .where('ancestorId', '=', $('groupId')),
      )
      .where('deletedAt', 'is', null),
  )
}

/** Hides a group and all groups below it for good, and frees their paths at once. */
export async function markGroupsDeleted(
  tx: Transaction,
  args: { ids: readonly number[]; now: number },
): Promise<void> {
  await tx.run('groups.mark-deleted', args, (db, $) =>
    db
      .updateTable('namespaces')
      .set({
        deletedAt: $('now'),
        path: goneName,
        pathLower: goneName,
        fullPath: goneName,
        fullPathLower: goneName,
      })
      .where(inList('namespaces.id', $('ids')))
      .where('deletedAt', 'is', null),
  )
  await touchStamp(tx, 'groups')
}

/** Starts with a dash, as no path of a user can. */
const goneName = sql<string>`'-deleted-' || ${sql.ref('id')}`

/** Ids of the living projects in these namespaces. */
export async function listProjectIdsIn(
  q: Queries,
  args: { namespaceIds: readonly number[] },
): Promise<number[]> {
  const rows = await q.all('groups.project-ids', args, (db, $) =>
    db
      .selectFrom('projects')
      .select('id')
      .where(inList('projects.namespaceId', $('namespaceIds')))
      .where('deletedAt', 'is', null)
      .orderBy('id'),
  )
  return rows.map((row) => row.id)
}

/** The groups of a deleted tree that are still there, deepest first. */
export function listDoomedGroups(
  q: Queries,
  args: { groupId: number },
): Promise<{ id: number; avatar: string | null }[]> {
  return q.all('groups.doomed', args, (db, $) =>
    db
      .selectFrom('namespaceAncestors as a')
      .innerJoin('namespaces as n', 'n.id', 'a.descendantId')
      .where('a.ancestorId', '=', $('groupId'))
      .where('n.kind', '=', 'group')
      .where('n.deletedAt', 'is not', null)
      .orderBy('a.distance', 'desc')
      .select(['n.id', 'n.avatar']),
  )
}

/** Ids of the projects in a deleted tree that are still there. */
export async function listDoomedProjectIds(
  q: Queries,
  args: { groupId: number },
): Promise<number[]> {
  const rows = await q.all('groups.doomed-projects', args, (db, $) =>
    db
      .selectFrom('namespaceAncestors as a')
      .innerJoin('namespaces as n', 'n.id', 'a.descendantId')
      .innerJoin('projects as p', 'p.namespaceId', 'n.id')
      .where('a.ancestorId', '=', $('groupId'))
      .where('n.deletedAt', 'is not', null)
      .where('p.deletedAt', 'is not', null)
      .orderBy('p.id')
      .select('p.id'),
  )
  return rows.map((row) => row.id)
}

/** Removes the rows of an emptied group: its own, and those that name it without a foreign key. */
export async function deleteGroupRows(tx: Transaction, groupId: number): Promise<void> {
  await deleteCustomAttributesOf(tx, { ownerKind: 'group', ownerId: groupId })
  await forgetNotificationSettings(tx, { scope: 'group', ids: [groupId] })
  await tx.run('groups.members.delete', { groupId }, (db, $) =>
    db.deleteFrom('members').where('sourceKind', '=', 'group').where('sourceId', '=', $('groupId')),
  )
  await tx.run('groups.delete', { groupId }, (db, $) =>
    db.deleteFrom('namespaces').where('id', '=', $('groupId')).where('deletedAt', 'is not', null),
  )
  await touchStamp(tx, 'members', 'projects')
}

/** Sizes in bytes of the projects in several groups and below them. */
export interface GroupStatisticsRow extends StorageSizesRow {
  groupId: number
}

/** The sizes of several groups; those without projects are left out. */
export function listGroupStatistics(
  q: Queries,
  args: { groupIds: readonly number[] },
): Promise<GroupStatisticsRow[]> {
  return q.all('groups.statistics', args, (db, $) =>
    db
      .selectFrom('namespaceAncestors as a')
      .innerJoin('projects as p', 'p.namespaceId', 'a.descendantId')
      .innerJoin('projectStatistics as s', 's.projectId', 'p.id')
      .where((eb) => inList(eb.ref('a.ancestorId'), $('groupIds')))
      .where('p.deletedAt', 'is', null)
      .groupBy('a.ancestorId')
      .select((eb) => [
        'a.ancestorId as groupId',
        total(eb.fn.sum('s.storageSize')).as('storageSize'),
        total(eb.fn.sum('s.repositorySize')).as('repositorySize'),
        total(eb.fn.sum('s.wikiSize')).as('wikiSize'),
        total(eb.fn.sum('s.lfsObjectsSize')).as('lfsObjectsSize'),
        total(eb.fn.sum('s.jobArtifactsSize')).as('jobArtifactsSize'),
        total(eb.fn.sum('s.packagesSize')).as('packagesSize'),
      ]),
  )
}

/** PostgreSQL sums 64-bit integers to a decimal. */
function total(sum: Parameters<typeof sql<number>>[1]) {
  return sql<number>`cast(${sum} as bigint)`
}
