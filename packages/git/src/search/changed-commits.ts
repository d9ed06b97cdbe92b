import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import type { Commit } from '../parsing/commit-parser.ts'
import { isOid } from '../reading/object-reader.ts'
import { readCommitsOnce } from '../reading/text-object.ts'
import { batchesOf } from './output-batches.ts'

/** How commits are walked. */
interface CommitWalk {
  /**
   * Whether a commit comes before those that were made after it, by their dates; git then lists
   * all of them, about 200 bytes each, before the first. Default: the newest first.
   */
  oldestFirst?: boolean
  /** Whether git yields the processor to others; default false. */
  background?: boolean
  signal?: AbortSignal | undefined
}

/** Two commits whose histories are compared, by full id. */
export interface CommitChangesQuery extends CommitWalk {
  /** Null: every commit is added. */
  from: string | null
  to: string
}

/** A commit that only the history of `to` has, or only that of `from`. */
export type CommitChange =
  | { change: 'added'; oid: string; commit: Commit }
  | { change: 'removed'; oid: string }

const lineFeed = 0x0a
/** Messages together take up to 6 MiB. */
const batchSize = 100
const maxMessageBytes = 64 * 1024
/** An id, with the side that it is on. */
const maxLineBytes = 41

interface ListedOid {
  change: CommitChange['change']
  oid: string
}

/**
 * Lists the commits that are reachable from one of two commits only, for example before and after a
 * forced push, in batches of up to 100; one process finds both. What was added has up to 64 KiB of
 * its message, which then ends in an ellipsis.
 * @throws GitError `not_found` if one of the two, or of their history, doesn't exist any more: it is
 * `to` if it is thrown without `from` as well. `memory_limit`, `timeout`, `aborted`.
 */
export async function* changedCommits(
  git: Git,
  repository: Repository,
  { from, to, ...walk }: CommitChangesQuery,
): AsyncGenerator<CommitChange[], void> {
  if (!isOid(to) || (from !== null && !isOid(from))) {
    throw new GitError('invalid', 'a full object id is required')
  }
  const args = from === null ? [to, '--'] : ['--left-right', `${from}...${to}`, '--']
  for await (const batch of listed(git, repository, { ...walk, args })) {
    const commits = await readTexts(
      git,
      repository,
      batch.filter(({ change }) => change === 'added'),
      walk.background,
    )
    const byOid = new Map(commits.map((commit) => [commit.oid, commit]))
    yield batch.flatMap(({ change, oid }): CommitChange[] => {
      if (change === 'removed') return [{ change, oid }]
      const commit = byOid.get(oid)
      return commit ? [{ change, oid, commit }] : []
    })
  }
}

function listed(
  git: Git,
  repository: Repository,
  { args, oldestFirst, background, signal }: CommitWalk & { args: string[] },
): AsyncGenerator<ListedOid[], void> {
  return batchesOf(git, repository, {
    args: ['rev-list', ...(oldestFirst ? ['--reverse'] : []), ...args],
    separator: lineFeed,
    maxLineBytes,
    batchSize,
    background,
    signal,
    parse: (line) => ({
      change: line.toString('latin1', 0, 1) === '<' ? 'removed' : 'added',
      oid: line.toString('latin1', line.length - 40),
    }),
  })
}

function readTexts(
  git: Git,
  repository: Repository,
  listed: readonly ListedOid[],
  background = false,
): Promise<Commit[]> {
  const oids = listed.map(({ oid }) => oid)
  return readCommitsOnce(git, repository, oids, { maxMessageBytes, background })
}
