import { type Git, type Repository, runIn } from '../git.ts'
import { readCommit } from '../reading/text-object.ts'
import { type Ref, readRefs } from './ref-snapshot.ts'

/** Up to this number, commits are read one by one; more are read by one git process. */
const fewCommits = 200

const format = '%(objectname) %(committerdate:unix) %(*objectname) %(*committerdate:unix)'

/** Seconds since the epoch by the full id of a commit. */
type Dates = ReadonlyMap<string, number>

function commitOf(ref: Ref): string {
  return ref.peeled ?? ref.oid
}

/** The dates of the commits of all refs of this kind, in one process. */
async function readAllDates(git: Git, repository: Repository, kind: string): Promise<Dates> {
  const args = ['for-each-ref', `--format=${format}`, `refs/${kind}`]
  const { stdout } = await runIn(git, repository, args)
  const dates = new Map<string, number>()
  for (const line of stdout.toString('latin1').split('\n')) {
    const [oid = '', date = '', peeled = '', peeledDate = ''] = line.split(' ')
    if (date !== '') dates.set(oid, Number(date))
    if (peeledDate !== '') dates.set(peeled, Number(peeledDate))
  }
  return dates
}

async function readDate(git: Git, repository: Repository, oid: string): Promise<number> {
  const commit = await readCommit(git, repository, oid)
  return commit === undefined ? 0 : Math.floor(Date.parse(commit.committer.date) / 1000)
}

/** Dates never change, so only those of new commits cost anything. */
async function datesOf(
  git: Git,
  repository: Repository,
  kind: string,
  refs: readonly Ref[],
): Promise<Dates> {
  const key = `${git.parts.scopeOf(repository.path)}dates ${kind}`
  const known = git.parts.cache.get(key) as Dates | undefined
  const unknown = new Set(refs.map(commitOf).filter((oid) => !known?.has(oid)))
  if (known !== undefined && unknown.size === 0) return known
  const asked = unknown.size > fewCommits ? await readAllDates(git, repository, kind) : undefined
  const dates = new Map<string, number>()
  for (const oid of new Set(refs.map(commitOf))) {
    const date = known?.get(oid) ?? asked?.get(oid)
    dates.set(oid, date ?? (await readDate(git, repository, oid)))
  }
  git.parts.cache.set(key, dates, 200 * dates.size)
  return dates
}

/**
 * Lists all branches or all tags, oldest commit first and, among equals, by name in byte order.
 * Refs to other objects come first. Costs no process while the refs are unchanged.
 */
export async function listRefsByDate(
  git: Git,
  repository: Repository,
  kind: 'heads' | 'tags',
): Promise<readonly Ref[]> {
  const snapshot = await readRefs(git, repository)
  const key = `${git.parts.scopeOf(repository.path)}by date ${kind} ${snapshot.key}`
  const known = git.parts.cache.get(key) as readonly Ref[] | undefined
  if (known !== undefined) return known
  // The snapshot is in byte order already, and the sort is stable.
  const refs = [...snapshot[kind].values()]
  const dates = await datesOf(git, repository, kind, refs)
  const dateOf = (ref: Ref) => dates.get(commitOf(ref)) ?? 0
  refs.sort((a, b) => dateOf(a) - dateOf(b))
  git.parts.cache.set(key, refs, 16 * refs.length + 100)
  return refs
}
