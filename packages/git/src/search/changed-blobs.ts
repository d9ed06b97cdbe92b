import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { parseListedEntry } from '../parsing/tree-parser.ts'
import { isOid } from '../reading/object-reader.ts'
import { batchesOf } from './output-batches.ts'

/** A regular file whose content differs; `oid` and `previousOid` are full ids of blobs. */
export type ChangedBlob = { path: string } & (
  | { status: 'added'; oid: string; previousOid: null }
  | { status: 'modified'; oid: string; previousOid: string }
  | { status: 'deleted'; oid: null; previousOid: string }
)

/** Two commits (or trees) whose files are compared, by full id. */
export interface BlobChanges {
  /** Null: everything is added. */
  from: string | null
  to: string
  /** Files, folders, links and submodules that are listed or compared; default 5,000,000. */
  maxEntries?: number
  /** Whether git yields the processor to others; default false. */
  background?: boolean
  signal?: AbortSignal | undefined
}

const nul = 0
/** Longer paths are left out: no file system has them. */
const maxPathBytes = 4096
/** What `ls-tree` prints before the path of a file: mode, type and id. */
const listedBytes = '100644 blob '.length + 40 + '\t'.length
const maxLineBytes = listedBytes + maxPathBytes + 1
const batchSize = 500
const defaultMaxEntries = 5_000_000

/**
 * Lists the regular files that differ between two commits, in git's order, in batches of up to 500.
 * Symbolic links and submodules are not files; a file that becomes one is deleted. A renamed file
 * is deleted and added; a change of mode is none. Invalid UTF-8 in paths is replaced, so two files
 * may have the same path. Files with paths of over 4096 bytes are left out.
 *
 * Without `from` any number of files takes the same memory; what differs between two commits is
 * held by git, within its limit of memory.
 * @throws GitError `not_found` if `from` or `to`, or a folder of theirs, doesn't exist any more: it
 * is `to` if it is thrown without `from` as well. `output_limit` for more than `maxEntries`,
 * `memory_limit`, `timeout`, `aborted`.
 */
export async function* changedBlobs(
  git: Git,
  repository: Repository,
  { from, to, maxEntries = defaultMaxEntries, background, signal }: BlobChanges,
): AsyncGenerator<ChangedBlob[], void> {
  if (!isOid(to) || (from !== null && !isOid(from))) {
    throw new GitError('invalid', 'a full object id is required')
  }
  const comparison = from === null ? listing(to) : difference(from, to)
  let count = 0
  yield* batchesOf(git, repository, {
    args: comparison.args,
    separator: nul,
    maxLineBytes,
    batchSize,
    background,
    signal,
    parse(line) {
      count += 1
      if (count > maxEntries * comparison.linesPerEntry) {
        throw new GitError('output_limit', `more than ${maxEntries} entries`)
      }
      return comparison.parse(line)
    },
  })
}

interface Comparison {
  args: string[]
  linesPerEntry: number
  parse(line: Buffer): ChangedBlob | undefined
}

/** Folders are listed as well, since a few objects can make any number of them without a file. */
function listing(to: string): Comparison {
  return {
    args: ['ls-tree', '-r', '-t', '-z', '--full-tree', to],
    linesPerEntry: 1,
    parse(line) {
      if (line.length > listedBytes + maxPathBytes) return undefined
      const entry = parseListedEntry(line, '')
      if (!entry || !isFile(entry.mode)) return undefined
      return { path: entry.path, status: 'added', oid: entry.oid, previousOid: null }
    },
  }
}

/** Reads pairs of `:<mode> <mode> <oid> <oid> <status><NUL>` and `<path><NUL>`. */
function difference(from: string, to: string): Comparison {
  const flags = ['-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--no-ext-diff']
  let change = ''
  return {
    args: ['diff-tree', ...flags, from, to, '--'],
    linesPerEntry: 2,
    parse(line) {
      if (change === '') {
        change = line.toString('latin1')
        return undefined
      }
      const found = line.length > maxPathBytes ? undefined : changeOf(change, line)
      change = ''
      return found
    },
  }
}

function changeOf(change: string, pathBytes: Buffer): ChangedBlob | undefined {
  const [oldMode = '', newMode = '', oldOid = '', newOid = ''] = change.slice(1).split(' ')
  const previousOid = isFile(oldMode) ? oldOid : null
  const oid = isFile(newMode) ? newOid : null
  if (oid === previousOid) return undefined
  const path = pathBytes.toString('utf8')
  if (oid !== null && previousOid !== null) return { path, status: 'modified', oid, previousOid }
  if (oid !== null) return { path, status: 'added', oid, previousOid: null }
  return previousOid === null ? undefined : { path, status: 'deleted', oid, previousOid }
}

function isFile(mode: string): boolean {
  return mode.startsWith('100')
}
