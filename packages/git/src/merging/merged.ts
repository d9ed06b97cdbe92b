import type { RunResult } from '../broker/run.ts'
import { type Git, type Repository, runIn } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { type Ref, readRefs } from '../refs/ref-snapshot.ts'

/** The cached results of one head: whether it reaches a branch's commit, by that commit. */
interface CachedMerged {
  head: string
  merged: Map<string, boolean>
}

/** With more new commits, a fresh look-up is cheaper. */
const maxNewCommits = 10_000
/** More branches than any repository shows at a time. */
const maxKnown = 50_000
/** Up to this number, branches are passed to git one by one. */
const maxNamed = 200

/**
 * Finds those of the branch tips that `head` reaches; `head` itself, too. Results stay cached when
 * the head moves forward: then only the new commits are read. At most two processes, none while
 * nothing moves.
 * @throws GitError `timeout` (60 s).
 */
export async function findMerged(
  git: Git,
  repository: Repository,
  head: string,
  branches: readonly Ref[],
): Promise<Set<string>> {
  if (!isOid(head)) throw new GitError('invalid', 'a full object id is required')
  const { merged } = await cachedFor(git, repository, head)
  const missing = branches.filter(({ oid }) => oid !== head && !merged.has(oid))
  if (missing.length > 0) await findMissing(git, repository, head, missing, merged)
  const tips = branches.map(({ oid }) => oid)
  return new Set(tips.filter((oid) => oid === head || merged.get(oid) === true))
}

function keyOf(git: Git, repository: Repository): string {
  return `${git.parts.scopeOf(repository.path)}merged`
}

function keep(git: Git, repository: Repository, known: CachedMerged): void {
  git.parts.cache.set(keyOf(git, repository), known, 100 * known.merged.size)
}

async function cachedFor(git: Git, repository: Repository, head: string): Promise<CachedMerged> {
  const known = git.parts.cache.get(keyOf(git, repository)) as CachedMerged | undefined
  if (known?.head === head && known.merged.size < maxKnown) return known
  const merged =
    known && known.head !== head ? await carryOver(git, repository, known, head) : undefined
  return { head, merged: merged ?? new Map() }
}

function readAll(git: Git, repository: Repository, args: string[]): Promise<RunResult> {
  const read = () => runIn(git, repository, args)
  return readSlowly(git, repository, { key: args.join(' '), read })
}

/** What stays true of the new head because it reaches the old one; undefined if it doesn't. */
async function carryOver(
  git: Git,
  repository: Repository,
  { head: old, merged }: CachedMerged,
  head: string,
): Promise<Map<string, boolean> | undefined> {
  const limit = `--max-count=${maxNewCommits + 1}`
  const args = ['rev-list', '--left-right', limit, `${old}...${head}`]
  const { stdout } = await readAll(git, repository, args)
  const lines = stdout.toString('latin1').split('\n').filter(Boolean)
  if (lines.length > maxNewCommits || lines.some((line) => line.startsWith('<'))) return undefined
  const fresh = new Set(lines.map((line) => line.slice(1)))
  return new Map([...merged].map(([oid, was]) => [oid, was || fresh.has(oid)]))
}

/** One walk for all of them, down to the oldest. */
async function findMissing(
  git: Git,
  repository: Repository,
  head: string,
  missing: readonly Ref[],
  merged: Map<string, boolean>,
): Promise<void> {
  const names = missing.map(({ name }) => `refs/heads/${name}`)
  const which = names.length > maxNamed ? ['refs/heads'] : names
  const args = ['for-each-ref', `--merged=${head}`, '--format=%(objectname)', ...which]
  const { stdout } = await readAll(git, repository, args)
  const found = new Set(stdout.toString('latin1').split('\n'))
  const { heads } = await readRefs(git, repository)
  for (const { name, oid } of missing) {
    // A branch that moved in between was not checked at its former commit.
    if (found.has(oid)) merged.set(oid, true)
    else if (heads.get(name)?.oid === oid) merged.set(oid, false)
  }
  keep(git, repository, { head, merged })
}
