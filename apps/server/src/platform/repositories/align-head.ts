import { type Repository, readHead, setHead } from '@stithy/git'
import { findDefaultBranch } from '@stithy/store'
import type { App } from '../app.ts'

/**
 * Makes git's HEAD the default branch of the project. Call it after a change of either: of several
 * servers that change them at the same time, the last one to look leaves both equal.
 */
export async function alignHead(
  app: App,
  repository: Repository,
  projectId: number,
): Promise<void> {
  for (;;) {
    const branch = await findDefaultBranch(app.db, projectId)
    if (branch === null || (await readHead(repository)) === branch) return
    await setHead(app.git, repository, branch)
  }
}
