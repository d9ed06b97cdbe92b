import { type Git, type Repository, runIn } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid, objectInfo } from '../reading/object-reader.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { readHead } from '../repository.ts'
import { isValidRefName } from './branch-name.ts'
import { type Ref, readRefs } from './ref-snapshot.ts'

/** The null id: as an old value "must not exist", as a new one "delete". */
export const zeroOid = '0'.repeat(40)

/** One change of a ref. */
export interface RefUpdate {
  /** In full: `refs/heads/main`. */
  ref: string
  /** `zeroOid` deletes the ref. */
  newOid: string
  /** The expected value; `zeroOid`: must not exist; absent: any. */
  oldOid?: string
}

/** A branch or tag that contains a commit. */
export interface ContainingRef {
  type: 'branch' | 'tag'
  name: string
}

/** Lists all branches or all tags, by name in byte order. */
export async function listRefs(
  git: Git,
  repository: Repository,
  kind: 'heads' | 'tags',
): Promise<Ref[]> {
  const refs = await readRefs(git, repository)
  return [...refs[kind].values()]
}

/** The branch with this name, if it exists. */
export async function findBranch(
  git: Git,
  repository: Repository,
  name: string,
): Promise<Ref | undefined> {
  return (await readRefs(git, repository)).heads.get(name)
}

/** The tag with this name, if it exists. */
export async function findTag(
  git: Git,
  repository: Repository,
  name: string,
): Promise<Ref | undefined> {
  return (await readRefs(git, repository)).tags.get(name)
}

/** The object that a name without `~` and `^` resolves to; may be an annotated tag. */
async function resolveName(git: Git, repository: Repository, name: string) {
  const refs = await readRefs(git, repository)
  if (name === 'HEAD') return refs.heads.get((await readHead(repository)) ?? '')?.oid
  const head = refs.heads.get(name)
  if (head) return head.oid
  const tag = refs.tags.get(name)
  if (tag) return tag.peeled ?? tag.oid
  if (name.startsWith('refs/heads/')) return refs.heads.get(name.slice(11))?.oid
  if (name.startsWith('refs/tags/')) return refs.tags.get(name.slice(10))?.oid
  if (name.startsWith('refs/') && isValidRefName(name)) return name
  return /^[0-9a-f]{4,40}$/i.test(name) ? name.toLowerCase() : undefined
}

/**
 * Resolves a revision to the full id of its commit: a branch, else a tag, else an id or its first
 * four or more digits (if unique), a full ref name or HEAD; each may be followed by suffixes such
 * as `~2` and `^`. Undefined if there is none.
 */
export async function resolveCommit(
  git: Git,
  repository: Repository,
  rev: string,
): Promise<string | undefined> {
  // Git lets a branch point only to a commit.
  const branch = await findBranch(git, repository, rev)
  if (branch) return branch.oid
  const [, name = '', steps = ''] = /^([^~^]+)((?:[~^]\d{0,6}){0,32})$/.exec(rev) ?? []
  const object = name && (await resolveName(git, repository, name))
  if (!object) return undefined
  if (isOid(object) && steps === '') {
    const known = await objectInfo(git, repository, object)
    if (known?.type !== 'tag') return known?.type === 'commit' ? known.oid : undefined
  }
  const info = await objectInfo(git, repository, `${object}^{commit}${steps}`)
  if (info?.type !== 'commit') return undefined
  // Git prefers a ref over digits; here digits are an id.
  const isDigits = /^[0-9a-f]+$/.test(object) && !isOid(object) && steps === ''
  return isDigits && !info.oid.startsWith(object) ? undefined : info.oid
}

const kinds = { branch: ['refs/heads'], tag: ['refs/tags'], all: ['refs/heads', 'refs/tags'] }

/** Lists the branches, then the tags, that contain the commit; each in byte order. */
export async function refsContaining(
  git: Git,
  repository: Repository,
  oid: string,
  type: 'branch' | 'tag' | 'all',
): Promise<ContainingRef[]> {
  if (!isOid(oid)) throw new GitError('invalid', 'a full object id is required')
  const { key } = await readRefs(git, repository)
  const cacheKey = `${git.parts.scopeOf(repository.path)}containing ${type} ${oid} ${key}`
  const known = git.parts.cache.get(cacheKey) as ContainingRef[] | undefined
  if (known) return known
  const args = ['for-each-ref', `--contains=${oid}`, '--format=%(refname)', ...kinds[type]]
  const read = () => runIn(git, repository, args)
  const { stdout } = await readSlowly(git, repository, { key: `${args.join(' ')} ${key}`, read })
  const names = stdout.toString('utf8').split('\n').filter(Boolean)
  const found = names.map((ref): ContainingRef => {
    const isTag = ref.startsWith('refs/tags/')
    return { type: isTag ? 'tag' : 'branch', name: ref.slice(isTag ? 10 : 11) }
  })
  git.parts.cache.set(cacheKey, found, stdout.length + 80 * found.length)
  return found
}

const updateTimeoutMs = 60_000
/** Each ref is a file that is flushed to the disk. */
const flushTimeoutMs = 50

function checkUpdate({ ref, newOid, oldOid }: RefUpdate): void {
  if (!ref.startsWith('refs/') || !isValidRefName(ref)) {
    throw new GitError('invalid', `not a ref: ${ref}`)
  }
  if (!isOid(newOid) || (oldOid !== undefined && !isOid(oldOid))) {
    throw new GitError('invalid', 'a full object id is required')
  }
}

/**
 * Changes refs in one transaction: all of them or none.
 * @throws GitError `conflict` if one doesn't have the expected value (or its name conflicts with
 * another), `invalid` for a bad name.
 */
export async function updateRefs(
  git: Git,
  repository: Repository,
  updates: RefUpdate[],
): Promise<void> {
  for (const update of updates) checkUpdate(update)
  const lines = updates.map(
    ({ ref, newOid, oldOid = '' }) => `update ${ref}\0${newOid}\0${oldOid}\0`,
  )
  const stdin = `start\0${lines.join('')}prepare\0commit\0`
  const timeoutMs = updateTimeoutMs + updates.length * flushTimeoutMs
  await runIn(git, repository, ['update-ref', '--stdin', '-z'], { stdin, timeoutMs })
}

/** Changes one ref; see `updateRefs`. */
export function updateRef(
  git: Git,
  repository: Repository,
  ref: string,
  newOid: string,
  oldOid?: string,
): Promise<void> {
  return updateRefs(git, repository, [oldOid ? { ref, newOid, oldOid } : { ref, newOid }])
}
