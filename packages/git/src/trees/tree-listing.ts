import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { createLineReader } from '../parsing/line-reader.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { streamIn } from '../stream.ts'

/** Limits of everything below a tree. The same few objects can make it any size. */
export interface ListingLimits {
  /** Milliseconds after which git is killed. */
  timeoutMs: number
  /** Files, folders, links and submodules. */
  maxEntries: number
  /** Bytes of git's output: of all paths, and about 60 for each entry. */
  maxOutputBytes: number
}

const nul = 0
/** Longer paths are cut; no file system has them. */
const maxLineBytes = 16 * 1024

/** How a tree is walked. */
export interface ListingWalk {
  /** More arguments of `ls-tree`, the last of them a full id. */
  args: string[]
  limits: ListingLimits
  signal?: AbortSignal
  /** Called with each line, in git's order; returns false to stop. */
  visit(line: Buffer): unknown
}

/**
 * Walks everything below a tree with `ls-tree -r -t -z`: each line is for `parseListedEntry`.
 * @throws GitError `timeout`, `output_limit`, `memory_limit`, `not_found`, `aborted`.
 */
export async function walkListing(
  git: Git,
  repository: Repository,
  { args, limits, signal, visit }: ListingWalk,
): Promise<void> {
  const { maxEntries, ...streaming } = limits
  let count = 0
  const reader = createLineReader(
    (line) => {
      count += 1
      if (count > maxEntries) throw new GitError('output_limit', `more than ${maxEntries} entries`)
      return visit(line)
    },
    { separator: nul, maxBytes: maxLineBytes },
  )
  const command = ['ls-tree', '-r', '-t', '-z', '--full-tree', ...args]
  const options = {
    ...streaming,
    ...(signal ? { signal } : {}),
    limits: slowProcess,
    queued: true,
  }
  for await (const chunk of streamIn(git, repository, command, options)) {
    // Leaving the loop ends git.
    if (!reader.push(chunk)) return
  }
}
