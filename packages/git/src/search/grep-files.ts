import { StringDecoder } from 'node:string_decoder'
import type { Git, Repository } from '../git.ts'
import { GitError, isLimit } from '../git-error.ts'
import { createLineReader } from '../parsing/line-reader.ts'
import { isOid } from '../reading/object-reader.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { streamIn } from '../stream.ts'
import { type GrepPattern, grepPattern, type SearchedText } from './grep-pattern.ts'
import { withMissing } from './missing-object.ts'
import { pathspecsOf, type SearchedPaths } from './pathspecs.ts'

/** Which files to search. */
export interface FileSearch extends SearchedText, SearchedPaths {
  /** Full id of the commit (or tree). */
  commit: string
  /** Files. */
  limit: number
  /** Milliseconds after which git is killed; default 15,000. */
  timeoutMs?: number
  /** Bytes of git's output after which it is killed; default 64 MiB. */
  maxOutputBytes?: number
  /** If git exceeds a limit, returns what was found so far instead of throwing. */
  partial?: boolean
  signal?: AbortSignal | undefined
}

/** The first lines of a file with the text. */
export interface FileMatch {
  path: string
  /** At most three, in order. */
  lines: MatchedLine[]
}

export interface MatchedLine {
  /** From 1 on. */
  number: number
  /** The start of the line, of at most 1 KiB; the text may be behind it. */
  text: string
}

/** The files with a text. */
export interface FileMatches {
  /** In git's order. */
  files: FileMatch[]
  /** Whether there may be more: of `limit`, or of a limit of `partial`. */
  hasMore: boolean
}

const defaultTimeoutMs = 15_000
const defaultOutputBytes = 64 * 1024 * 1024
const maxLines = 3
const maxTextBytes = 1024
/** `<oid>:` before a path. */
const prefixLength = 41
/** Longer paths are cut: no file system has them. */
const maxFieldBytes = prefixLength + 4096

const flags = [
  // Git takes eight threads otherwise.
  '--threads=2',
  '-I',
  '-z',
  '--line-number',
  '--full-name',
  '--no-color',
  '--no-textconv',
  `--max-count=${maxLines}`,
]

/**
 * Finds files of a commit with a text in one of their lines. Files with a NUL in their first 8,000
 * bytes are not text (UTF-16 is none), and other encodings than UTF-8 are searched as if they were.
 * None for a text with a line break. Invalid UTF-8 in paths and lines is replaced. Not cached.
 * @throws GitError `not_found` for a missing commit, `invalid` for a text of over 16 KiB or too many
 * paths, `timeout`, `output_limit`, `memory_limit` (also for a file that doesn't fit in memory),
 * `aborted`.
 */
export async function grepFiles(
  git: Git,
  repository: Repository,
  { signal, ...search }: FileSearch,
): Promise<FileMatches> {
  if (!isOid(search.commit)) throw new GitError('invalid', 'a full object id is required')
  const pattern = grepPattern(search)
  const pathspecs = pathspecsOf(search)
  if (!pattern || !pathspecs || search.limit < 1) return { files: [], hasMore: false }
  return readSlowly(git, repository, {
    key: `grep ${JSON.stringify(search)}`,
    signal,
    read: (aborted) => readMatches(git, repository, search, { pattern, pathspecs }, aborted),
  })
}

async function readMatches(
  git: Git,
  repository: Repository,
  search: FileSearch,
  { pattern, pathspecs }: { pattern: GrepPattern; pathspecs: string[] },
  signal: AbortSignal,
): Promise<FileMatches> {
  const args = ['grep', ...flags, ...pattern.grepArgs, search.commit, '--', ...pathspecs]
  const options = {
    timeoutMs: search.timeoutMs ?? defaultTimeoutMs,
    maxOutputBytes: search.maxOutputBytes ?? defaultOutputBytes,
    env: { ...pattern.env, GIT_LITERAL_PATHSPECS: '0' },
    limits: slowProcess,
    queued: true,
    // Nothing was found.
    accept: [1],
    signal,
  }
  const parser = createGrepParser(search.limit)
  try {
    for await (const chunk of streamIn(git, repository, args, options)) {
      // Leaving the loop ends git.
      if (!parser.push(chunk)) return { files: parser.files, hasMore: true }
    }
  } catch (error) {
    if (!search.partial || !isLimit(error)) throw withMissing(error)
    return { files: parser.files, hasMore: true }
  }
  return { files: parser.files, hasMore: false }
}

const nul = 0
const lineFeed = 0x0a

interface GrepParser {
  files: FileMatch[]
  /** False once there is a file beyond the limit. */
  push(chunk: Buffer): boolean
}

/** Reads `<oid>:<path><NUL><number><NUL><text><LF>`. */
export function createGrepParser(limit: number): GrepParser {
  const files: FileMatch[] = []
  let expected: 'path' | 'number' | 'text' = 'path'
  let number = 0
  const read = (field: Buffer) => {
    if (expected === 'path') {
      expected = 'number'
      const path = field.toString('utf8', prefixLength)
      if (files.at(-1)?.path === path) return true
      if (files.length === limit) return false
      files.push({ path, lines: [] })
    } else if (expected === 'number') {
      expected = 'text'
      number = Number(field.toString('latin1'))
    } else {
      expected = 'path'
      const lines = files.at(-1)?.lines
      if (lines && lines.length < maxLines) lines.push({ number, text: startOf(field) })
    }
    return true
  }
  const separator = () => (expected === 'text' ? lineFeed : nul)
  const { push } = createLineReader(read, { separator, maxBytes: maxFieldBytes })
  return { files, push }
}

/** Without a part of a character at the end. */
function startOf(line: Buffer): string {
  if (line.length <= maxTextBytes) return line.toString('utf8')
  return new StringDecoder('utf8').write(line.subarray(0, maxTextBytes))
}
