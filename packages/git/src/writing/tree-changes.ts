import { GitError } from '../git-error.ts'
import { isTreePath, isValidPath } from '../parsing/path-rules.ts'
import { isOid } from '../reading/object-reader.ts'
import { type Draft, drop, isFolder, type Leaf, locate, type Position, put } from './tree-draft.ts'

/** A file to write. Without `executable` an existing file keeps its mode. */
export interface FileWrite {
  /** Relative to the root of the repository. */
  path: string
  content: Buffer
  executable?: boolean
}

/** One change of a tree. Changes apply in order, each to the result of the previous ones. */
export type TreeChange =
  /** `must` is the required state of the path; without it the file is written either way. */
  | (FileWrite & { kind: 'write'; must?: 'exist' | 'be_absent' })
  | { kind: 'delete'; path: string }
  /** Moves a file, and replaces its content if one is given. `path` must not exist yet. */
  | { kind: 'rename'; from: string; path: string; content?: Buffer }
  | { kind: 'mode'; path: string; executable: boolean }
  /** Points an existing submodule at a commit, by its full id. */
  | { kind: 'submodule'; path: string; commit: string }

/**
 * Why a change can't apply: `path` is not allowed; `exists` already; `missing`; `folder` it is a
 * folder; `in_the_way` a file is at the path of a parent folder; `no_file` it is a submodule (or,
 * for `mode`, a symbolic link); `no_submodule`; `unchanged` the tree would stay the same.
 */
export type RefusedChange =
  | 'path'
  | 'exists'
  | 'missing'
  | 'folder'
  | 'in_the_way'
  | 'no_file'
  | 'no_submodule'
  | 'unchanged'

/** A change that can't apply; nothing was written. `path` is that of the change. */
export class TreeChangeError extends GitError {
  readonly reason: RefusedChange
  readonly path: string

  constructor(reason: RefusedChange, path: string) {
    super('invalid', `the tree cannot change (${reason}): ${path}`)
    this.reason = reason
    this.path = path
  }
}

const submoduleMode = '160000'
const modeOf = (executable: boolean) => (executable ? '100755' : '100644')

/** Applies one change to a draft. @throws TreeChangeError, GitError `corrupt` */
export async function applyChange(draft: Draft, change: TreeChange): Promise<void> {
  switch (change.kind) {
    case 'write':
      return write(draft, change)
    case 'delete':
      return drop((await findRemovable(draft, change.path)).position)
    case 'rename':
      return rename(draft, change)
    case 'mode':
      return setMode(draft, change)
    case 'submodule':
      return setSubmodule(draft, change)
  }
}

function resolve(draft: Draft, path: string): Promise<Position> {
  if (!isValidPath(path)) throw new TreeChangeError('path', path)
  return locate(draft, path)
}

/** An item that is no folder, and where it is. */
interface Found {
  position: Position
  leaf: Leaf
}

/** The item at a path, which must not be a folder. */
async function find(draft: Draft, path: string): Promise<Found> {
  return requireLeaf(await resolve(draft, path), path, 'missing')
}

/**
 * The item at a path, which may be one that nothing could be written at: a push can bring such names,
 * and to take them away is safe.
 */
async function findRemovable(draft: Draft, path: string): Promise<Found> {
  if (isValidPath(path) || !isTreePath(path)) return find(draft, path)
  return requireLeaf(await locate(draft, path), path, 'path')
}

function requireLeaf(position: Position, path: string, ifMissing: 'missing' | 'path'): Found {
  const { found } = position
  if (found === undefined) throw new TreeChangeError(ifMissing, path)
  if (isFolder(found)) throw new TreeChangeError('folder', path)
  return { position, leaf: found }
}

/** A path where nothing exists yet. */
async function requireFree(draft: Draft, path: string): Promise<Position> {
  const position = await resolve(draft, path)
  if (isFolder(position.found)) throw new TreeChangeError('folder', path)
  if (position.found !== undefined) throw new TreeChangeError('exists', path)
  if (position.blockedBy !== undefined) throw new TreeChangeError('in_the_way', position.blockedBy)
  return position
}

async function write(draft: Draft, change: TreeChange & { kind: 'write' }): Promise<void> {
  const { path, content, executable, must } = change
  const isNew = must !== 'exist' && (await resolve(draft, path)).found === undefined
  if (must === 'be_absent' || isNew) {
    put(await requireFree(draft, path), { mode: modeOf(executable ?? false), content })
    return
  }
  const { position, leaf } = await find(draft, path)
  if (leaf.mode === submoduleMode) throw new TreeChangeError('no_file', path)
  put(position, { mode: executable === undefined ? leaf.mode : modeOf(executable), content })
}

async function rename(draft: Draft, change: TreeChange & { kind: 'rename' }): Promise<void> {
  const { from, path, content } = change
  const { position, leaf } = await findRemovable(draft, from)
  if (from === path) throw new TreeChangeError('exists', path)
  if (content && leaf.mode === submoduleMode) throw new TreeChangeError('no_file', from)
  drop(position)
  put(await requireFree(draft, path), content ? { mode: leaf.mode, content } : leaf)
}

async function setMode(draft: Draft, change: TreeChange & { kind: 'mode' }): Promise<void> {
  const { path, executable } = change
  const { position, leaf } = await find(draft, path)
  if (!leaf.mode.startsWith('100')) throw new TreeChangeError('no_file', path)
  put(position, { ...leaf, mode: modeOf(executable) })
}

async function setSubmodule(draft: Draft, change: TreeChange & { kind: 'submodule' }) {
  const { path, commit } = change
  if (!isOid(commit)) throw new GitError('invalid', 'a full object id is required')
  const position = await resolve(draft, path)
  const { found } = position
  if (isFolder(found) || found?.mode !== submoduleMode) {
    throw new TreeChangeError('no_submodule', path)
  }
  put(position, { mode: submoduleMode, oid: commit })
}
