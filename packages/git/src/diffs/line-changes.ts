import { hash } from 'node:crypto'
import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { changedFile, createDiffParser, type DiffEntry } from '../parsing/diff-parser.ts'
import { createLineReader } from '../parsing/line-reader.ts'
import { isOid } from '../reading/object-reader.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { type StreamLimits, streamIn } from '../stream.ts'
import { defaultTimeoutMs, diffArgs } from './diff.ts'

/**
 * Lines that a diff replaces: `oldCount` of them, from `oldStart`, by `newCount`, from `newStart`.
 * Lines are numbered from 1. The start of an empty side is the line that follows it.
 */
export interface Hunk {
  oldStart: number
  oldCount: number
  newStart: number
  newCount: number
}

/** A changed file. */
export interface FileLineChanges {
  oldPath: string
  newPath: string
  /**
   * The changed lines, in order; empty if only the name or mode changed. Undefined if lines can't
   * be compared: binary files, files over 8 MiB, and a file that becomes a link or the reverse.
   */
  hunks: Hunk[] | undefined
}

/** The changed files among those asked for; `overflow` is set if some may be missing. */
export interface LineChanges {
  files: FileLineChanges[]
  overflow: boolean
}

interface LineChangesOptions {
  /** Paths of files in either commit. A file that was renamed is found by both. */
  paths: readonly string[]
  signal?: AbortSignal
}

/** A path that became a directory has any number of files. */
const maxFiles = 20_000
/** About 50 bytes of memory each. */
const maxHunks = 200_000
/** Bytes of the list of all changed files, about 200,000 of them. */
const maxListBytes = 32 * 1024 * 1024
/** Bytes of paths that are passed to one git; the kernel accepts 2 MiB. */
const maxPathBytes = 512 * 1024

/**
 * Reads which lines of some files differ between two commits (or trees), both by full id, however
 * large their diffs are: two git processes for all files.
 * @throws GitError `not_found` for a missing commit, `timeout`, `memory_limit`, `output_limit` for
 *   more than 200,000 hunks or 200,000 changed files, `aborted`.
 */
export async function readLineChanges(
  git: Git,
  repository: Repository,
  from: string,
  to: string,
  { paths, signal }: LineChangesOptions,
): Promise<LineChanges> {
  if (!isOid(from) || !isOid(to)) throw new GitError('invalid', 'a full object id is required')
  if (paths.length === 0 || from === to) return { files: [], overflow: false }
  return readSlowly(git, repository, {
    key: `lines ${from} ${to} ${hash('sha1', paths.join('\0'))}`,
    signal,
    read: async (aborted) => {
      const run: Run = {
        git,
        repository,
        range: [from, to],
        limits: { timeoutMs: defaultTimeoutMs, signal: aborted },
        hunkCount: 0,
      }
      const renames = await findRenames(run, new Set(paths))
      return readChanges(run, paths, renames)
    },
  })
}

interface Run {
  git: Git
  repository: Repository
  range: readonly [string, string]
  limits: StreamLimits
  /** How many were read so far. */
  hunkCount: number
}

type Rename = Pick<DiffEntry, 'oldPath' | 'newPath'>

function stream({ git, repository, limits }: Run, args: string[], more: StreamLimits = {}) {
  return streamIn(git, repository, args, { ...limits, ...more, limits: slowProcess, queued: true })
}

/** Finds renames from or to the paths: git finds none if it is given one of the two names. */
async function findRenames(run: Run, paths: ReadonlySet<string>): Promise<Rename[]> {
  const renames: Rename[] = []
  const reader = createLineReader((line) => {
    const file = changedFile(line.toString('utf8'))
    if (!file?.renamedFile) return
    const { oldPath, newPath } = file
    if (paths.has(oldPath) || paths.has(newPath)) renames.push({ oldPath, newPath })
  })
  const args = [...diffArgs, '--raw', ...run.range, '--']
  for await (const chunk of stream(run, args, { maxOutputBytes: maxListBytes })) reader.push(chunk)
  return renames
}

async function readChanges(
  run: Run,
  paths: readonly string[],
  renames: readonly Rename[],
): Promise<LineChanges> {
  const renamed = renames.map(({ oldPath, newPath }) => [oldPath, newPath])
  const known = new Set(renamed.flat())
  const others = paths.filter((path) => !known.has(path)).map((path) => [path])
  const changes: LineChanges = { files: [], overflow: false }
  for (const batch of inBatches([...renamed, ...others])) {
    const { files, overflow } = await readBatch(run, batch, renames.length > 0)
    changes.files.push(...files)
    changes.overflow ||= overflow
  }
  return changes
}

/** Splits paths by their length; both names of a renamed file stay together. */
function* inBatches(names: readonly string[][]): Generator<string[]> {
  let [batch, bytes]: [string[], number] = [[], 0]
  for (const paths of names) {
    batch.push(...paths)
    bytes += Buffer.byteLength(paths.join(' '))
    if (bytes < maxPathBytes) continue
    yield batch
    ;[batch, bytes] = [[], 0]
  }
  if (batch.length > 0) yield batch
}

async function readBatch(
  run: Run,
  paths: readonly string[],
  hasRenames: boolean,
): Promise<LineChanges> {
  const hunks = new Map<number, Hunk[]>()
  const parser = createDiffParser({ maxFiles }, (file, line) => {
    const hunk = parseHunk(line)
    if (hunk === undefined) return
    run.hunkCount += 1
    const known = hunks.get(file)
    if (known === undefined) hunks.set(file, [hunk])
    else known.push(hunk)
  })
  // Among few files git may find a rename where there is none among all.
  const args = [...diffArgs, ...(hasRenames ? [] : ['--no-renames']), '--raw', '-p', '-U0']
  for await (const chunk of stream(run, [...args, ...run.range, '--', ...paths])) {
    // Leaving the loop ends git.
    if (!parser.push(chunk)) break
    if (run.hunkCount > maxHunks) throw new GitError('output_limit', 'too many hunks')
  }
  const { entries, overflow } = parser.finish()
  return { files: entries.map((entry, at) => toChanges(entry, hunks.get(at))), overflow }
}

function toChanges(entry: DiffEntry, hunks: Hunk[] | undefined): FileLineChanges {
  const { oldPath, newPath } = entry
  if (entry.aOid === entry.bOid) return { oldPath, newPath, hunks: [] }
  return { oldPath, newPath, hunks: changesType(entry) ? undefined : (hunks ?? emptyHunks(entry)) }
}

/** A file without lines is added or deleted without a hunk, as are binary files. */
function emptyHunks({ aOid, bOid }: DiffEntry): Hunk[] | undefined {
  return [aOid, bOid].includes(emptyBlobOid) ? [] : undefined
}

const emptyBlobOid = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

/** Whether a file becomes a link or the reverse: git writes a deletion and an addition. */
function changesType({ aMode, bMode }: DiffEntry): boolean {
  return aMode !== '0' && bMode !== '0' && aMode.slice(0, 2) !== bMode.slice(0, 2)
}

const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
const at = 0x40

/** A hunk from its header; undefined for the other lines, which start with another character. */
function parseHunk(line: Buffer): Hunk | undefined {
  if (line[0] !== at) return undefined
  // The start of the line, which is followed by the name of a function.
  const match = hunkHeader.exec(line.toString('latin1', 0, 100))
  if (match === null) return undefined
  const [, oldStart, oldLines = '1', newStart, newLines = '1'] = match
  const [oldCount, newCount] = [Number(oldLines), Number(newLines)]
  // For an empty side, the header has the number of the preceding line.
  return {
    oldStart: Number(oldStart) + (oldCount === 0 ? 1 : 0),
    oldCount,
    newStart: Number(newStart) + (newCount === 0 ? 1 : 0),
    newCount,
  }
}
