import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { changedFile, type DiffEntry, type DiffLimits } from '../parsing/diff-parser.ts'
import { createLineReader } from '../parsing/line-reader.ts'
import { isOid } from '../reading/object-reader.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { type StreamLimits, streamIn } from '../stream.ts'
import { type DiffOptions, defaultTimeoutMs, diffArgs, diffRange } from './diff.ts'

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
  /** Only the file with this new path; it is the whole list then. */
  path?: string
  ignoreWhitespace?: boolean
  timeoutMs?: number
  /** Bytes of the list of all changed files; default 32 MiB, about 200,000 files. */
  maxListBytes?: number
  signal?: AbortSignal
}

const listBytes = 32 * 1024 * 1024

/** A file that differs between two commits, as the second one has it. */
export interface ChangedFile {
  /** The new path. */
  path: string
  /** Six octal digits, or `0` for a deleted file. */
  mode: string
  /** 40 zeros for a deleted file. */
  oid: string
}

type ListOptions = Pick<DiffPageOptions, 'maxListBytes' | 'timeoutMs' | 'signal'>

/**
 * Lists all files that differ between two commits (or trees), by full ids, in git's order; cached.
 * @throws GitError `output_limit` if there are too many
 */
export async function listChangedFiles(
  git: Git,
  repository: Repository,
  [from, to]: [string, string],
  { maxListBytes = listBytes, timeoutMs = defaultTimeoutMs, signal }: ListOptions,
): Promise<readonly ChangedFile[]> {
  if (!isOid(from) || !isOid(to)) throw new GitError('invalid', 'a full object id is required')
  const name = `changed ${from} ${to}`
  const key = git.parts.scopeOf(repository.path) + name
  const known = git.parts.cache.get(key) as ChangedFile[] | undefined
  if (known) return known
  return readSlowly(git, repository, {
    key: `${name} ${maxListBytes} ${timeoutMs}`,
    signal,
    read: async (aborted) => {
      const limits = { timeoutMs, maxOutputBytes: maxListBytes, signal: aborted }
      const { files, bytes } = await readChanged(git, repository, [from, to], limits)
      git.parts.cache.set(key, files, bytes)
      return files
    },
  })
}

async function readChanged(
  git: Git,
  repository: Repository,
  range: [string, string],
  limits: StreamLimits,
): Promise<{ files: ChangedFile[]; bytes: number }> {
  const files: ChangedFile[] = []
  let bytes = 0
  const reader = createLineReader((line) => {
    const entry = changedFile(line.toString('utf8'))
    if (entry === undefined) return
    const { newPath: path, bMode: mode, bOid: oid } = entry
    files.push({ path, mode, oid })
    bytes += 250 + 2 * path.length
  })
  const args = [...diffArgs, '--raw', ...range, '--']
  const options = { ...limits, limits: slowProcess, queued: true }
  for await (const chunk of streamIn(git, repository, args, options)) reader.push(chunk)
  return { files, bytes }
}

/** Far below what the kernel accepts as an argument. */
const maxPathLength = 16 * 1024

/** Whether the path can be passed to git: not if invalid UTF-8 was replaced in it. */
function isPassable(path: string): boolean {
  return path.length <= maxPathLength && !path.includes('\ufffd')
}

interface Part {
  skip: number
  limit: number
  total: number
}

/** Where the wanted files are among all. */
function partOf(
  all: readonly ChangedFile[],
  { skip, limit, path }: Pick<DiffPageOptions, 'skip' | 'limit' | 'path'>,
): Part {
  if (path === undefined) return { skip, limit, total: all.length }
  const at = all.findIndex((file) => file.path === path)
  const isShown = at >= 0 && skip === 0
  return { skip: isShown ? at : all.length, limit: 1, total: at < 0 ? 0 : 1 }
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
  const all = await listChangedFiles(git, repository, [from, to], options)
  const { skip, limit, total } = partOf(all, options)
  const { skip: _skip, limit: _limit, path: _path, maxListBytes: _, ...limits } = options
  if (skip >= all.length) return { entries: [], total }
  const start = all.slice(0, skip + 1).findLastIndex(({ path }) => isPassable(path))
  const first = all[start]?.path
  const range: DiffOptions = { ...limits, maxFiles: skip + limit - Math.max(0, start) }
  if (first !== undefined) range.startAt = first
  const { entries } = await diffRange(git, repository, from, to, range)
  return { entries: entries.slice(skip - Math.max(0, start)), total }
}
