import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'
import { type StreamLimits, streamIn } from '../stream.ts'

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

const newline = 0x0a

function readLine(found: ByEmail, line: string): void {
  const [seconds = '', email = '', name = ''] = line.split('\0')
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

async function count(
  git: Git,
  repository: Repository,
  tip: string,
  limits: StreamLimits,
): Promise<Contributor[]> {
  const args = ['log', '--no-merges', '--no-mailmap', '--format=%ct%x00%ae%x00%an', tip, '--']
  const found: ByEmail = new Map()
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of streamIn(git, repository, args, { ...limits, queued: true })) {
    const data = Buffer.concat([rest, chunk])
    const end = data.lastIndexOf(newline) + 1
    for (const line of data.toString('utf8', 0, end).split('\n')) {
      if (line !== '') readLine(found, line)
    }
    rest = data.subarray(end)
  }
  return [...found.values()]
}

const running = new WeakMap<Git, Map<string, Promise<Contributor[]>>>()

/**
 * Lists the authors of the commits reachable from `tip`, in order of their newest commits. The
 * whole history is walked once per tip, however many callers there are.
 * @throws GitError `timeout`, `output_limit`, `not_found`.
 */
export async function listContributors(
  git: Git,
  repository: Repository,
  tip: string,
  limits: Omit<StreamLimits, 'signal'> = {},
): Promise<Contributor[]> {
  if (!isOid(tip)) throw new GitError('invalid', 'a full object id is required')
  const key = `${git.parts.scopeOf(repository.path)}contributors ${tip}`
  const known = git.parts.cache.get(key) as Contributor[] | undefined
  if (known) return known
  const walks = running.get(git) ?? new Map<string, Promise<Contributor[]>>()
  running.set(git, walks)
  const walk =
    walks.get(key) ?? count(git, repository, tip, limits).finally(() => walks.delete(key))
  walks.set(key, walk)
  const found = await walk
  git.parts.cache.set(key, found, 200 * found.length)
  return found
}
