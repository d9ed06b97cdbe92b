import { createHash } from 'node:crypto'
import { type BigIntStats, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Git, type Repository, runIn } from '../git.ts'
import { listRefFolders, readRefFiles, type StoredRef } from './ref-files.ts'

/** A branch or a tag. */
export interface Ref {
  /** Without `refs/heads/` or `refs/tags/`. */
  name: string
  /** What the ref holds: a commit, or an annotated tag's own object. */
  oid: string
  /** Of an annotated tag: the object that it stands for in the end. */
  peeled?: string
}

/** All branches and tags as they were at one moment. */
export interface RefSnapshot {
  /** The same for the same refs with the same values. */
  key: string
  /** By short name, in byte order. */
  heads: Map<string, Ref>
  tags: Map<string, Ref>
}

interface Kept {
  snapshot: RefSnapshot
  folders: string[]
  fingerprint: string
  /** Taken so soon after a change that a second change may have left no trace in the times. */
  racy: boolean
}

/** Coarser than the clock of any file system we know of but FAT. */
const racyMs = 100
const format = '%(objectname) %(*objectname) %(*objecttype) %(refname)'

function describe(stats: BigIntStats | undefined): string {
  return stats ? `${stats.ino}/${stats.mtimeNs}/${stats.size}` : '-'
}

function look(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

/**
 * What tells one state of the refs from another. Git replaces a ref by renaming a file into its
 * folder, which touches the folder, and replaces packed-refs as a whole.
 */
function fingerprintOf(repository: Repository, folders: string[]) {
  const seen = [...folders, 'packed-refs'].map((name) => look(join(repository.path, name)))
  const newest = seen.reduce((most, stats) => Math.max(most, Number(stats?.mtimeMs ?? 0)), 0)
  return { text: seen.map(describe).join(' '), newest }
}

interface ListedRefs {
  refs: StoredRef[]
  folders: string[]
}

/** What git itself says of refs that the files alone do not tell. */
async function askGit(git: Git, repository: Repository): Promise<ListedRefs> {
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

/** Gives what an annotated tag stands for in the end; what is no tag stands for itself. */
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

async function take(git: Git, repository: Repository): Promise<Kept> {
  // Looked at before the refs are read: a change in between makes the fingerprint old, never the refs.
  const now = Date.now()
  const before = await listRefFolders(repository.path)
  const { text, newest } = fingerprintOf(repository, before)
  const stored = await readRefFiles(repository.path)
  const { refs, folders } = stored ?? (await askGit(git, repository))
  const snapshot = await toSnapshot(git, repository, refs)
  // A folder that came in between is not in the fingerprint, nor would a change below it show.
  const racy = newest > now - racyMs || folders.join('\n') !== before.join('\n')
  return { snapshot, folders: before, fingerprint: text, racy }
}

function estimate({ snapshot, folders }: Kept): number {
  return 1000 + 200 * (snapshot.heads.size + snapshot.tags.size + folders.length)
}

interface Turn {
  running: Promise<Kept>
  next: Promise<Kept> | undefined
}

const turns = new WeakMap<Git, Map<string, Turn>>()

/**
 * Takes a snapshot for all who come while another is being taken: that one may have looked before
 * they asked, the next one has not.
 */
function takeTogether(git: Git, repository: Repository): Promise<Kept> {
  const byPath = turns.get(git) ?? new Map<string, Turn>()
  turns.set(git, byPath)
  const turn = byPath.get(repository.path)
  if (turn) {
    turn.next ??= turn.running.catch(() => {}).then(() => takeTogether(git, repository))
    return turn.next
  }
  const running = take(git, repository).finally(() => byPath.delete(repository.path))
  byPath.set(repository.path, { running, next: undefined })
  return running
}

/**
 * The branches and tags as they are now, also when another process changed them. It costs a few
 * looks at the file system while nothing changes; after a change the files are read anew.
 * Throws GitError `not_found` when there is no repository.
 */
export async function readRefs(git: Git, repository: Repository): Promise<RefSnapshot> {
  const key = `${git.parts.scopeOf(repository.path)}refs`
  const kept = git.parts.cache.get(key) as Kept | undefined
  if (kept && !kept.racy && fingerprintOf(repository, kept.folders).text === kept.fingerprint) {
    return kept.snapshot
  }
  const fresh = await takeTogether(git, repository)
  git.parts.cache.set(key, fresh, estimate(fresh))
  return fresh.snapshot
}
