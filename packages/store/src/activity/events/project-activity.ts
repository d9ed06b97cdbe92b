import type { Transaction } from '../../platform/queries/queries.ts'

const hour = 3_600_000

/** Records activity in a project, at most once an hour. */
export async function refreshProjectActivity(
  tx: Transaction,
  { projectId, now }: { projectId: number; now: number },
): Promise<void> {
  await tx.run('projects.activity', { projectId, now, cutoff: now - hour }, (db, $) =>
    db
      .updateTable('projects')
      .set({ lastActivityAt: $('now') })
      .where('id', '=', $('projectId'))
      .where('lastActivityAt', '<=', $('cutoff')),
  )
}
