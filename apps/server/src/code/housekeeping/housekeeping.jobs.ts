import { relative } from 'node:path'
import { repositoryExists, runHousekeeping, sweepRepositories } from '@stithy/git'
import {
  findRepository,
  hasProjectWithRepository,
  readPushCount,
  subtractPushes,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { repositoryOf, wikiLocationOf } from '../../platform/repositories/repository-location.ts'
import { enqueueRefresh } from '../statistics/repository-statistics.jobs.ts'
import { type HousekeepingRequest, housekeepingKind } from './housekeeping.service.ts'

const dayMs = 86_400_000

/** Packs one repository and that of its wiki, and measures their sizes again. */
export const housekeepingJob: JobHandler = {
  kind: housekeepingKind,
  async run(app, payload, signal) {
    const request = payload as HousekeepingRequest
    const { projectId } = request
    const project = await findRepository(app.db, projectId)
    if (project === undefined) return
    const counted = await readPushCount(app.db, projectId)
    // Everything is repacked, and unreachable objects are dropped.
    const full = request.full || counted >= app.settings.housekeeping_gc_period
    await runHousekeeping(app.git, repositoryOf(app, project), { full, signal })
    const wiki = repositoryOf(app, wikiLocationOf(project))
    if (await repositoryExists(wiki)) await runHousekeeping(app.git, wiki, { full, signal })
    if (full) await subtractPushes(app.db, { projectId, counted })
    await app.db.transaction((tx) => enqueueRefresh(tx, projectId, app.now()))
  },
}

/** Removes temporary files that crashes left in the repositories at least a day ago. */
export const sweepRepositoriesJob: JobHandler = {
  kind: 'repositories.sweep',
  async run(app: App, _payload, signal) {
    const before = Date.now() - dayMs
    for (const [storage, root] of Object.entries(app.config.repositoryStorages)) {
      const onError = (error: unknown, path: string) =>
        app.log.warn({ err: error, path }, 'a repository folder could not be cleaned up')
      const isOrphan = (path: string) => isOrphanedWiki(app, root, path)
      const options = { before, signal, onError, isOrphan }
      const swept = await sweepRepositories(app.git, root, options)
      if (swept > 0)
        app.log.info({ storage, swept }, 'temporary files in repositories were removed')
    }
  },
}

/** Whether a repository is that of a wiki whose project is deleted: a crash left it. */
async function isOrphanedWiki(app: App, root: string, path: string): Promise<boolean> {
  const [, owner] = /^(.+)\.wiki\.git$/.exec(path) ?? []
  if (owner === undefined || (await repositoryExists({ path: `${owner}.git` }))) return false
  return !(await hasProjectWithRepository(app.db, `${relative(root, owner)}.git`))
}
