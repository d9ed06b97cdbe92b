import type { Transaction } from '../../platform/queries/queries.ts'
import type { Flag } from '../../platform/schema/flag.ts'

/** The changes that a push makes to its project. */
export interface PushedProject {
  projectId: number
  /** The branch that a first push makes the default branch; null for no change. */
  defaultBranch: string | null
  emptyRepo: Flag
  readmePath: string | null
  /** The version of the project from which the rest was read. */
  refsVersion: number
  /** Milliseconds since the epoch. */
  now: number
}

/**
 * Stores the changes that a push makes to its project. Returns false, and stores nothing, if another
 * push was recorded since the version was read.
 */
export async function savePushedProject(tx: Transaction, change: PushedProject): Promise<boolean> {
  const { defaultBranch, ...rest } = change
  const { changes } = await tx.run('repositories.pushed', rest, (db, $) =>
    db
      .updateTable('projects')
      .set({
        emptyRepo: $('emptyRepo'),
        readmePath: $('readmePath'),
        lastActivityAt: $('now'),
        refsVersion: (eb) => eb('refsVersion', '+', 1),
      })
      .where('projects.id', '=', $('projectId'))
      .where('projects.refsVersion', '=', $('refsVersion')),
  )
  if (changes === 0) return false
  if (defaultBranch === null) return true
  const { projectId } = change
  await tx.run('repositories.defaultBranch', { projectId, defaultBranch }, (db, $) =>
    db
      .updateTable('projects')
      .set({ defaultBranch: $('defaultBranch') })
      .where('projects.id', '=', $('projectId')),
  )
  return true
}
