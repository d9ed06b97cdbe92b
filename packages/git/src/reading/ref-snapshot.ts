import { createHash } from 'node:crypto'
import { type BigIntStats, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Git, type Repository, runIn } from '../git.ts'

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

async function listFolders(repository: Repository, folder: string): Promise<string[]> {
  const entries = await readdir(join(repository.path, folder), { withFileTypes: true }).catch(
    () => [],
  )
  const below = entries.filter((entry) => entry.isDirectory())
  const nested = await Promise.all(
    below.map((entry) => listFolders(repository, `${folder}/${entry.name}`)),
  )
  return [folder, ...nested.flat()]
}

/** Reads the output of for-each-ref. */
function parseRefs(output: Buffer): RefSnapshot {
  const heads = new Map<string, Ref>()
  const tags = new Map<string, Ref>()
  for (const line of output.toString('utf8').split('\n')) {
    const [oid, peeled, , ...rest] = line.split(' ')
    const ref = rest.join(' ')
    if (!oid) continue
    const isTag = ref.startsWith('refs/tags/')
    const name = ref.slice(isTag ? 'refs/tags/'.length : 'refs/heads/'.length)
    if (isTag) tags.set(name, peeled ? { name, oid, peeled } : { name, oid })
    else heads.set(name, { name, oid })
  }
  return { key: createHash('sha1').update(output).digest('hex'), heads, tags }
}

/** Before git 2.45 a tag of a tag is peeled by one step only. */
async function peelFully(git: Git, repository: Repository, output: Buffer, refs: RefSnapshot) {
  for (const [, ref] of output.toString('utf8').matchAll(/ tag refs\/tags\/(.+)$/gm)) {
    const tag = refs.tags.get(ref ?? '')
    const name = `${tag?.oid}^{}`
    const answer = tag && (await git.parts.objects.ask(repository.path, 'info', name))
    if (tag && answer) tag.peeled = answer.oid
  }
}

async function take(git: Git, repository: Repository): Promise<Kept> {
  const lists = ['refs/heads', 'refs/tags'].map((name) => listFolders(repository, name))
  const folders = ['refs', ...(await Promise.all(lists)).flat()]
  const now = Date.now()
  // Looked at before git reads: a change in between makes the fingerprint old, never the refs.
  const { text, newest } = fingerprintOf(repository, folders)
  const args = ['for-each-ref', `--format=${format}`, 'refs/heads', 'refs/tags']
  const { stdout } = await runIn(git, repository, args)
  const snapshot = parseRefs(stdout)
  await peelFully(git, repository, stdout, snapshot)
  return { snapshot, folders, fingerprint: text, racy: newest > now - racyMs }
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
 * looks at the file system while nothing changes, and one git process after a change.
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
