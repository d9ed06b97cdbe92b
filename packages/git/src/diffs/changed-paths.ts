import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { createLineReader, type LineReader } from '../parsing/line-reader.ts'
import { isOid } from '../reading/object-reader.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { chunksOf } from '../stream.ts'

/**
 * The files that a commit changed against its first parent; a renamed file is removed and added.
 */
export interface ChangedPaths {
  added: string[]
  modified: string[]
  removed: string[]
}

/** Limits of the listed files. */
export interface ChangedPathsLimits {
  /** Files per commit; further ones are left out; default 1000. */
  maxPaths?: number
  /** Bytes of git's output, after which the remaining commits have no files; default 8 MiB. */
  maxBytes?: number
}

const timeoutMs = 30_000
const kinds: Readonly<Record<string, keyof ChangedPaths>> = { A: 'added', D: 'removed' }

/**
 * Lists the files that each of the commits changed, by full id; one process. Invalid UTF-8 in paths
 * is replaced.
 * @throws GitError `invalid`, `not_found` for a missing commit, `timeout` (30 s).
 */
export async function changedPaths(
  git: Git,
  repository: Repository,
  oids: readonly string[],
  { maxPaths = 1000, maxBytes = 8 * 1024 * 1024 }: ChangedPathsLimits = {},
): Promise<Map<string, ChangedPaths>> {
  if (!oids.every(isOid)) throw new GitError('invalid', 'a full object id is required')
  const found = new Map<string, ChangedPaths>()
  if (oids.length === 0) return found
  // A commit starts with an empty entry, which can't be a path.
  const format = ['--format=%x00%H', '--name-status', '-z', '--no-renames', '--root']
  const args = ['log', '--no-walk=unsorted', '--stdin', '--diff-merges=first-parent', ...format]
  const options = {
    args,
    repository: repository.path,
    timeoutMs,
    limits: slowProcess,
    queued: true,
    input: true,
  }
  const process = await git.parts.spawner.start(options)
  process.stdin.end(`${oids.join('\n')}\n`)
  const reader = createReader(found, maxPaths)
  let bytes = 0
  for await (const chunk of chunksOf(process, 'git log')) {
    reader.push(chunk)
    bytes += chunk.length
    // Leaving the loop ends git.
    if (bytes > maxBytes) return found
  }
  return found
}

/** Reads `<NUL><oid><NUL>` and after it pairs of `<status><NUL><path><NUL>`. */
function createReader(found: Map<string, ChangedPaths>, maxPaths: number): LineReader {
  let current: ChangedPaths | undefined
  let count = 0
  let expected: 'status' | 'oid' | 'path' = 'status'
  let status = ''
  const read = (entry: string) => {
    if (expected === 'oid') {
      current = { added: [], modified: [], removed: [] }
      count = 0
      found.set(entry.trim(), current)
      expected = 'status'
    } else if (expected === 'path') {
      count += 1
      if (count <= maxPaths) current?.[kinds[status] ?? 'modified'].push(entry)
      expected = 'status'
    } else {
      status = entry.trim()
      expected = status === '' ? 'oid' : 'path'
    }
  }
  return createLineReader((line) => read(line.toString('utf8')), { separator: 0 })
}
