import { sql } from 'kysely'
import type { Transaction } from '../queries.ts'
import { touchStamp } from '../stamps.ts'

interface Star {
  userId: number
  projectId: number
}

/** Adds a star and counts it; false when it is there already. */
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

/** Takes a star away and counts it; false when there is none. */
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
  // Lists of starred projects hang on this stamp.
  await touchStamp(tx, 'projects')
}
