import { findReadme, readmePrefix } from '@stithy/core'
import { listRefs, listRootFiles, type Repository } from '@stithy/git'
import { type Flag, toFlag } from '@stithy/store'
import type { App } from '../app.ts'

/** What a project's row says of its repository. */
export interface RepositoryState {
  emptyRepo: Flag
  readmePath: string | null
}

/** Reads whether a repository has branches, and the README of its default branch. */
export async function readRepositoryState(
  app: App,
  repository: Repository,
  defaultBranch: string | null,
): Promise<RepositoryState> {
  const heads = await listRefs(app.git, repository, 'heads')
  const head = heads.find(({ name }) => name === defaultBranch)
  const query = { commit: head?.oid ?? '', prefix: readmePrefix }
  const files = head ? await listRootFiles(app.git, repository, query) : []
  const readmePath = findReadme(files.map(({ name }) => name))
  return { emptyRepo: toFlag(heads.length === 0), readmePath }
}
