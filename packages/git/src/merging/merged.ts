import { type Git, type Repository, runIn } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'
import { type Ref, readRefs } from '../refs/ref-snapshot.ts'

/** What is known of one head: by the commit of a branch, whether the head's history has it. */
interface Known {
  head: string
  merged: Map<string, boolean>
}

/** Beyond that the head has moved too far for it to be cheaper than looking anew. */
const maxNewCommits = 10_000
/** More than any repository shows at a time. */
const maxKnown = 50_000
/** Up to here branches are named one by one to git. */
const maxNamed = 200

/**
 * The commits among the tips of these branches that the history of `head` has; `head` itself, too. What
 * is known stays known when the head moves forward: then only the new commits are looked at. At most
 * two processes, none while nothing moves. Throws GitError `timeout` (60 s).
 */
export async function findMerged(
  git: Git,
  repository: Repository,
  head: string,
  branches: readonly Ref[],
): Promise<Set<string>> {
  if (!isOid(head)) throw new GitError('invalid', 'a full object id is needed')
  const { merged } = await knownOf(git, repository, head)
  const missing = branches.filter(({ oid }) => oid !== head && !merged.has(oid))
  if (missing.length > 0) await learn(git, repository, head, missing, merged)
  const tips = branches.map(({ oid }) => oid)
  return new Set(tips.filter((oid) => oid === head || merged.get(oid) === true))
}

function keyOf(git: Git, repository: Repository): string {
  return `${git.parts.scopeOf(repository.path)}merged`
}

function keep(git: Git, repository: Repository, known: Known): void {
  git.parts.cache.set(keyOf(git, repository), known, 100 * known.merged.size)
}

async function knownOf(git: Git, repository: Repository, head: string): Promise<Known> {
  const known = git.parts.cache.get(keyOf(git, repository)) as Known | undefined
  if (known?.head === head && known.merged.size < maxKnown) return known
  const merged =
    known && known.head !== head ? await carryOver(git, repository, known, head) : undefined
  return { head, merged: merged ?? new Map() }
}

/** What holds of the new head because it has the old one in its history; undefined where it has not. */
async function carryOver(
  git: Git,
  repository: Repository,
  { head: old, merged }: Known,
  head: string,
): Promise<Map<string, boolean> | undefined> {
  const limit = `--max-count=${maxNewCommits + 1}`
  const args = ['rev-list', '--left-right', limit, `${old}...${head}`]
  const { stdout } = await runIn(git, repository, args)
  const lines = stdout.toString('latin1').split('\n').filter(Boolean)
  if (lines.length > maxNewCommits || lines.some((line) => line.startsWith('<'))) return undefined
  const fresh = new Set(lines.map((line) => line.slice(1)))
  return new Map([...merged].map(([oid, was]) => [oid, was || fresh.has(oid)]))
}

/** One walk for all of them, down to the oldest. */
async function learn(
  git: Git,
  repository: Repository,
  head: string,
  missing: readonly Ref[],
  merged: Map<string, boolean>,
): Promise<void> {
  const names = missing.map(({ name }) => `refs/heads/${name}`)
  const which = names.length > maxNamed ? ['refs/heads'] : names
  const args = ['for-each-ref', `--merged=${head}`, '--format=%(objectname)', ...which]
  const { stdout } = await runIn(git, repository, args)
  const found = new Set(stdout.toString('latin1').split('\n'))
  const { heads } = await readRefs(git, repository)
  for (const { name, oid } of missing) {
    // A branch that moved in between was not looked at where it stood before.
    if (found.has(oid)) merged.set(oid, true)
    else if (heads.get(name)?.oid === oid) merged.set(oid, false)
  }
  keep(git, repository, { head, merged })
}
