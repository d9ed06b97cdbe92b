import { errorOf } from './broker/git-process.ts'
import type { Git, Repository } from './git.ts'
import { failureOf, GitError } from './git-error.ts'
import { readCommit } from './history.ts'
import { isOid } from './object-reader.ts'
import { createDiffParser, type Diff, type DiffLimits } from './parsing/diff-parser.ts'

/** The tree without entries, which git knows without having it. */
export const emptyTreeOid = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** How a diff is made. */
export interface DiffOptions extends DiffLimits {
  /** Only what lies at or below these paths. */
  paths?: string[]
  /** Lines of context; default 3. */
  context?: number
  ignoreWhitespace?: boolean
  signal?: AbortSignal
}

const timeoutMs = 30_000

function argsOf(from: string, to: string, options: DiffOptions): string[] {
  const args = ['diff-tree', '-r', '-M', '--raw', '-p', '--full-index', '--no-color']
  args.push('--no-ext-diff', '--no-textconv', `-U${Math.floor(options.context ?? 3)}`)
  if (options.ignoreWhitespace) args.push('-w')
  return [...args, from, to, '--', ...(options.paths ?? [])]
}

/**
 * What changed from one commit (or tree) to another, both by full id, renames found. Invalid UTF-8
 * is replaced. Throws GitError `not_found` for a missing commit, `timeout` (30 s), `aborted`.
 */
export async function diffRange(
  git: Git,
  repository: Repository,
  from: string,
  to: string,
  options: DiffOptions = {},
): Promise<Diff> {
  if (!isOid(from) || !isOid(to)) throw new GitError('invalid', 'a full object id is needed')
  const args = argsOf(from, to, options)
  const start = { args, repository: repository.path, timeoutMs, queued: true }
  const { signal } = options
  const process = await git.parts.starter.start(signal ? { ...start, signal } : start)
  const parser = createDiffParser(options)
  for await (const chunk of process.stdout) {
    // Leaving the loop closes the stream, which ends git.
    if (!parser.push(chunk)) return parser.finish()
  }
  const { code, stderr, reason } = await process.exit
  if (reason) throw errorOf(reason, stderr)
  if (code !== 0) throw failureOf('git diff-tree', code, stderr)
  return parser.finish()
}

/**
 * What a commit changed against its first parent, or, if it has none, everything that it holds.
 * See `diffRange` for what it throws.
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
