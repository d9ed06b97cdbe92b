import { setTimeout as delay } from 'node:timers/promises'
import type { Git, Repository } from '../git.ts'
import { isLimit } from '../git-error.ts'
import type { Commit } from '../parsing/commit-parser.ts'
import { createLineReader } from '../parsing/line-reader.ts'
import { type RawChange, readRawChange } from '../parsing/raw-change.ts'
import type { TreeEntry } from '../parsing/tree-parser.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { readCommit } from '../reading/text-object.ts'
import { streamIn } from '../stream.ts'
import { isCloseAncestor } from './ancestry.ts'

/** Some of the entries of a folder at a commit. */
export interface EntriesQuery {
  /** Full id. */
  commit: string
  /** The folder; empty for the root. */
  path: string
  entries: readonly TreeEntry[]
}

/** Limits of finding the last commits of a folder. */
export interface LastCommitsLimits {
  /** Milliseconds that a caller waits; the search goes on for the next one. */
  waitMs: number
  /** Milliseconds after which git is killed. */
  timeoutMs: number
  /** Bytes of git's output, which has a line for each change below the folder. */
  maxOutputBytes: number
}

/** What is known of the entries of a folder at a commit: ids of commits, by the key of the entry. */
type Found = Map<string, string>

/** The last commit that was searched from, and what was found. */
interface Newest {
  commit: string
  found: Found
}

/** A name may stand for something else in another commit. */
function keyOf({ name, oid }: Pick<TreeEntry, 'name' | 'oid'>): string {
  return `${oid} ${name}`
}

/**
 * Finds the newest commit that made each entry of a folder what it is, by the entry's name. One walk
 * of the history for all of them, which ends with the last; after a push only the new commits are
 * walked. Cached: no process while nothing moves. Entries that were not found in time are missing.
 */
export async function lastCommits(
  git: Git,
  repository: Repository,
  query: EntriesQuery,
  limits: LastCommitsLimits,
): Promise<Map<string, Commit>> {
  const found = foundOf(git, repository, query)
  if (query.entries.some((entry) => !found.has(keyOf(entry)))) {
    const waiting = new AbortController()
    const search = searchOnce(git, repository, query, limits, found)
    const late = delay(limits.waitMs, undefined, { signal: waiting.signal }).catch(() => {})
    await Promise.race([search, late])
    waiting.abort()
  }
  const known = query.entries.flatMap((entry) => {
    const oid = found.get(keyOf(entry))
    return oid === undefined ? [] : [[entry.name, oid] as const]
  })
  return readEach(git, repository, known)
}

async function readEach(
  git: Git,
  repository: Repository,
  known: readonly (readonly [string, string])[],
): Promise<Map<string, Commit>> {
  const oids = [...new Set(known.map(([, oid]) => oid))]
  const commits = await Promise.all(oids.map((oid) => readCommit(git, repository, oid)))
  const byOid = new Map(oids.map((oid, at) => [oid, commits[at]]))
  return new Map(
    known.flatMap(([name, oid]) => {
      const commit = byOid.get(oid)
      return commit === undefined ? [] : [[name, commit]]
    }),
  )
}

/** What is known already; whoever searches adds to it. */
function foundOf(git: Git, repository: Repository, { commit, path }: EntriesQuery): Found {
  const key = `${git.parts.scopeOf(repository.path)}last ${commit} ${path}`
  const known = git.parts.cache.get(key) as Found | undefined
  if (known) return known
  const found: Found = new Map()
  git.parts.cache.set(key, found, 0)
  return found
}

/** Bytes of an entry in memory: two ids and a name. */
const entryBytes = 300

/** Concurrent callers share one search, and so do those that come while it goes on. */
async function searchOnce(
  git: Git,
  repository: Repository,
  query: EntriesQuery,
  limits: LastCommitsLimits,
  found: Found,
): Promise<void> {
  const { commit, path, entries } = query
  const scope = git.parts.scopeOf(repository.path)
  const names = entries.map(keyOf)
  const read = async (signal: AbortSignal) => {
    const newest = git.parts.cache.get(`${scope}newest ${path}`) as Newest | undefined
    const known = await startOf(git, repository, query, newest)
    await walk(git, repository, { query, limits, found, signal, known })
    git.parts.cache.set(`${scope}last ${commit} ${path}`, found, entryBytes * found.size)
    git.parts.cache.set(`${scope}newest ${path}`, { commit, found }, entryBytes * found.size)
  }
  try {
    const key = `last ${commit} ${path} ${names.at(0)} ${names.at(-1)} ${names.length}`
    await readSlowly(git, repository, { key, read })
  } catch (error) {
    // What was found until then is shown.
    if (!isLimit(error)) throw error
  }
}

/** The last search, if all that it found is history of the commit. */
async function startOf(
  git: Git,
  repository: Repository,
  { commit }: EntriesQuery,
  newest: Newest | undefined,
): Promise<Newest | undefined> {
  if (newest === undefined || newest.commit === commit) return undefined
  const isAncestor = await isCloseAncestor(git, repository, newest.commit, commit)
  return isAncestor === true ? newest : undefined
}

interface Walk {
  query: EntriesQuery
  limits: LastCommitsLimits
  found: Found
  known: Newest | undefined
  signal: AbortSignal
}

/** Paths of 4 KiB, quoted, and three ids for each parent of a merge of many. */
const maxLineBytes = 32 * 1024

async function walk(git: Git, repository: Repository, search: Walk): Promise<void> {
  const { query, found, known } = search
  const wanted = new Set(query.entries.map(keyOf).filter((key) => !found.has(key)))
  if (known !== undefined) {
    await readLog(git, repository, search, wanted, known.commit)
    for (const key of wanted) {
      const oid = known.found.get(key)
      if (oid === undefined) continue
      found.set(key, oid)
      wanted.delete(key)
    }
  }
  if (wanted.size > 0) await readLog(git, repository, search, wanted)
}

/** Reads commits from the newest on until each wanted entry is found. */
async function readLog(
  git: Git,
  repository: Repository,
  { query: { commit, path }, limits, found, signal }: Walk,
  wanted: Set<string>,
  notReachableFrom?: string,
): Promise<void> {
  const { timeoutMs, maxOutputBytes } = limits
  // Of a merge, what differs from each of its parents.
  const format = ['--format=%H', '--raw', '-t', '--diff-merges=combined', '--no-abbrev']
  const range = [commit, ...(notReachableFrom === undefined ? [] : [`^${notReachableFrom}`])]
  const paths = ['--', ...(path === '' ? [] : [path])]
  const args = ['log', ...format, '--no-renames', '--no-ext-diff', ...range, ...paths]
  const prefix = path === '' ? '' : `${path}/`
  let current = ''
  const visit = (line: Buffer) => {
    const change = readRawChange(line, prefix)
    if (change === undefined) {
      if (line.length === 40) current = line.toString('latin1')
      return true
    }
    take(change, current, found, wanted)
    return wanted.size > 0
  }
  const reader = createLineReader(visit, { maxBytes: maxLineBytes })
  const options = { timeoutMs, maxOutputBytes, signal, limits: slowProcess, queued: true }
  for await (const chunk of streamIn(git, repository, args, options)) {
    // Leaving the loop ends git.
    if (!reader.push(chunk)) return
  }
}

function take({ name, oid }: RawChange, commit: string, found: Found, wanted: Set<string>): void {
  const key = keyOf({ name, oid })
  if (wanted.delete(key)) found.set(key, commit)
}
