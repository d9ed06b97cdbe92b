import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { readCommit } from '../history/history.ts'
import { createDiffParser, type Diff, type DiffLimits } from '../parsing/diff-parser.ts'
import { isOid } from '../reading/object-reader.ts'
import { type StreamLimits, streamIn } from '../stream.ts'

/** The empty tree, which git knows without storing it. */
export const emptyTreeOid = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** Options of a diff. */
export interface DiffOptions extends DiffLimits {
  /** Only changes at or below these paths. */
  paths?: string[]
  /** Lines of context; default 3. */
  context?: number
  ignoreWhitespace?: boolean
  /**
   * Leaves out the files before this one, in git's order, by its new path; it must have changed.
   */
  startAt?: string
  /** Milliseconds after which git is killed; default 30,000. */
  timeoutMs?: number
  /** On timeout, returns what was read so far as an overflow instead of throwing. */
  partial?: boolean
  signal?: AbortSignal
}

const defaultTimeoutMs = 30_000

/** The options of every diff. */
export const diffArgs = [
  'diff-tree',
  '-r',
  '-M',
  '--full-index',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
]

function argsOf(from: string, to: string, options: DiffOptions): string[] {
  const args = [...diffArgs, '--raw', '-p', `-U${Math.floor(options.context ?? 3)}`]
  if (options.ignoreWhitespace) args.push('-w')
  if (options.startAt !== undefined) args.push(`--skip-to=${options.startAt}`)
  return [...args, from, to, '--', ...(options.paths ?? [])]
}

/**
 * Compares two commits (or trees), both by full id, with rename detection. Invalid UTF-8 is
 * replaced.
 * @throws GitError `not_found` for a missing commit, `timeout`, `aborted`.
 */
export async function diffRange(
  git: Git,
  repository: Repository,
  from: string,
  to: string,
  options: DiffOptions = {},
): Promise<Diff> {
  if (!isOid(from) || !isOid(to)) throw new GitError('invalid', 'a full object id is required')
  const limits: StreamLimits = { timeoutMs: options.timeoutMs ?? defaultTimeoutMs }
  if (options.signal) limits.signal = options.signal
  const output = streamIn(git, repository, argsOf(from, to, options), { ...limits, queued: true })
  const parser = createDiffParser(options)
  try {
    for await (const chunk of output) {
      // Leaving the loop ends git.
      if (!parser.push(chunk)) break
    }
  } catch (error) {
    if (!options.partial || !isTimeout(error)) throw error
    return parser.truncate()
  }
  return parser.finish()
}

function isTimeout(error: unknown): boolean {
  return error instanceof GitError && error.code === 'timeout'
}

/**
 * Compares a commit with its first parent or, if it has none, with the empty tree. Throws like
 * `diffRange`.
 */
export async function diffCommit(
  git: Git,
  repository: Repository,
  oid: string,
  options: DiffOptions = {},
): Promise<Diff> {
  const commit = await readCommit(git, repository, oid)
  if (!commit) throw new GitError('not_found', `no commit ${oid}`)
  return diffRange(git, repository, commit.parents[0] ?? emptyTreeOid, oid, options)
}
