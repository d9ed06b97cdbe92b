import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'
import { readRefs } from '../refs/ref-snapshot.ts'

/** Which part of the history is meant. */
export interface HistoryQuery {
  /** Full id of the commit to start from, or `all`: every branch and tag. */
  tip: string
  /** Only commits that changed this file or folder. */
  path?: string
  /** Only commits whose committer date is not before, or not after, this instant. */
  since?: Date
  until?: Date
  /** Of a merge follow the first parent alone. */
  firstParent?: boolean
  /** Commits that are reachable from this one are left out. */
  notReachableFrom?: string
}

function seconds(date: Date): number {
  const value = Math.floor(date.getTime() / 1000)
  if (Number.isNaN(value)) throw new GitError('invalid', 'not a date')
  return Math.max(0, value)
}

/** The query in the language of `rev-list`; paths last, behind `--`. */
export function queryArgs(query: HistoryQuery): string[] {
  for (const oid of [query.tip, query.notReachableFrom]) {
    if (oid !== undefined && oid !== 'all' && !isOid(oid)) {
      throw new GitError('invalid', 'a full object id is needed')
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

/** Everything that decides the answer; what it names is immutable, so the answer is too. */
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
