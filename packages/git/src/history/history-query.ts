import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'
import { readRefs } from '../refs/ref-snapshot.ts'

/** A part of the history. */
export interface HistoryQuery {
  /** Full id of the commit to start from, or `all`: every branch and tag. */
  tip: string
  /** Only commits that changed this file or folder. */
  path?: string
  /** Only commits with a committer date not before, or not after, this timestamp. */
  since?: Date
  until?: Date
  /** Follows only the first parent of merges. */
  firstParent?: boolean
  /** Commits that are reachable from this one are left out. */
  notReachableFrom?: string
}

function seconds(date: Date): number {
  const value = Math.floor(date.getTime() / 1000)
  if (Number.isNaN(value)) throw new GitError('invalid', 'not a date')
  return Math.max(0, value)
}

/** The query as `rev-list` arguments; paths come last, after `--`. */
export function queryArgs(query: HistoryQuery): string[] {
  for (const oid of [query.tip, query.notReachableFrom]) {
    if (oid !== undefined && oid !== 'all' && !isOid(oid)) {
      throw new GitError('invalid', 'a full object id is required')
    }
  }
  const args: string[] = []
  if (query.since) args.push(`--max-age=${seconds(query.since)}`)
  if (query.until) args.push(`--min-age=${seconds(query.until)}`)
  if (query.firstParent) args.push('--first-parent')
  args.push(...(query.tip === 'all' ? ['--branches', '--tags'] : [query.tip]))
  if (query.notReachableFrom) args.push(`^${query.notReachableFrom}`)
  return [...args, '--', ...(query.path ? [query.path] : [])]
}

/**
 * The key of everything that determines the result; what it identifies is immutable, so the result
 * is too.
 */
export async function cacheKey(
  git: Git,
  repository: Repository,
  kind: string,
  args: string[],
): Promise<string> {
  const scope = git.parts.scopeOf(repository.path)
  const refs = args.includes('--branches') ? (await readRefs(git, repository)).key : ''
  return `${scope}${kind} ${refs} ${args.join('\0')}`
}
