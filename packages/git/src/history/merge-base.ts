import { type Git, type Repository, runIn } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'
import { readSlowly } from '../reading/slow-read.ts'

/**
 * Finds the best common ancestor of several commits, by full ids; undefined if they share no
 * history. Cached.
 */
export async function findCommonAncestor(
  git: Git,
  repository: Repository,
  oids: readonly string[],
): Promise<string | undefined> {
  const distinct = [...new Set(oids)]
  if (distinct.length === 0 || !distinct.every(isOid)) {
    throw new GitError('invalid', 'full object ids are required')
  }
  if (distinct.length === 1) return distinct[0]
  const key = `${git.parts.scopeOf(repository.path)}base ${distinct.join(' ')}`
  const known = git.parts.cache.get(key) as string | undefined
  if (known !== undefined) return known || undefined
  const many = distinct.length > 2 ? ['--octopus'] : []
  const args = ['merge-base', ...many, ...distinct]
  const read = () => runIn(git, repository, args, { accept: [1] })
  const { stdout } = await readSlowly(git, repository, { key: args.join(' '), read })
  const base = stdout.toString('latin1').trim()
  git.parts.cache.set(key, base, key.length + 80)
  return base || undefined
}

/** The best common ancestor of two commits; see `findCommonAncestor`. */
export function findMergeBase(
  git: Git,
  repository: Repository,
  one: string,
  other: string,
): Promise<string | undefined> {
  return findCommonAncestor(git, repository, [one, other])
}
