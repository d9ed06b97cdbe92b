import { housekeep, sweepRepositories } from '@stithy/git'
import { findRepository, forgetPushes, readPushCount } from '@stithy/store'
import type { App } from '../app.ts'
import type { JobHandler } from '../jobs/worker.ts'
import { enqueueRefresh } from '../repositories/repository.jobs.ts'
import { repositoryOf } from '../repositories/repository.service.ts'
import { fullEvery, type HousekeepRequest, housekeepKind } from './upkeep.service.ts'

const dayMs = 86_400_000

/** Packs one repository, and looks at its size anew. */
export const housekeepRepositoryJob: JobHandler = {
  kind: housekeepKind,
  async run(app, payload, signal) {
    const request = payload as HousekeepRequest
    const { projectId } = request
    const project = await findRepository(app.db, projectId)
    if (project === undefined) return
    const counted = await readPushCount(app.db, projectId)
    const full = request.full || counted >= fullEvery
    await housekeep(app.git, repositoryOf(app, project), { full, signal })
    if (full) await forgetPushes(app.db, { projectId, counted })
    await app.db.transaction((tx) => enqueueRefresh(tx, projectId, app.now()))
  },
}

/** Removes what crashes left in the repositories a day ago or longer. */
export const sweepRepositoriesJob: JobHandler = {
  kind: 'repositories.sweep',
  async run(app: App, _payload, signal) {
    const before = Date.now() - dayMs
    for (const [storage, root] of Object.entries(app.config.repositoryStorages)) {
      const onError = (error: unknown, path: string) =>
        app.log.warn({ err: error, path }, 'a folder could not be swept')
      const swept = await sweepRepositories(app.git, root, { before, signal, onError })
      if (swept > 0) app.log.info({ storage, swept }, 'leftovers in repositories were removed')
    }
  },
}
