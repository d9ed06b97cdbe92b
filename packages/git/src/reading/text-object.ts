import { setImmediate } from 'node:timers/promises'
import { createSlots, type Slots } from '../broker/slots.ts'
import type { Git, Repository } from '../git.ts'
import { type Commit, parseCommit, parseTag, type Tag } from '../parsing/commit-parser.ts'
import { streamIn } from '../stream.ts'
import { isOid, objectInfo, readObject } from './object-reader.ts'
import { readLimits, slowProcess } from './read-limits.ts'

/** Commits and tags up to this size are cached as they are, and parsed by every reader. */
const smallBytes = 64 * 1024

const parsers = { commit: parseCommit, tag: parseTag }

interface Parsed {
  commit: Commit
  tag: Tag
}

/** Larger ones are read one after the other: a page of them must not be in memory together. */
const turns = new WeakMap<Git, Slots>()

function turnsOf(git: Git): Slots {
  const known = turns.get(git) ?? createSlots(1)
  turns.set(git, known)
  return known
}

interface LargeObject<T extends keyof Parsed> {
  type: T
  oid: string
  /** Bytes. */
  size: number
  maxMessageBytes: number
}

/**
 * The content of an object, or enough of its start for everything but the rest of its message: one
 * oversized commit must not hide a page of others.
 */
async function readContent(
  git: Git,
  repository: Repository,
  { type, oid, size, maxMessageBytes }: LargeObject<keyof Parsed>,
): Promise<Buffer | undefined> {
  if (size <= readLimits.objectBytes) {
    return (await readObject(git, repository, oid, { uncached: true }))?.content
  }
  const options = { limits: slowProcess, timeoutMs: readLimits.statsMs }
  const chunks: Buffer[] = []
  let left = smallBytes + maxMessageBytes
  for await (const chunk of streamIn(git, repository, ['cat-file', type, oid], options)) {
    chunks.push(chunk.subarray(0, left))
    left -= chunk.length
    if (left <= 0) break
  }
  return Buffer.concat(chunks)
}

async function readLarge<T extends keyof Parsed>(
  git: Git,
  repository: Repository,
  object: LargeObject<T>,
): Promise<Parsed[T] | undefined> {
  const { type, oid, maxMessageBytes } = object
  const key = `${git.parts.scopeOf(repository.path)}${type} ${maxMessageBytes} ${oid}`
  const release = await turnsOf(git).take()
  try {
    const known = git.parts.cache.get(key) as Parsed[T] | undefined
    if (known) return known
    const content = await readContent(git, repository, object)
    if (!content) return undefined
    const parsed = parsers[type](oid, content, maxMessageBytes) as Parsed[T]
    git.parts.cache.set(key, parsed, estimate(parsed.message))
    return parsed
  } finally {
    release()
  }
}

function estimate(message: string): number {
  return 2 * message.length + 50 * readLimits.parents + 8 * readLimits.fieldLength
}

async function readText<T extends keyof Parsed>(
  git: Git,
  repository: Repository,
  type: T,
  oid: string,
  maxMessageBytes: number,
): Promise<Parsed[T] | undefined> {
  if (!isOid(oid)) return undefined
  const info = await objectInfo(git, repository, oid)
  if (info?.type !== type) return undefined
  const { size } = info
  if (size > smallBytes) return readLarge(git, repository, { type, oid, size, maxMessageBytes })
  const object = await readObject(git, repository, oid)
  if (!object) return undefined
  return parsers[type](object.oid, object.content, maxMessageBytes) as Parsed[T]
}

/**
 * The commit with a full id; undefined if there is none, or the object has another type. Its
 * message is cut to 10 KiB.
 */
export function readCommit(
  git: Git,
  repository: Repository,
  oid: string,
): Promise<Commit | undefined> {
  return readText(git, repository, 'commit', oid, readLimits.listedMessageBytes)
}

/** Like `readCommit`, with up to 1 MiB of its message. */
export function readWholeCommit(
  git: Git,
  repository: Repository,
  oid: string,
): Promise<Commit | undefined> {
  return readText(git, repository, 'commit', oid, readLimits.messageBytes)
}

/** The annotated tag with a full id; see `readCommit`. */
export function readTag(git: Git, repository: Repository, oid: string): Promise<Tag | undefined> {
  return readText(git, repository, 'tag', oid, readLimits.listedMessageBytes)
}

/** Like `readTag`, with up to 1 MiB of its message. */
export function readWholeTag(
  git: Git,
  repository: Repository,
  oid: string,
): Promise<Tag | undefined> {
  return readText(git, repository, 'tag', oid, readLimits.messageBytes)
}

/**
 * The commits with these full ids, in order, with up to `maxMessageBytes` of each message; missing
 * ones are left out. For walks of whole histories, of at most a hundred commits at a time: only
 * large ones are cached.
 */
export async function readCommitsOnce(
  git: Git,
  repository: Repository,
  oids: readonly string[],
  { maxMessageBytes, background = false }: { maxMessageBytes: number; background?: boolean },
): Promise<Commit[]> {
  const ask = (command: 'info' | 'contents', oid: string) =>
    git.parts.objects.ask(repository.path, command, oid, { background })
  const infos = await Promise.all(oids.map((oid) => ask('info', oid)))
  const found = infos.flatMap((info) => (info?.type === 'commit' ? [info] : []))
  const small = await Promise.all(
    found.map(({ oid, size }) => (size <= smallBytes ? ask('contents', oid) : undefined)),
  )
  const commits: Commit[] = []
  for (const [index, { oid, size }] of found.entries()) {
    const content = small[index]?.content
    const commit = content
      ? parseCommit(oid, content, maxMessageBytes)
      : await readLarge(git, repository, { type: 'commit', oid, size, maxMessageBytes })
    if (commit) commits.push(commit)
  }
  return commits
}

/** Commits that are looked up at a time. */
const batch = 200

/**
 * The commits with these full ids, in order; missing ones are left out, and so are all from the one
 * on with which the commits, as git stores them, would exceed `maxBytes` together.
 */
export async function readCommits(
  git: Git,
  repository: Repository,
  oids: readonly string[],
  maxBytes: number,
): Promise<Commit[]> {
  const commits: Commit[] = []
  let bytes = 0
  for (let at = 0; at < oids.length; at += batch) {
    const part = oids.slice(at, at + batch)
    const infos = await Promise.all(part.map((oid) => objectInfo(git, repository, oid)))
    const over = infos.findIndex((info) => {
      bytes += info?.size ?? 0
      return bytes > maxBytes
    })
    const within = over < 0 ? part : part.slice(0, over)
    const read = await Promise.all(within.map((oid) => readCommit(git, repository, oid)))
    commits.push(...read.filter((commit) => commit !== undefined))
    if (over >= 0) break
    // Commits that are cached are read without a wait.
    await setImmediate()
  }
  return commits
}
