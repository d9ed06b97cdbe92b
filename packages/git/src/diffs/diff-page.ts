import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { createDiffParser, type DiffEntry, type DiffLimits } from '../parsing/diff-parser.ts'
import { isOid } from '../reading/object-reader.ts'
import { streamIn } from '../stream.ts'
import { type DiffOptions, diffArgs, diffRange } from './diff.ts'

/** Part of what changed from one commit to another, in git's order. */
export interface DiffPage {
  entries: DiffEntry[]
  /** All files that changed. */
  total: number
}

/** Which part is wanted; the limits hold for its texts. */
export interface DiffPageOptions extends Omit<DiffLimits, 'maxFiles'> {
  skip: number
  limit: number
  timeoutMs?: number
  /** Bytes of the list of all files that changed; default 32 MiB, some 200,000 files. */
  maxListBytes?: number
  signal?: AbortSignal
}

const listBytes = 32 * 1024 * 1024

/** Every file that changed, without texts; cached. */
async function listChanged(
  git: Git,
  repository: Repository,
  [from, to]: [string, string],
  { maxListBytes = listBytes, ...options }: DiffPageOptions,
): Promise<DiffEntry[]> {
  const key = `${git.parts.scopeOf(repository.path)}changed ${from} ${to}`
  const known = git.parts.cache.get(key) as DiffEntry[] | undefined
  if (known) return known
  const limits = { ...limitsOf(options), maxOutputBytes: maxListBytes, queued: true }
  const parser = createDiffParser({ maxFiles: Number.POSITIVE_INFINITY })
  const args = [...diffArgs, '--raw', from, to, '--']
  for await (const chunk of streamIn(git, repository, args, limits)) parser.push(chunk)
  const { entries } = parser.finish()
  git.parts.cache.set(key, entries, 500 * entries.length)
  return entries
}

function limitsOf({ timeoutMs, signal }: DiffPageOptions) {
  return { ...(timeoutMs ? { timeoutMs } : {}), ...(signal ? { signal } : {}) }
}

/** Paths in which something was replaced cannot be told to git. */
function isFaithful({ newPath }: DiffEntry): boolean {
  return !newPath.includes('\ufffd')
}

/**
 * Some of the files that changed between two commits (or trees), by full ids, with their texts: git
 * makes no texts of the files before them, and stops behind them. Throws as `diffRange` does, and
 * GitError `output_limit` where too many files changed to list them.
 */
export async function diffPage(
  git: Git,
  repository: Repository,
  from: string,
  to: string,
  options: DiffPageOptions,
): Promise<DiffPage> {
  if (!isOid(from) || !isOid(to)) throw new GitError('invalid', 'a full object id is needed')
  const all = await listChanged(git, repository, [from, to], options)
  const total = all.length
  const { skip, limit, maxListBytes: _, ...limits } = options
  if (skip >= total) return { entries: [], total }
  const start = all.slice(0, skip + 1).findLastIndex(isFaithful)
  const first = all[start]
  const range: DiffOptions = { ...limits, maxFiles: skip + limit - Math.max(0, start) }
  if (first) range.startAt = first.newPath
  const { entries } = await diffRange(git, repository, from, to, range)
  return { entries: entries.slice(skip - Math.max(0, start)), total }
}
