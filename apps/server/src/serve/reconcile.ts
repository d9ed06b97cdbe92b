import { hastenJobs, requeueExpiredJobs } from '@stithy/store'
import type { App } from '../app.ts'
import { removeProjectKind } from '../projects/create/project-create.service.ts'
import { reconcilePushes } from '../pushes/push.jobs.ts'

/** Finishes or takes back what a crash left half done; runs before the first request. */
export async function reconcile(app: App): Promise<void> {
  // On SQLite no other server can be at work: whatever counts as under way was left by a crash.
  if (app.config.databaseUrl !== '') return
  await requeueExpiredJobs(app.db, Number.MAX_SAFE_INTEGER)
  await reconcilePushes(app)
  // Drafts of projects that nobody is making any more.
  await hastenJobs(app.db, removeProjectKind, app.now())
}
