import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { type BlamedLines, createBlameParser } from '../parsing/blame-parser.ts'
import type { Commit } from '../parsing/commit-parser.ts'
import { isOid } from '../reading/object-reader.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { readCommits } from '../reading/text-object.ts'
import { type StreamLimits, streamIn } from '../stream.ts'

/** Adjacent lines of a file and the commit that last changed them. */
export interface BlameRange {
  commit: Commit
  /** Without line breaks. */
  lines: string[]
}

/** A file at a commit. */
export interface BlamedFile {
  /** Full id. */
  commit: string
  path: string
}

/** Limits of a file whose lines are attributed. */
export interface BlameLimits {
  /** Milliseconds after which git is killed. */
  timeoutMs: number
  /** Bytes of git's output, of which a line takes about 60 besides its text. */
  maxOutputBytes: number
  /**
   * Bytes of the different commits together, as git stores them; and of the ranges, in which a
   * commit is repeated.
   */
  maxCommitBytes: number
}

async function readLines(
  git: Git,
  repository: Repository,
  { commit, path }: BlamedFile,
  limits: StreamLimits,
): Promise<{ ranges: BlamedLines[]; size: number }> {
  const args = ['blame', '--porcelain', commit, '--', path]
  const options = { ...limits, limits: slowProcess, queued: true }
  const parser = createBlameParser()
  let size = 0
  for await (const chunk of streamIn(git, repository, args, options)) {
    parser.push(chunk)
    size += chunk.length
  }
  return { ranges: parser.ranges, size }
}

async function blamedLines(
  git: Git,
  repository: Repository,
  file: BlamedFile,
  { timeoutMs, maxOutputBytes }: BlameLimits,
  signal: AbortSignal | undefined,
): Promise<BlamedLines[]> {
  const name = `blame ${file.commit} ${file.path}`
  const key = git.parts.scopeOf(repository.path) + name
  const known = git.parts.cache.get(key) as BlamedLines[] | undefined
  if (known) return known
  return readSlowly(git, repository, {
    key: `${name} ${timeoutMs} ${maxOutputBytes}`,
    signal,
    read: async (aborted) => {
      const limits = { timeoutMs, maxOutputBytes, signal: aborted }
      const { ranges, size } = await readLines(git, repository, file, limits)
      git.parts.cache.set(key, ranges, 2 * size)
      return ranges
    },
  })
}

/** Adds the commits; each once, however many ranges it has. */
async function withCommits(
  git: Git,
  repository: Repository,
  ranges: readonly BlamedLines[],
  maxCommitBytes: number,
): Promise<BlameRange[]> {
  const oids = [...new Set(ranges.map(({ oid }) => oid))]
  const commits = await readCommits(git, repository, oids, maxCommitBytes)
  const byOid = new Map(commits.map((commit) => [commit.oid, commit]))
  let bytes = 0
  return ranges.map(({ oid, lines }) => {
    const commit = byOid.get(oid)
    if (!commit) throw new GitError('output_limit', 'the commits of the file are too large')
    bytes += commit.message.length
    if (bytes > maxCommitBytes) throw new GitError('output_limit', 'the commits are too large')
    return { commit, lines }
  })
}

/**
 * Finds the commit that last changed each line of a file, from the first line on, following
 * renames; cached.
 * @throws GitError `not_found` if the commit has no such file, `timeout`, `output_limit`,
 * `memory_limit`, `aborted`.
 */
export async function blameFile(
  git: Git,
  repository: Repository,
  file: BlamedFile,
  limits: BlameLimits,
  signal?: AbortSignal,
): Promise<BlameRange[]> {
  if (!isOid(file.commit) || file.path === '') {
    throw new GitError('invalid', 'a full object id and a path are required')
  }
  const ranges = await blamedLines(git, repository, file, limits, signal)
  return withCommits(git, repository, ranges, limits.maxCommitBytes)
}
