import { type BlobSize, isLimit, type Repository, repositorySize, walkBlobs } from '@stithy/git'
import {
  enqueueOnce,
  findCountedCommits,
  findRepository,
  saveLanguages,
  saveRepositoryStatistics,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { repositoryOf, wikiLocationOf } from '../../platform/repositories/repository-location.ts'
import { codeLimitsOf } from '../../platform/settings/code-settings.ts'
import { countHistory } from '../commits/commit-count.service.ts'
import { headOf } from '../revisions/revision.service.ts'

const queue = 'default'
const kind = 'repository.refresh'

/** Enqueues the statistics of a repository, in the transaction. */
export async function enqueueRefresh(
  tx: Transaction,
  projectId: number,
  now: number,
): Promise<void> {
  // A job that is already waiting will see the repository as it is then.
  await enqueueOnce(tx, { queue, kind, payload: { projectId } }, now)
}

/** Counts the commits, bytes and languages of a repository after a push, and the bytes of the wiki. */
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
    // Most pushes do not move the default branch: then only the size changes.
    const isCounted = head !== undefined && head === counted?.tip
    const languages = isCounted ? undefined : await languagesOf(app, repository, head)
    const bytes = await repositorySize(repository)
    const wikiSize = await repositorySize(repositoryOf(app, wikiLocationOf(project)))
    await app.db.transaction(async (tx) => {
      const countedTip = head ?? null
      const statistics = {
        projectId,
        commitCount,
        countedTip,
        repositorySize: bytes,
        wikiSize,
        now: app.now(),
      }
      await saveRepositoryStatistics(tx, statistics)
      if (languages !== undefined) await saveLanguages(tx, projectId, languages)
    })
  },
}

async function languagesOf(app: App, repository: Repository, head: string | undefined) {
  if (head === undefined) return new Map<string, number>()
  // Loaded with the first push: hundreds of languages would slow down every start. As one file of the
  // bundle they take 30 ms; from source, where they are 834 modules, 150.
  const { countLanguage } = await import('./languages.ts')
  const sizes = new Map<string, number>()
  const visit = (file: BlobSize) => {
    // Symbolic links and submodules are not source code.
    if (file.mode.startsWith('100')) countLanguage(sizes, file)
  }
  try {
    await walkBlobs(app.git, repository, head, { limits: codeLimitsOf(app).tree, visit })
  } catch (error) {
    if (!isLimit(error)) throw error
    app.log.warn({ err: error, repository: repository.path }, 'languages are counted in part')
  }
  return sizes
}
