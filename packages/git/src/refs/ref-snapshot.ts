import { createHash } from 'node:crypto'
import { type BigIntStats, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Git, type Repository, runIn } from '../git.ts'
import { listRefFolders, readRefFiles, type StoredRef } from './ref-files.ts'

/** A branch or a tag. */
export interface Ref {
  /** Without `refs/heads/` or `refs/tags/`. */
  name: string
  /** The object of the ref: a commit, or an annotated tag's own object. */
  oid: string
  /** For an annotated tag: the peeled object. */
  peeled?: string
}

/** All branches and tags at one moment. */
export interface RefSnapshot {
  /** The same for the same refs with the same values. */
  key: string
  /** By short name, in byte order. */
  heads: Map<string, Ref>
  tags: Map<string, Ref>
}

interface CachedSnapshot {
  snapshot: RefSnapshot
  folders: string[]
  fingerprint: string
  /** Taken so soon after a change that a second change may not show in the timestamps. */
  racy: boolean
}

/** Coarser than the timestamps of any common file system but FAT. */
const racyMs = 100
const format = '%(objectname) %(*objectname) %(*objecttype) %(refname)'

function describe(stats: BigIntStats | undefined): string {
  return stats ? `${stats.ino}/${stats.mtimeNs}/${stats.size}` : '-'
}

function statOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

/**
 * Identifies a state of the refs. Git replaces a ref by renaming a file into its folder, which
 * updates the folder's timestamp, and replaces packed-refs completely.
 */
function fingerprintOf(repository: Repository, folders: string[]) {
  const states = [...folders, 'packed-refs'].map((name) => statOf(join(repository.path, name)))
  const newest = states.reduce((max, stats) => Math.max(max, Number(stats?.mtimeMs ?? 0)), 0)
  return { text: states.map(describe).join(' '), newest }
}

interface ListedRefs {
  refs: StoredRef[]
  folders: string[]
}

/** Lists with git the refs that can't be read from the files alone. */
async function listRefsWithGit(git: Git, repository: Repository): Promise<ListedRefs> {
  const args = ['for-each-ref', `--format=${format}`, 'refs/heads', 'refs/tags']
  const { stdout } = await runIn(git, repository, args)
  const lines = stdout.toString('utf8').split('\n').filter(Boolean)
  const refs = lines.map((line): StoredRef => {
    const [oid = '', peeled = '', peeledType, ...rest] = line.split(' ')
    // Before git 2.45 a tag of a tag is peeled by one step only.
    return { ref: rest.join(' '), oid, peeled: peeledType === 'tag' ? undefined : peeled || null }
  })
  return { refs, folders: await listRefFolders(repository.path) }
}

/** Peels an annotated tag completely; other objects are returned unchanged. */
async function peel(git: Git, repository: Repository, oid: string): Promise<string | undefined> {
  const key = `${git.parts.scopeOf(repository.path)}peeled ${oid}`
  const known = git.parts.cache.get(key) as string | undefined
  if (known !== undefined) return known
  const answer = await git.parts.objects.ask(repository.path, 'info', `${oid}^{}`)
  if (answer) git.parts.cache.set(key, answer.oid, 80)
  return answer?.oid
}

async function toSnapshot(
  git: Git,
  repository: Repository,
  refs: readonly StoredRef[],
): Promise<RefSnapshot> {
  const heads = new Map<string, Ref>()
  const tags = new Map<string, Ref>()
  const hash = createHash('sha1')
  for (const { ref, oid, peeled } of refs) {
    hash.update(`${oid} ${ref}\n`)
    if (ref.startsWith('refs/heads/')) {
      const name = ref.slice('refs/heads/'.length)
      heads.set(name, { name, oid })
      continue
    }
    const name = ref.slice('refs/tags/'.length)
    const target = peeled === undefined ? await peel(git, repository, oid) : peeled
    tags.set(name, target && target !== oid ? { name, oid, peeled: target } : { name, oid })
  }
  return { key: hash.digest('hex'), heads, tags }
}

async function take(git: Git, repository: Repository): Promise<CachedSnapshot> {
  // Read before the refs: a change in between makes the fingerprint stale, never the refs.
  const now = Date.now()
  const before = await listRefFolders(repository.path)
  const { text, newest } = fingerprintOf(repository, before)
  const stored = await readRefFiles(repository.path)
  const { refs, folders } = stored ?? (await listRefsWithGit(git, repository))
  const snapshot = await toSnapshot(git, repository, refs)
  // A folder created in between is not in the fingerprint, so a change below it would not show.
  const racy = newest > now - racyMs || folders.join('\n') !== before.join('\n')
  return { snapshot, folders: before, fingerprint: text, racy }
}

function estimate({ snapshot, folders }: CachedSnapshot): number {
  return 1000 + 200 * (snapshot.heads.size + snapshot.tags.size + folders.length)
}

interface PendingSnapshot {
  running: Promise<CachedSnapshot>
  next: Promise<CachedSnapshot> | undefined
}

const pending = new WeakMap<Git, Map<string, PendingSnapshot>>()

/**
 * Shares a snapshot among the callers that arrive while another is being taken: that one may be
 * older than their request, the next one is not.
 */
function shareSnapshot(git: Git, repository: Repository): Promise<CachedSnapshot> {
  const byPath = pending.get(git) ?? new Map<string, PendingSnapshot>()
  pending.set(git, byPath)
  const current = byPath.get(repository.path)
  if (current) {
    current.next ??= current.running.catch(() => {}).then(() => shareSnapshot(git, repository))
    return current.next
  }
  const running = take(git, repository).finally(() => byPath.delete(repository.path))
  byPath.set(repository.path, { running, next: undefined })
  return running
}

/**
 * The current branches and tags, including changes by other processes. Costs a few stat calls while
 * nothing changes; after a change the files are read again.
 * @throws GitError `not_found` if there is no repository.
 */
export async function readRefs(git: Git, repository: Repository): Promise<RefSnapshot> {
  const key = `${git.parts.scopeOf(repository.path)}refs`
  const cached = git.parts.cache.get(key) as CachedSnapshot | undefined
  if (
    cached &&
    !cached.racy &&
    fingerprintOf(repository, cached.folders).text === cached.fingerprint
  ) {
    return cached.snapshot
  }
  const fresh = await shareSnapshot(git, repository)
  git.parts.cache.set(key, fresh, estimate(fresh))
  return fresh.snapshot
}
