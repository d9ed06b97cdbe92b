import type { DiffRefs } from '@stithy/core'
import {
  type Commit,
  type DiffEntry,
  diffRange,
  emptyTreeOid,
  isValidPath,
  type Repository,
} from '@stithy/git'
import type { SourceRepository } from '../../code/revisions/revision.service.ts'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'

/** The maximum size, in bytes, of a file's diff that is searched for lines. */
const maxFileBytes = 2 * 1024 * 1024

/** The base and head of a commit's diff: its first parent, or the empty tree, and itself. */
export function diffRefsOf({ oid, parents }: Pick<Commit, 'oid' | 'parents'>): DiffRefs {
  const parent = parents[0] ?? emptyTreeOid
  return { baseSha: parent, startSha: parent, headSha: oid }
}

/**
 * Finds a file of a diff by its path in the new tree or, for a deleted file, in the old one. The
 * hashes must be full.
 */
export async function findChangedFile(
  app: App,
  source: SourceRepository,
  refs: DiffRefs,
  path: string,
  signal: AbortSignal,
): Promise<DiffEntry | undefined> {
  if (!isValidPath(path)) return undefined
  const repository = repositoryOf(app, source)
  const options = { paths: [path], maxFileBytes, signal }
  const { entries } = await diffRange(app.git, repository, refs.baseSha, refs.headSha, options)
  const file = entries.find(({ newPath }) => newPath === path)
  if (file === undefined || !(file.newFile || file.deletedFile)) return file
  return renamedFile(app, repository, refs, file, signal)
}

/** With a path filter a rename looks like an addition or deletion; the whole diff shows it. */
async function renamedFile(
  app: App,
  repository: Repository,
  { baseSha, headSha }: DiffRefs,
  file: DiffEntry,
  signal: AbortSignal,
): Promise<DiffEntry | undefined> {
  const { entries } = await diffRange(app.git, repository, baseSha, headSha, { signal })
  const path = file.newPath
  const rename = entries.find(
    ({ renamedFile: renamed, newPath, oldPath }) => renamed && [newPath, oldPath].includes(path),
  )
  if (rename === undefined) return file
  return rename.newPath === path ? rename : undefined
}
