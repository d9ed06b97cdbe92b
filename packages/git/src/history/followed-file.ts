import { countCommits } from '../counting/commit-count.ts'
import { renameArgs } from '../diffs/rename-args.ts'
import { type Git, type Repository, runIn } from '../git.ts'
import { isLimit } from '../git-error.ts'
import type { Commit } from '../parsing/commit-parser.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { readCommit } from '../reading/text-object.ts'
import { listCommits } from './history.ts'
import { cacheKey, type HistoryQuery, queryArgs } from './history-query.ts'

/** A file that a commit gave another path. */
export interface FileMove {
  commit: Commit
  from: string
  path: string
  /** Whether git finds the two alike; otherwise the commit did nothing but replace one by the other. */
  isAlike: boolean
}

/** A file whose history is followed through its moves. */
export interface FollowedFile {
  /** Full id of the commit to start from, which has the file. */
  tip: string
  path: string
  /** Whether the file is the same after a move, by default if both are alike. */
  isSame?: (move: FileMove) => boolean
}

/** The part of the history of a file in which it has one path. */
export type FilePart = HistoryQuery & { path: string }

/** Further moves are not followed: each takes two processes. */
const maxMoves = 20
/** What takes longer, or changed more files, is not found to be a move. */
const reading = { timeoutMs: 10_000, maxOutputBytes: 4 * 1024 * 1024, limits: slowProcess }

/**
 * Yields the parts of the history of a file, the newest first, until it was added or 20 moves were
 * followed. Each part costs two processes once.
 * @throws GitError
 */
export async function* followFile(
  git: Git,
  repository: Repository,
  { tip, path, isSame = ({ isAlike }) => isAlike }: FollowedFile,
): AsyncGenerator<FilePart, void> {
  let part: FilePart = { tip, path }
  for (let moves = 0; moves < maxMoves; moves += 1) {
    const move = await findMove(git, repository, part)
    const [parent] = move?.commit.parents ?? []
    if (move === undefined || parent === undefined || !isSame(move)) break
    yield { ...part, notReachableFrom: parent }
    part = { tip: parent, path: move.from }
  }
  yield part
}

/**
 * Lists a page of the commits of a file, the newest first, following it through its moves; see
 * `followFile`. Throws like `listCommits`, too.
 */
export async function listFollowedCommits(
  git: Git,
  repository: Repository,
  file: FollowedFile,
  { skip, limit }: { skip: number; limit: number },
): Promise<Commit[]> {
  const commits: Commit[] = []
  let left = skip
  for await (const part of followFile(git, repository, file)) {
    const window = { skip: left, limit: limit - commits.length }
    const found = await listCommits(git, repository, { ...part, ...window })
    commits.push(...found)
    if (commits.length >= limit) break
    if (found.length > 0) left = 0
    else if (left > 0) left = Math.max(0, left - (await countCommits(git, repository, part)))
  }
  return commits
}

/** Finds the newest move of a file to the path that it has at a commit; cached. */
async function findMove(
  git: Git,
  repository: Repository,
  part: FilePart,
): Promise<FileMove | undefined> {
  const args = queryArgs(part)
  const key = await cacheKey(git, repository, 'move', args)
  const known = git.parts.cache.get(key) as { move: FileMove | undefined } | undefined
  if (known !== undefined) return known.move
  const read = async () => {
    const move = await readMove(git, repository, part.path, args)
    const size = 1000 + 2 * (move?.commit.message.length ?? 0)
    git.parts.cache.set(key, { move }, size)
    return move
  }
  return readSlowly(git, repository, { key, read })
}

/** Undefined also for what is too much to find out. */
async function readMove(
  git: Git,
  repository: Repository,
  path: string,
  args: string[],
): Promise<FileMove | undefined> {
  try {
    const log = ['log', '--max-count=1', '--diff-filter=A', '--no-renames', '--format=%H']
    const { stdout } = await runIn(git, repository, [...log, ...args], reading)
    const oid = stdout.toString('latin1').trim()
    const commit = oid === '' ? undefined : await readCommit(git, repository, oid)
    const [parent, ...others] = commit?.parents ?? []
    if (commit === undefined || parent === undefined || others.length > 0) return undefined
    const diff = ['diff-tree', '-r', '-z', '--name-status', ...renameArgs, parent, oid]
    const changed = await runIn(git, repository, diff, reading)
    const source = sourceIn(changed.stdout.toString('utf8').split('\0'), path)
    return source && { ...source, commit, path }
  } catch (error) {
    if (isLimit(error)) return undefined
    throw error
  }
}

/** Reads `<status>` and a path, or two paths of a rename, in turns; each ends with a NUL character. */
function sourceIn(
  entries: readonly string[],
  path: string,
): Pick<FileMove, 'from' | 'isAlike'> | undefined {
  for (let at = 0; at + 2 < entries.length; ) {
    const isRename = entries[at]?.startsWith('R') === true
    const from = entries[at + 1]
    if (isRename && from !== undefined && entries[at + 2] === path) return { from, isAlike: true }
    at += isRename ? 3 : 2
  }
  if (entries.length !== 5) return undefined
  const [first, one = '', second, other = ''] = entries
  if (first === 'D' && second === 'A' && other === path) return { from: one, isAlike: false }
  if (first === 'A' && second === 'D' && one === path) return { from: other, isAlike: false }
  return undefined
}
