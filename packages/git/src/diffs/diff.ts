import type { Git, Repository } from '../git.ts'
import { GitError, isLimit } from '../git-error.ts'
import { createDiffParser, type Diff, type DiffLimits } from '../parsing/diff-parser.ts'
import { isOid } from '../reading/object-reader.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { readCommit } from '../reading/text-object.ts'
import { streamIn } from '../stream.ts'
import { renameArgs } from './rename-args.ts'

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
  /** Milliseconds after which git is killed; default 15,000. */
  timeoutMs?: number
  /**
   * If git exceeds its time or memory, returns what was read so far as an overflow instead of
   * throwing.
   */
  partial?: boolean
  signal?: AbortSignal
}

/** Milliseconds that a diff may take. */
export const defaultTimeoutMs = 15_000

/** The options of every diff. */
export const diffArgs = [
  // Larger files are compared as binary ones: lines take git many times their size.
  '-c',
  'core.bigFileThreshold=8m',
  'diff-tree',
  '-r',
  ...renameArgs,
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

/** Diffs of up to this size are cached, and all that git could not finish. */
const maxCachedBytes = 4 * 1024 * 1024

function sizeOf({ entries }: Diff): number {
  return entries.reduce((sum, { diff, newPath }) => sum + 600 + 2 * diff.length + newPath.length, 0)
}

/**
 * Compares two commits (or trees), both by full id, with rename detection; cached. Invalid UTF-8 is
 * replaced.
 * @throws GitError `not_found` for a missing commit, `timeout`, `memory_limit`, `aborted`.
 */
export async function diffRange(
  git: Git,
  repository: Repository,
  from: string,
  to: string,
  { signal, ...options }: DiffOptions = {},
): Promise<Diff> {
  if (!isOid(from) || !isOid(to)) throw new GitError('invalid', 'a full object id is required')
  const name = `diff ${from} ${to} ${JSON.stringify(options)}`
  const key = git.parts.scopeOf(repository.path) + name
  const known = git.parts.cache.get(key) as Diff | undefined
  if (known) return known
  return readSlowly(git, repository, {
    key: name,
    signal,
    read: async (aborted) => {
      const { isWhole, ...diff } = await readDiff(git, repository, [from, to], options, aborted)
      const size = sizeOf(diff)
      if (!isWhole || size < maxCachedBytes) git.parts.cache.set(key, diff, size)
      return diff
    },
  })
}

async function readDiff(
  git: Git,
  repository: Repository,
  [from, to]: [string, string],
  options: DiffOptions,
  signal: AbortSignal,
): Promise<Diff & { isWhole: boolean }> {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
  const limits = { timeoutMs, signal, limits: slowProcess, queued: true }
  const parser = createDiffParser(options)
  try {
    for await (const chunk of streamIn(git, repository, argsOf(from, to, options), limits)) {
      // Leaving the loop ends git.
      if (!parser.push(chunk)) break
    }
  } catch (error) {
    if (!options.partial || !isLimit(error)) throw error
    return { ...parser.truncate(), isWhole: false }
  }
  return { ...parser.finish(), isWhole: true }
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
