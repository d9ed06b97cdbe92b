import type { Transaction } from '../queries.ts'

const hour = 3_600_000

/** Notes that something happened in a project, at most hourly (catalogue: planning, 9). */
export async function refreshProjectActivity(
  tx: Transaction,
  { projectId, now }: { projectId: number; now: number },
): Promise<void> {
  await tx.run('projects.activity', { projectId, now, horizon: now - hour }, (db, $) =>
    db
      .updateTable('projects')
      .set({ lastActivityAt: $('now') })
      .where('id', '=', $('projectId'))
      .where('lastActivityAt', '<=', $('horizon')),
  )
}
