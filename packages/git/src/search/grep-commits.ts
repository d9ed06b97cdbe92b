import { type Git, type Repository, runIn } from '../git.ts'
import { GitError } from '../git-error.ts'
import type { Commit } from '../parsing/commit-parser.ts'
import { isOid } from '../reading/object-reader.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { readCommits } from '../reading/text-object.ts'
import { grepPattern, type SearchedText } from './grep-pattern.ts'
import { withMissing } from './missing-object.ts'

/** Which commits to search. */
export interface CommitSearch extends SearchedText {
  /** Full id of the commit whose history is searched. */
  commit: string
  limit: number
  /** Commits that are left out, of those with the text. */
  skip?: number
  /** Milliseconds after which git is killed; default 15,000. */
  timeoutMs?: number
  signal?: AbortSignal | undefined
}

const defaultTimeoutMs = 15_000
/** The largest number that git reads. */
const maxSkip = 2 ** 31 - 1
const maxCommitBytes = 64 * 1024 * 1024

/**
 * Finds commits of a history with a text in a line of their messages, newest first; those from 64
 * MiB on, as git stores them, are left out. None for a text with a line break. Only the ids are
 * searched for again, so the history may be walked for every page.
 * @throws GitError `not_found` for a missing commit, `invalid` for a text of over 16 KiB,
 * `timeout`, `memory_limit`, `aborted`.
 */
export async function grepCommits(
  git: Git,
  repository: Repository,
  { commit, limit, skip = 0, timeoutMs = defaultTimeoutMs, signal, ...searched }: CommitSearch,
): Promise<Commit[]> {
  if (!isOid(commit)) throw new GitError('invalid', 'a full object id is required')
  const pattern = grepPattern(searched)
  if (!pattern || limit < 1) return []
  const window = [
    `--skip=${Math.min(Math.floor(skip), maxSkip)}`,
    `--max-count=${Math.floor(limit)}`,
  ]
  const args = ['rev-list', '--encoding=UTF-8', ...window, ...pattern.logArgs, commit, '--']
  const { stdout } = await readSlowly(git, repository, {
    key: `${args.join('\0')} ${timeoutMs}`,
    signal,
    read: (aborted) =>
      runIn(git, repository, args, {
        timeoutMs,
        env: pattern.env,
        limits: slowProcess,
        signal: aborted,
      }).catch((error: unknown) => {
        throw withMissing(error)
      }),
  })
  const oids = stdout.toString('latin1').split('\n').filter(Boolean)
  return readCommits(git, repository, oids, maxCommitBytes)
}
