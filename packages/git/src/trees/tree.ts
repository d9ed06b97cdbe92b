import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { readCommit } from '../history/history.ts'
import { byKind, parseTree, type TreeEntry } from '../parsing/tree-parser.ts'
import { isOid, readObject } from '../reading/object-reader.ts'
import { readListing } from './tree-listing.ts'

/** A folder at a commit. */
export interface TreeQuery {
  /** Full id. */
  commit: string
  /** Relative to the root; empty for the root itself. Leading and trailing slashes are ignored. */
  path?: string
  /** Recursively, in git's own order. */
  recursive?: boolean
}

/** A file with its content, which is shared with the cache: don't modify it. */
export interface BlobFile extends TreeEntry {
  size: number
  content: Buffer
}

/** A file and its size in bytes. */
export interface BlobSize {
  path: string
  size: number
  mode: string
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(Boolean)
}

async function entriesOf(git: Git, repository: Repository, tree: string, folder: string) {
  const key = `${git.parts.scopeOf(repository.path)}tree ${tree} ${folder}`
  const known = git.parts.cache.get(key) as TreeEntry[] | undefined
  if (known) return known
  const object = await readObject(git, repository, tree)
  if (object?.type !== 'tree') return undefined
  const entries = parseTree(object.content, folder)
  git.parts.cache.set(key, entries, 200 * entries.length)
  return entries
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
    const entries = await entriesOf(git, repository, entry.oid, entry.path)
    entry = entries?.find(({ name }) => name === segment)
  }
  return entry
}

async function listBelow(git: Git, repository: Repository, tree: TreeEntry): Promise<TreeEntry[]> {
  const key = `${git.parts.scopeOf(repository.path)}below ${tree.oid} ${tree.path}`
  const known = git.parts.cache.get(key) as TreeEntry[] | undefined
  if (known) return known
  const entries = await readListing(git, repository, ['-t', tree.oid], tree.path)
  const bytes = entries.reduce((sum, { path }) => sum + 300 + 3 * path.length, 0)
  git.parts.cache.set(key, entries, bytes)
  return entries
}

/**
 * Lists the entries of a folder: folders, files, submodules, each by name; or with `recursive`
 * everything below it in git's order. Undefined if the commit has no such folder. A folder costs no
 * process; a recursive listing costs one, once.
 * @throws GitError `output_limit` over 128 MiB.
 */
export async function listTree(
  git: Git,
  repository: Repository,
  query: TreeQuery,
): Promise<TreeEntry[] | undefined> {
  const tree = await findEntry(git, repository, query.commit, query.path ?? '')
  if (tree?.type !== 'tree') return undefined
  if (query.recursive) return listBelow(git, repository, tree)
  const entries = await entriesOf(git, repository, tree.oid, tree.path)
  return entries && byKind(entries)
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

/** Lists all files of a commit (or tree) with their sizes, symbolic links included; not cached. */
export async function listBlobSizes(
  git: Git,
  repository: Repository,
  oid: string,
): Promise<BlobSize[]> {
  if (!isOid(oid)) throw new GitError('invalid', 'a full object id is required')
  const entries = await readListing(git, repository, ['-l', oid])
  return entries.flatMap(({ type, path, size = 0, mode }) =>
    type === 'blob' ? [{ path, size, mode }] : [],
  )
}
