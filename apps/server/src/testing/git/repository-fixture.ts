import type { Json, TestServer } from '../test-server.ts'
import { buildWorkTree, commit, mustGit, remoteUrl } from './git-client.ts'

/** A project with a work tree, whose branch `main` has one commit; nothing is pushed yet. */
export interface RepositoryFixture {
  project: Json
  tree: string
  /** With the credentials of root. */
  remote: string
  git: (...args: string[]) => Promise<string>
  /** Commits to a branch, which is created from `main` if it is new; returns the commit id. */
  commitTo: (branch: string, files: Record<string, string>, message: string) => Promise<string>
  /** Merges a branch into another with a merge commit; returns its id. */
  mergeInto: (target: string, source: string) => Promise<string>
  /** Pushes branches, by name or as `from:to`. */
  push: (...refs: string[]) => Promise<void>
}

/** Builds a project of root with a work tree; `tree` is one to share with another project. */
export async function buildRepositoryFixture(
  server: TestServer,
  overrides: Record<string, unknown> = {},
  tree?: string,
): Promise<RepositoryFixture> {
  const project = await server.buildProject(overrides)
  const folder = tree ?? (await buildWorkTree())
  const { username, token } = server.root
  const remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
  const git = (...args: string[]) => mustGit(folder, ...args)
  const checkOut = async (branch: string) => {
    const known = await git('branch', '--list', branch)
    await git('checkout', '--quiet', ...(known === '' ? ['-b', branch, 'main'] : [branch]))
  }
  return {
    project,
    tree: folder,
    remote,
    git,
    async commitTo(branch, files, message) {
      await checkOut(branch)
      return commit(folder, files, message)
    },
    async mergeInto(target, source) {
      await checkOut(target)
      await git('merge', '--quiet', '--no-ff', '-m', `Merge ${source}`, source)
      return git('rev-parse', 'HEAD')
    },
    async push(...refs) {
      await git('push', '--force', remote, ...refs)
    },
  }
}
