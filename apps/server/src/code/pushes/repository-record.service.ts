import { listRefs, setHead } from '@stithy/git'
import { savePushedProject, type Transaction } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { readRepositoryState } from '../../platform/repositories/repository-state.ts'
import { untilRecorded } from './until-recorded.ts'

/** How to record a repository that was filled by other means than a push. */
export interface RepositoryRecord {
  /** The branch that HEAD should name, if there is one. */
  headBranch: string | undefined
  /** Writes what belongs to it, in the same transaction. `branch` is the new default branch. */
  record: (tx: Transaction, branch: string | null, now: number) => Promise<void>
}

/** Stores the default branch of a repository and what its project says of its contents. */
export async function recordRepository(
  app: App,
  projectId: number,
  { headBranch, record }: RepositoryRecord,
): Promise<void> {
  await untilRecorded(app, projectId, async (project) => {
    const repository = repositoryOf(app, project)
    const heads = (await listRefs(app.git, repository, 'heads')).map(({ name }) => name)
    const wanted = [headBranch, project.defaultBranch, app.config.defaultBranch, heads[0]]
    const branch = wanted.find((name) => name != null && heads.includes(name)) ?? null
    if (branch !== null) await setHead(app.git, repository, branch)
    const state = await readRepositoryState(app, repository, branch)
    const { refsVersion } = project
    const now = app.now()
    return app.db.transaction(async (tx) => {
      const saved = { projectId, defaultBranch: branch, refsVersion, ...state, now }
      if (!(await savePushedProject(tx, saved))) return false
      await record(tx, branch, now)
      return true
    })
  })
}
