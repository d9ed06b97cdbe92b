import type { Transaction } from '../../platform/queries/queries.ts'
import type { Flag } from '../../platform/schema/flag.ts'

/** The changes that a push makes to its project. */
export interface PushedProject {
  projectId: number
  /** The branch that a first push makes the default branch; null for no change. */
  defaultBranch: string | null
  emptyRepo: Flag
  readmePath: string | null
  /** Milliseconds since the epoch. */
  now: number
}

/** Stores the changes that a push makes to its project. */
export async function savePushedProject(tx: Transaction, change: PushedProject): Promise<void> {
  const { defaultBranch, ...rest } = change
  await tx.run('repositories.pushed', rest, (db, $) =>
    db
      .updateTable('projects')
      .set({
        emptyRepo: $('emptyRepo'),
        readmePath: $('readmePath'),
        lastActivityAt: $('now'),
      })
      .where('projects.id', '=', $('projectId')),
  )
  if (defaultBranch === null) return
  const { projectId } = change
  await tx.run('repositories.defaultBranch', { projectId, defaultBranch }, (db, $) =>
    db
      .updateTable('projects')
      .set({ defaultBranch: $('defaultBranch') })
      .where('projects.id', '=', $('projectId')),
  )
}
