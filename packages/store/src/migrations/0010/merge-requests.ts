import type { Kysely } from 'kysely'
import type { Tools } from '../tools.ts'
import { keptCounts } from './issues.ts'

/** Merge requests get what issues have: a milestone, and the counts of what belongs to them. */
export async function extendMergeRequests(db: Kysely<unknown>, t: Tools): Promise<void> {
  const columns = { milestoneId: t.mentionOrNull('milestones'), ...keptCounts(t) }
  for (const [name, { type, refine }] of Object.entries(columns)) {
    await db.schema.alterTable('mergeRequests').addColumn(name, type, refine).execute()
  }
  await t.index('mergeRequests', 'milestoneId', 'createdAt', 'id')
  const { type, refine } = t.long(0)
  await db.schema.alterTable('mergeRequestAssignees').addColumn('createdAt', type, refine).execute()
  await t.index('mergeRequestAssignees', 'userId', 'createdAt', 'mergeRequestId')
}
