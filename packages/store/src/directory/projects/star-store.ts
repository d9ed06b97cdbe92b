import { sql } from 'kysely'
import type { Transaction } from '../../platform/queries/queries.ts'
import { touchStamp } from '../../platform/queries/stamps.ts'

interface Star {
  userId: number
  projectId: number
}

/** Adds a star and increments the count; false if it exists already. */
export async function insertStar(
  tx: Transaction,
  star: Star & { createdAt: number },
): Promise<boolean> {
  const { changes } = await tx.run('stars.insert', star, (db, $) =>
    db
      .insertInto('stars')
      .values({ userId: $('userId'), projectId: $('projectId'), createdAt: $('createdAt') })
      .onConflict((conflict) => conflict.columns(['userId', 'projectId']).doNothing()),
  )
  if (changes > 0) await countStars(tx, star.projectId, 1)
  return changes > 0
}

/** Removes a star and decrements the count; false if there is none. */
export async function deleteStar(tx: Transaction, { userId, projectId }: Star): Promise<boolean> {
  const { changes } = await tx.run('stars.delete', { userId, projectId }, (db, $) =>
    db
      .deleteFrom('stars')
      .where('userId', '=', $('userId'))
      .where('projectId', '=', $('projectId')),
  )
  if (changes > 0) await countStars(tx, projectId, -1)
  return changes > 0
}

async function countStars(tx: Transaction, projectId: number, by: 1 | -1): Promise<void> {
  await tx.run('stars.count', { projectId, by }, (db, $) =>
    db
      .updateTable('projects')
      .set({ starCount: sql<number>`"starCount" + ${$('by')}` })
      .where('id', '=', $('projectId')),
  )
  // Lists of starred projects depend on this stamp.
  touchStamp(tx, 'projects')
}
