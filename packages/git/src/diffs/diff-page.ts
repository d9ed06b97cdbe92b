import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { createDiffParser, type DiffEntry, type DiffLimits } from '../parsing/diff-parser.ts'
import { isOid } from '../reading/object-reader.ts'
import { streamIn } from '../stream.ts'
import { type DiffOptions, diffArgs, diffRange } from './diff.ts'

/** Part of the changes between two commits, in git's order. */
export interface DiffPage {
  entries: DiffEntry[]
  /** The number of changed files. */
  total: number
}

/** The requested page; the limits apply to its diffs. */
export interface DiffPageOptions extends Omit<DiffLimits, 'maxFiles'> {
  skip: number
  limit: number
  timeoutMs?: number
  /** Bytes of the list of all changed files; default 32 MiB, about 200,000 files. */
  maxListBytes?: number
  signal?: AbortSignal
}

const listBytes = 32 * 1024 * 1024

/** Lists every changed file without its diff; cached. */
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

/** Whether the path can be passed to git: not if invalid UTF-8 was replaced in it. */
function isValidUtf8({ newPath }: DiffEntry): boolean {
  return !newPath.includes('\ufffd')
}

/**
 * Reads some of the files that changed between two commits (or trees), by full ids, with their
 * diffs: git skips the diffs of earlier files, and stops after the last one. Throws as `diffRange`
 * does, and GitError `output_limit` if too many files changed to list them.
 */
export async function diffPage(
  git: Git,
  repository: Repository,
  from: string,
  to: string,
  options: DiffPageOptions,
): Promise<DiffPage> {
  if (!isOid(from) || !isOid(to)) throw new GitError('invalid', 'a full object id is required')
  const all = await listChanged(git, repository, [from, to], options)
  const total = all.length
  const { skip, limit, maxListBytes: _, ...limits } = options
  if (skip >= total) return { entries: [], total }
  const start = all.slice(0, skip + 1).findLastIndex(isValidUtf8)
  const first = all[start]
  const range: DiffOptions = { ...limits, maxFiles: skip + limit - Math.max(0, start) }
  if (first) range.startAt = first.newPath
  const { entries } = await diffRange(git, repository, from, to, range)
  return { entries: entries.slice(skip - Math.max(0, start)), total }
}
