import type { DiffRefs } from '@stithy/core'
import {
  type Commit,
  type DiffEntry,
  diffRange,
  emptyTreeOid,
  isValidPath,
  type Repository,
} from '@stithy/git'
import type { App } from '../app.ts'
import { type CodePlace, repositoryOf } from '../repositories/repository.service.ts'

/** Bytes of one file's diff in which lines are looked for. */
const maxFileBytes = 2 * 1024 * 1024

/** What a commit's diff lies between: its first parent, or the empty tree, and itself. */
export function diffRefsOf({ oid, parents }: Pick<Commit, 'oid' | 'parents'>): DiffRefs {
  const parent = parents[0] ?? emptyTreeOid
  return { baseSha: parent, startSha: parent, headSha: oid }
}

/**
 * The file of a diff, from its base to its head, that is called so in the new tree or, if it was deleted, in
 * the old one. The hashes must be in full.
 */
export async function findChangedFile(
  app: App,
  place: CodePlace,
  refs: DiffRefs,
  path: string,
  signal: AbortSignal,
): Promise<DiffEntry | undefined> {
  if (!isValidPath(path)) return undefined
  const repository = repositoryOf(app, place)
  const options = { paths: [path], maxFileBytes, signal }
  const { entries } = await diffRange(app.git, repository, refs.baseSha, refs.headSha, options)
  const file = entries.find(({ newPath }) => newPath === path)
  if (file === undefined || !(file.newFile || file.deletedFile)) return file
  return renamedFile(app, repository, refs, file, signal)
}

/** A file seen alone looks new or deleted where it was renamed: only the whole diff tells. */
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
