import { makeJobsDue, requeueExpiredJobs } from '@stithy/store'
import { reconcilePushes } from '../../code/pushes/push.jobs.ts'
import { removeProjectKind } from '../../directory/projects/create/project-create.service.ts'
import type { App } from '../../platform/app.ts'
import { reconcileMerges } from '../../review/merging/merging.jobs.ts'
import { reconcilePushOptions } from '../../review/push-options/push-options.jobs.ts'
import { lockOutWorkers } from './worker-lock.ts'

/** Completes or rolls back what a crash left half done; runs before the first request. */
export async function reconcile(app: App): Promise<void> {
  if (app.config.databaseUrl !== '') return
  // On SQLite no other server can be running, and without a worker apart, whatever is marked as in
  // progress was left by a crash. Otherwise it is found by its jobs once it is overdue.
  const lock = lockOutWorkers(app.config)
  if (lock === undefined) return
  try {
    await requeueExpiredJobs(app.db, app.now(), Number.MAX_SAFE_INTEGER)
    await reconcilePushes(app)
    await reconcileMerges(app)
    await reconcilePushOptions(app)
    // Drafts of projects whose creation was abandoned.
    await makeJobsDue(app.db, removeProjectKind, app.now())
  } finally {
    lock.release()
  }
}
