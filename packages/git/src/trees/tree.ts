import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { indexTree, type TreeIndex } from '../parsing/tree-index.ts'
import { parseListedEntry, type TreeEntry } from '../parsing/tree-parser.ts'
import { isOid, readObject } from '../reading/object-reader.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { readCommit } from '../reading/text-object.ts'
import { type ListingLimits, walkListing } from './tree-listing.ts'

/** A folder at a commit. */
export interface TreeQuery {
  /** Full id. */
  commit: string
  /** Relative to the root; empty for the root itself. Leading and trailing slashes are ignored. */
  path?: string
}

/** Which entries of a listing to return. */
export interface TreeRange {
  skip: number
  limit: number
}

/** One page of everything below a folder. */
export interface TreePageQuery extends TreeQuery, TreeRange {
  limits: ListingLimits
}

/** Some of the entries of a listing, and how many there are. */
export interface TreePage {
  entries: TreeEntry[]
  total: number
}

/** A file with its content, which is shared with the cache: don't modify it. */
export interface BlobFile extends TreeEntry {
  size: number
  content: Buffer
}

/** A file and its size in bytes. */
export interface BlobSize {
  path: string
  oid: string
  size: number
  mode: string
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(Boolean)
}

async function indexOf(
  git: Git,
  repository: Repository,
  { oid, path }: Pick<TreeEntry, 'oid' | 'path'>,
): Promise<TreeIndex | undefined> {
  const key = `${git.parts.scopeOf(repository.path)}tree ${oid} ${path}`
  const known = git.parts.cache.get(key) as TreeIndex | undefined
  if (known) return known
  const object = await readObject(git, repository, oid, { uncached: true })
  if (object?.type !== 'tree') return undefined
  const index = indexTree(object.content, path)
  git.parts.cache.set(key, index, index.bytes)
  return index
}

async function rootOf(git: Git, repository: Repository, commit: string) {
  const oid = (await readCommit(git, repository, commit))?.tree
  return oid ? { oid, name: '', type: 'tree' as const, path: '', mode: '040000' } : undefined
}

/** The entry at a path of a commit; the root is a tree with an empty name. */
export async function findEntry(
  git: Git,
  repository: Repository,
  commit: string,
  path: string,
): Promise<TreeEntry | undefined> {
  let entry: TreeEntry | undefined = await rootOf(git, repository, commit)
  for (const segment of segmentsOf(path)) {
    if (entry?.type !== 'tree') return undefined
    const index = await indexOf(git, repository, entry)
    entry = index?.find(segment)
  }
  return entry
}

/**
 * Lists one page of the entries of a folder: folders, files, submodules, each by name. Undefined if
 * the commit has no such folder. Costs no process.
 * @throws GitError `output_limit` for a folder of over `maxObjectBytes`.
 */
export async function listTree(
  git: Git,
  repository: Repository,
  { commit, path = '', skip, limit }: TreeQuery & TreeRange,
): Promise<TreePage | undefined> {
  const tree = await findEntry(git, repository, commit, path)
  if (tree?.type !== 'tree') return undefined
  const index = await indexOf(git, repository, tree)
  return index && { entries: index.slice(skip, skip + limit), total: index.length }
}

/**
 * Lists the files in the root of a commit whose names start with an ASCII text, in lower case,
 * whatever case they have.
 */
export async function listRootFiles(
  git: Git,
  repository: Repository,
  { commit, prefix }: { commit: string; prefix: string },
): Promise<TreeEntry[]> {
  const root = await rootOf(git, repository, commit)
  const index = root && (await indexOf(git, repository, root))
  return index?.startingWith(prefix).filter(({ type }) => type === 'blob') ?? []
}

/** The start of everything below a folder; all of it, if it is as long as `total`. */
interface ListingHead {
  entries: TreeEntry[]
  total: number
}

/** Bytes of a head in memory, about 10,000 entries. */
const maxHeadBytes = 4 * 1024 * 1024

function bytesOf({ path }: TreeEntry): number {
  return 300 + 3 * path.length
}

/**
 * Lists one page of everything below a folder, in git's own order. Undefined if the commit has no
 * such folder. Costs a process once; far pages of a large folder cost one each.
 * @throws GitError `output_limit`, `memory_limit`, `timeout`.
 */
export async function listBelow(
  git: Git,
  repository: Repository,
  { commit, path = '', skip, limit, limits }: TreePageQuery,
): Promise<TreePage | undefined> {
  const tree = await findEntry(git, repository, commit, path)
  if (tree?.type !== 'tree') return undefined
  const { entries, total } = await headOf(git, repository, tree, limits)
  const end = Math.min(skip + limit, total)
  if (end <= entries.length) return { entries: entries.slice(skip, end), total }
  const window = await readSlowly(git, repository, {
    key: `below ${tree.oid} ${tree.path} ${skip} ${limit}`,
    read: () => readWindow(git, repository, tree, { skip, end, limits }),
  })
  return { entries: window, total }
}

/** The same folder is at as many paths as a hostile commit has room for. */
function failureOf({ oid }: TreeEntry, limits: ListingLimits): string {
  return `below ${oid} ${JSON.stringify(limits)}`
}

async function headOf(
  git: Git,
  repository: Repository,
  tree: TreeEntry,
  limits: ListingLimits,
): Promise<ListingHead> {
  const name = `below ${tree.oid} ${tree.path}`
  const key = git.parts.scopeOf(repository.path) + name
  const known = git.parts.cache.get(key) as ListingHead | undefined
  if (known) return known
  return readSlowly(git, repository, {
    key: `${name} ${JSON.stringify(limits)}`,
    failureKey: failureOf(tree, limits),
    read: async () => {
      const { head, bytes } = await readHead(git, repository, tree, limits)
      git.parts.cache.set(key, head, bytes)
      return head
    },
  })
}

async function readHead(
  git: Git,
  repository: Repository,
  tree: TreeEntry,
  limits: ListingLimits,
): Promise<{ head: ListingHead; bytes: number }> {
  const head: ListingHead = { entries: [], total: 0 }
  let bytes = 0
  const visit = (line: Buffer) => {
    head.total += 1
    const entry = bytes < maxHeadBytes ? parseListedEntry(line, tree.path) : undefined
    if (entry === undefined) return
    bytes += bytesOf(entry)
    head.entries.push(entry)
  }
  await walkListing(git, repository, { args: [tree.oid], limits, visit })
  return { head, bytes }
}

async function readWindow(
  git: Git,
  repository: Repository,
  tree: TreeEntry,
  { skip, end, limits }: { skip: number; end: number; limits: ListingLimits },
): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = []
  let at = 0
  const visit = (line: Buffer) => {
    const entry = at >= skip ? parseListedEntry(line, tree.path) : undefined
    if (entry) entries.push(entry)
    at += 1
    return at < end
  }
  await walkListing(git, repository, { args: [tree.oid], limits, visit })
  return entries
}

/**
 * A file at a commit with its content; undefined if there is none or it is not a file.
 * @throws GitError `output_limit` over `maxObjectBytes`: find the entry and use `streamBlob`.
 */
export async function readBlob(
  git: Git,
  repository: Repository,
  commit: string,
  path: string,
): Promise<BlobFile | undefined> {
  const entry = await findEntry(git, repository, commit, path)
  if (entry?.type !== 'blob') return undefined
  const object = await readObject(git, repository, entry.oid)
  return object && { ...entry, size: object.size, content: object.content }
}

/** All files of a commit (or tree), one by one. */
export interface BlobWalk {
  limits: ListingLimits
  visit(file: BlobSize): unknown
}

/**
 * Visits all files of a commit (or tree) with their sizes, symbolic links included; not cached.
 * @throws GitError `output_limit`, `memory_limit`, `timeout`.
 */
export async function walkBlobs(
  git: Git,
  repository: Repository,
  oid: string,
  { limits, visit }: BlobWalk,
): Promise<void> {
  if (!isOid(oid)) throw new GitError('invalid', 'a full object id is required')
  const read = (line: Buffer) => {
    const entry = parseListedEntry(line, '')
    if (entry?.type !== 'blob') return
    const { path, oid, size = 0, mode } = entry
    visit({ path, oid, size, mode })
  }
  await walkListing(git, repository, { args: ['-l', oid], limits, visit: read })
}
