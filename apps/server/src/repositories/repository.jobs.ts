import { languageSizes } from '@stithy/core'
import { countCommits, listBlobSizes, repositorySize } from '@stithy/git'
import {
  enqueueJob,
  findRepository,
  saveLanguages,
  saveRepositoryFigures,
  type Transaction,
} from '@stithy/store'
import type { App } from '../app.ts'
import { headOf, repositoryOf } from './repository.service.ts'

const queue = 'default'
const kind = 'repository.refresh'

/** Asks for a repository to be looked at anew, once the transaction is committed. */
export async function enqueueRefresh(
  tx: Transaction,
  projectId: number,
  now: number,
): Promise<void> {
  await enqueueJob(tx, { queue, kind, payload: { projectId } }, now)
}

/** Counts the commits, bytes and languages of a repository after a push. */
export const refreshRepositoryJob = {
  kind,
  async run(app: App, payload: unknown): Promise<void> {
    const { projectId } = payload as { projectId: number }
    const project = await findRepository(app.db, projectId)
    if (project === undefined) return
    const repository = repositoryOf(app, project)
    const head = await headOf(app, project)
    const commitCount = head ? await countCommits(app.git, repository, { tip: head }) : 0
    const files = head ? await listBlobSizes(app.git, repository, head) : []
    // Links and the like are no source code.
    const languages = languageSizes(files.filter(({ mode }) => mode.startsWith('100')))
    const bytes = await repositorySize(repository)
    await app.db.transaction(async (tx) => {
      const figures = { projectId, commitCount, repositorySize: bytes, now: app.now() }
      await saveRepositoryFigures(tx, figures)
      await saveLanguages(tx, projectId, languages)
    })
  },
}
