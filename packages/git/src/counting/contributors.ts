import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { createLineReader } from '../parsing/line-reader.ts'
import { isOid } from '../reading/object-reader.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { streamIn } from '../stream.ts'

/** An author of commits, by e-mail address. */
export interface Contributor {
  /** As in their newest commit with a name. */
  name: string
  email: string
  /** Without merge commits. */
  commits: number
  /** The committer date of the newest commit; seconds since the epoch. */
  lastCommitAt: number
}

type ByEmail = Map<string, Contributor>

function readLine(found: ByEmail, line: string): void {
  // Git pads each field to its columns.
  const [seconds = '', email = '', name = ''] = line.split('\0').map((field) => field.trimEnd())
  const lastCommitAt = Number(seconds)
  const known = found.get(email)
  if (!known) {
    found.set(email, { name, email, commits: 1, lastCommitAt })
    return
  }
  known.commits += 1
  known.name ||= name
  known.lastCommitAt = Math.max(known.lastCommitAt, lastCommitAt)
}

/** Limits of a history whose authors are counted. */
export interface ContributorLimits {
  /** Milliseconds after which git is killed. */
  timeoutMs: number
  /** Bytes of git's output, of which a commit takes about 60. */
  maxOutputBytes: number
  /** Different e-mail addresses. */
  maxContributors: number
}

/** Columns of a name or an address; longer ones are cut. */
const fieldColumns = 255
const authorFormat = ['%ct', `%<(${fieldColumns},trunc)%ae`, `%<(${fieldColumns},trunc)%an`].join(
  '%x00',
)

async function count(
  git: Git,
  repository: Repository,
  tip: string,
  { maxContributors, ...limits }: ContributorLimits,
): Promise<Contributor[]> {
  const args = ['log', '--no-merges', '--no-mailmap', `--format=${authorFormat}`, tip, '--']
  const found: ByEmail = new Map()
  const reader = createLineReader((line) => {
    readLine(found, line.toString('utf8'))
    if (found.size > maxContributors) throw new GitError('output_limit', 'too many contributors')
  })
  const options = { ...limits, limits: slowProcess, queued: true }
  for await (const chunk of streamIn(git, repository, args, options)) reader.push(chunk)
  return [...found.values()]
}

/**
 * Lists the authors of the commits reachable from `tip`, in order of their newest commits. The
 * whole history is walked once per tip, however many callers there are.
 * @throws GitError `timeout`, `output_limit`, `not_found`.
 */
export async function listContributors(
  git: Git,
  repository: Repository,
  tip: string,
  limits: ContributorLimits,
): Promise<Contributor[]> {
  if (!isOid(tip)) throw new GitError('invalid', 'a full object id is required')
  const name = `contributors ${tip}`
  const key = git.parts.scopeOf(repository.path) + name
  const known = git.parts.cache.get(key) as Contributor[] | undefined
  if (known) return known
  const read = () => count(git, repository, tip, limits)
  const found = await readSlowly(git, repository, { key: name + JSON.stringify(limits), read })
  git.parts.cache.set(key, found, 200 * found.length)
  return found
}
