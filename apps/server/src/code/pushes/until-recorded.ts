import { findRepository, type VersionedRepositoryRow } from '@stithy/store'
import type { App } from '../../platform/app.ts'

/** How often a repository is read again because another push was recorded meanwhile. */
const maxAttempts = 100

/**
 * Records what is in the repository of a project. Servers that share the database agree by the
 * version of the project: an attempt that another one overtook returns false and is repeated, so
 * what is stored of the project is never older than its last push. Does nothing if the project is
 * deleted.
 */
export async function untilRecorded(
  app: App,
  projectId: number,
  attempt: (project: VersionedRepositoryRow) => Promise<boolean>,
): Promise<void> {
  for (let count = 1; count <= maxAttempts; count += 1) {
    const project = await findRepository(app.db, projectId)
    if (project === undefined || (await attempt(project))) return
  }
  throw new Error('a repository could not be recorded: pushes were recorded all the time')
}
