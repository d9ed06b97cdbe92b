import { sql } from 'kysely'
import { deleteCustomAttributesOf } from '../custom-attributes/custom-attribute-store.ts'
import { unlinkDeployKeysOf } from '../deploy-keys/deploy-key-links.ts'
import { forgetNotificationSettings } from '../notification-settings/notification-setting-store.ts'
import type { Queries, Transaction } from '../queries.ts'
import { inList } from '../sql.ts'
import { touchStamp } from '../stamps.ts'

/** A project that is going, or a draft that was never published. */
export interface DoomedProject {
  id: number
  repositoryStorage: string
  avatar: string | null
}

/** The project, if it is marked as deleted or is a draft. */
export function findDoomedProject(
  q: Queries,
  args: { projectId: number },
): Promise<DoomedProject | undefined> {
  return q.first('projects.doomed', args, (db, $) =>
    db
      .selectFrom('projects')
      .select(['id', 'repositoryStorage', 'avatar'])
      .where('id', '=', $('projectId'))
      .where('deletedAt', 'is not', null),
  )
}

/**
 * Hides projects for good and frees their names at once; what they hold goes later. Their forks stand
 * alone from now on, and their sources count one fork less.
 */
export async function markProjectsDeleted(
  tx: Transaction,
  args: { ids: readonly number[]; now: number },
): Promise<void> {
  if (args.ids.length === 0) return
  await discountForks(tx, args)
  await tx.run('projects.mark-deleted', args, (db, $) =>
    db
      .updateTable('projects')
      .set({
        deletedAt: $('now'),
        name: goneName,
        nameLower: goneName,
        path: goneName,
        pathLower: goneName,
        fullPath: goneName,
        fullPathLower: goneName,
      })
      .where(inList('projects.id', $('ids')))
      .where('deletedAt', 'is', null),
  )
  await tx.run('projects.unfork', { ids: args.ids }, (db, $) =>
    db
      .updateTable('projects')
      .set({ forkedFromProjectId: null })
      .where(inList('projects.forkedFromProjectId', $('ids'))),
  )
  await unlinkDeployKeysOf(tx, args.ids)
  await touchStamp(tx, 'projects')
}

/** Starts with a dash, as no path of a user can. */
const goneName = sql<string>`'-deleted-' || ${sql.ref('id')}`

async function discountForks(tx: Transaction, { ids }: { ids: readonly number[] }): Promise<void> {
  const forks = await tx.all('projects.fork-sources', { ids }, (db, $) =>
    db
      .selectFrom('projects')
      .select('forkedFromProjectId as sourceId')
      .where(inList('projects.id', $('ids')))
      .where('deletedAt', 'is', null)
      .where('forkedFromProjectId', 'is not', null),
  )
  for (const { sourceId } of forks) {
    await tx.run('projects.fork-discount', { sourceId }, (db, $) =>
      db
        .updateTable('projects')
        .set((eb) => ({ forksCount: eb('forksCount', '-', 1) }))
        .where('id', '=', $('sourceId'))
        .where('forksCount', '>', 0),
    )
  }
}

/** Removes the rows of a marked project: its own, and those that name it without a foreign key. */
export async function deleteProjectRows(tx: Transaction, projectId: number): Promise<void> {
  await deleteCustomAttributesOf(tx, { ownerKind: 'project', ownerId: projectId })
  await forgetNotificationSettings(tx, { scope: 'project', ids: [projectId] })
  await tx.run('projects.members.delete', { projectId }, (db, $) =>
    db
      .deleteFrom('members')
      .where('sourceKind', '=', 'project')
      .where('sourceId', '=', $('projectId')),
  )
  await tx.run('projects.delete', { projectId }, (db, $) =>
    db.deleteFrom('projects').where('id', '=', $('projectId')).where('deletedAt', 'is not', null),
  )
  await touchStamp(tx, 'members', 'events', 'snippets')
}
