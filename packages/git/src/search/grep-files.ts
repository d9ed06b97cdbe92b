import type { Git, Repository } from '../git.ts'
import { GitError, isLimit } from '../git-error.ts'
import { createLineReader } from '../parsing/line-reader.ts'
import { isOid } from '../reading/object-reader.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { streamIn } from '../stream.ts'
import { type GrepPattern, grepPattern, type SearchedText } from './grep-pattern.ts'
import { withMissing } from './missing-object.ts'

/** Which files to search. */
export interface FileSearch extends SearchedText {
  /** Full id of the commit (or tree). */
  commit: string
  /** Files. */
  limit: number
  /** Milliseconds after which git is killed; default 15,000. */
  timeoutMs?: number
  /** If git exceeds a limit, returns what was found so far instead of throwing. */
  partial?: boolean
  signal?: AbortSignal | undefined
}

const defaultTimeoutMs = 15_000
const nul = 0
/** `<oid>:` before a path. */
const prefixLength = 41
/** Longer paths are cut: no file system has them. */
const maxLineBytes = prefixLength + 4096

const flags = [
  // Git takes eight threads otherwise.
  '--threads=2',
  '-I',
  '-z',
  '--files-with-matches',
  '--full-name',
  '--no-color',
  '--no-textconv',
]

/**
 * Finds the paths of files of a commit with a text in one of their lines, in git's order. Files with
 * a NUL in their first 8,000 bytes are not text (UTF-16 is none), and other encodings than UTF-8 are
 * searched as if they were. None for a text with a line break. Invalid UTF-8 in paths is replaced.
 * Not cached.
 * @throws GitError `not_found` for a missing commit, `invalid` for a text of over 16 KiB, `timeout`,
 * `memory_limit` (also for a file that doesn't fit in memory), `aborted`.
 */
export async function grepFiles(
  git: Git,
  repository: Repository,
  { signal, ...search }: FileSearch,
): Promise<string[]> {
  if (!isOid(search.commit)) throw new GitError('invalid', 'a full object id is required')
  const pattern = grepPattern(search)
  if (!pattern || search.limit < 1) return []
  return readSlowly(git, repository, {
    key: `grep ${JSON.stringify(search)}`,
    signal,
    read: (aborted) => readPaths(git, repository, search, pattern, aborted),
  })
}

async function readPaths(
  git: Git,
  repository: Repository,
  search: FileSearch,
  pattern: GrepPattern,
  signal: AbortSignal,
): Promise<string[]> {
  const options = {
    timeoutMs: search.timeoutMs ?? defaultTimeoutMs,
    env: pattern.env,
    limits: slowProcess,
    queued: true,
    // Nothing was found.
    accept: [1],
    signal,
  }
  const paths: string[] = []
  const reader = createLineReader(
    (line) => {
      paths.push(line.toString('utf8', prefixLength))
      return paths.length < search.limit
    },
    { separator: nul, maxBytes: maxLineBytes },
  )
  const args = ['grep', ...flags, ...pattern.grepArgs, search.commit, '--']
  try {
    for await (const chunk of streamIn(git, repository, args, options)) {
      // Leaving the loop ends git.
      if (!reader.push(chunk)) break
    }
  } catch (error) {
    if (!search.partial || !isLimit(error)) throw withMissing(error)
  }
  return paths
}
