import { languageSizes } from '@stithy/core'
import { listBlobSizes, type Repository, repositorySize } from '@stithy/git'
import {
  enqueueOnce,
  findCountedCommits,
  findRepository,
  saveLanguages,
  saveRepositoryFigures,
  type Transaction,
} from '@stithy/store'
import type { App } from '../app.ts'
import { countHistory } from '../commits/commit-count.service.ts'
import { headOf, repositoryOf } from './repository.service.ts'

const queue = 'default'
const kind = 'repository.refresh'

/** Asks for a repository to be looked at anew, once the transaction is committed. */
export async function enqueueRefresh(
  tx: Transaction,
  projectId: number,
  now: number,
): Promise<void> {
  // One that waits already will see the repository as it is then.
  await enqueueOnce(tx, { queue, kind, payload: { projectId } }, now)
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
    const counted = await findCountedCommits(app.db, projectId)
    const commitCount = head ? await countHistory(app, project, { tip: head }) : 0
    // Most pushes leave the default branch where it is: then only the size is another.
    const isCounted = head !== undefined && head === counted?.tip
    const languages = isCounted ? undefined : await languagesOf(app, repository, head)
    const bytes = await repositorySize(repository)
    await app.db.transaction(async (tx) => {
      const countedTip = head ?? null
      const figures = { projectId, commitCount, countedTip, repositorySize: bytes, now: app.now() }
      await saveRepositoryFigures(tx, figures)
      if (languages !== undefined) await saveLanguages(tx, projectId, languages)
    })
  },
}

async function languagesOf(app: App, repository: Repository, head: string | undefined) {
  const files = head ? await listBlobSizes(app.git, repository, head) : []
  // Links and the like are no source code.
  return languageSizes(files.filter(({ mode }) => mode.startsWith('100')))
}
