import { Readable } from 'node:stream'
import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { streamIn } from '../stream.ts'
import type { ObjectType } from './cat-file-parser.ts'
import { streamTo } from './open-output.ts'
import { readLimits } from './read-limits.ts'

/** Type and size of an object. */
export interface ObjectInfo {
  /** Full, lower case. */
  oid: string
  type: ObjectType
  /** Bytes of the content. */
  size: number
}

/** An object with its content, which is shared with the cache: don't modify it. */
export interface GitObject extends ObjectInfo {
  content: Buffer
}

/** Objects over this size (8 MiB) are never held in memory: use `streamBlob` for them. */
export const maxObjectBytes = readLimits.objectBytes

const fullOid = /^[0-9a-f]{40}$/
const maxRevLength = 4096

/** Whether a text is a full object id. */
export function isOid(text: string): boolean {
  return fullOid.test(text)
}

function isValidRevision(rev: string): boolean {
  if (rev === '' || rev.length > maxRevLength || rev.startsWith('-')) return false
  return !rev.includes('\n') && !rev.includes('\0')
}

function cached(git: Git, key: string): ObjectInfo & { content?: Buffer } {
  return git.parts.cache.get(key) as GitObject
}

function keyOf(git: Git, repository: Repository, oid: string): string {
  return git.parts.scopeOf(repository.path) + oid
}

/**
 * Type and size of the object that a revision resolves to; undefined if there is no such object or
 * the revision is invalid (empty, a leading dash, a line break).
 */
export async function objectInfo(
  git: Git,
  repository: Repository,
  rev: string,
): Promise<ObjectInfo | undefined> {
  if (!isValidRevision(rev)) return undefined
  const known = isOid(rev) ? cached(git, keyOf(git, repository, rev)) : undefined
  if (known) return { oid: known.oid, type: known.type, size: known.size }
  const key = keyOf(git, repository, '')
  const info = await git.parts.objects.ask(repository.path, 'info', rev)
  if (info && isOid(rev)) git.parts.cache.set(key + info.oid, info, 0)
  return info
}

/** How an object is read. */
export interface ReadOptions {
  /** Whether its content is not to be cached: what is parsed of it is. */
  uncached?: boolean
}

/**
 * The object that a revision resolves to, undefined as with `objectInfo`. Immutable objects come
 * from the cache.
 * @throws GitError `output_limit` for an object over `maxObjectBytes`, `corrupt` for a damaged one,
 * `not_found` if there is no repository.
 */
export async function readObject(
  git: Git,
  repository: Repository,
  rev: string,
  { uncached = false }: ReadOptions = {},
): Promise<GitObject | undefined> {
  // The scope is read before the first await: a repository may be forgotten in the meantime.
  const scope = keyOf(git, repository, '')
  const info = await objectInfo(git, repository, rev)
  if (!info) return undefined
  const known = cached(git, scope + info.oid)
  if (known?.content) return known as GitObject
  if (info.size > maxObjectBytes) {
    throw new GitError('output_limit', `object ${info.oid} has ${info.size} bytes`)
  }
  const answer = await git.parts.objects.ask(repository.path, 'contents', info.oid)
  if (!answer?.content) return undefined
  if (!uncached) git.parts.cache.set(scope + answer.oid, answer, answer.content.length)
  return answer as GitObject
}

/** Which bytes of a blob are streamed, and when that ends early. */
export interface BlobStreaming {
  /** The first and the last byte; all without it. */
  range?: { start: number; end: number } | undefined
  /** Ends git when it is aborted. */
  signal?: AbortSignal
  /** Milliseconds that the reader may take for each chunk; default: any time. */
  stallMs?: number
}

/**
 * Streams the content of a blob of any size, by its full oid, without holding it completely. The
 * stream fails with a GitError; destroying it ends git.
 */
export function streamBlob(
  git: Git,
  repository: Repository,
  oid: string,
  { range, stallMs, ...options }: BlobStreaming = {},
): Readable {
  if (!isOid(oid)) throw new GitError('invalid', 'a full object id is required')
  const all = streamIn(git, repository, ['cat-file', 'blob', oid], options)
  const chunks = range === undefined ? all : part(all, range)
  if (stallMs !== undefined) return streamTo(chunks, stallMs, 'file')
  return Readable.from(chunks, { objectMode: false })
}

/** Git can't skip what is before a part, but needn't read what is after it. */
async function* part(
  chunks: AsyncGenerator<Buffer, void>,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer, void> {
  let position = 0
  for await (const chunk of chunks) {
    const wanted = chunk.subarray(Math.max(0, start - position), end + 1 - position)
    position += chunk.length
    if (wanted.length > 0) yield wanted
    if (position > end) return
  }
}
