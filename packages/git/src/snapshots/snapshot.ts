import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { forkRepository } from '../forking/fork-repository.ts'
import type { Git, Repository } from '../git.ts'
import { streamTo } from '../reading/open-output.ts'
import { sibling } from '../repository.ts'
import { packFolder } from './tar.ts'

/** Options of a snapshot. */
export interface SnapshotOptions {
  defaultBranch: string
  /** Milliseconds that the reader may take for each chunk. */
  stallMs: number
}

/**
 * Streams a repository with all its refs, as they are at one moment, as an uncompressed tar.
 * Pushes and maintenance go on meanwhile: what is packed is a copy whose files are links. Destroying
 * the stream removes it, as its end does; a crash leaves what is swept later.
 * @throws GitError as `forkRepository`
 */
export async function openSnapshot(
  git: Git,
  repository: Repository,
  { defaultBranch, stallMs }: SnapshotOptions,
): Promise<Readable> {
  const path = sibling(repository.path, 'old')
  await forkRepository(git, repository, path, { defaultBranch, refs: ['refs'] })
  const remove = async () => {
    git.forget(path)
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  }
  const chunks = packFolder(path)
  const stream = streamTo(chunks, stallMs, 'snapshot')
  // A stream that nobody started to read doesn't end its source.
  return stream.once('close', () => {
    void chunks
      .return()
      .then(remove)
      .catch(() => {})
  })
}
