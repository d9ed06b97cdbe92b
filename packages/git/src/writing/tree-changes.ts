import { GitError } from '../git-error.ts'
import { isValidPath } from '../parsing/path-rules.ts'
import { isOid } from '../reading/object-reader.ts'
import { type Draft, drop, isFolder, type Leaf, locate, type Place, put } from './tree-draft.ts'

/** A file to write. Without `executable` an existing file keeps its mode. */
export interface FileWrite {
  /** From the root of the repository. */
  path: string
  content: Buffer
  executable?: boolean
}

/** One change of a tree. Changes apply in their order, each to what the ones before it left. */
export type TreeChange =
  /** `must` says what there has to be at the path; without it the file is written either way. */
  | (FileWrite & { kind: 'write'; must?: 'exist' | 'be_absent' })
  | { kind: 'delete'; path: string }
  /** Moves a file, to the given content where there is one. Nothing may be at `path` yet. */
  | { kind: 'rename'; from: string; path: string; content?: Buffer }
  | { kind: 'mode'; path: string; executable: boolean }
  /** Points an existing submodule at a commit, by its full id. */
  | { kind: 'submodule'; path: string; commit: string }

/**
 * Why a change cannot apply: `path` nothing may be written there; `exists` a file is there; `missing` none
 * is; `folder` a folder is there; `in_the_way` a file is where a folder would have to be; `no_file` it is a
 * submodule (or, for `mode`, a symbolic link); `no_submodule`; `unchanged` the tree stays as it was.
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

/** A change that cannot apply; nothing was written. `path` is the one that is at fault. */
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
      return drop((await find(draft, change.path)).place)
    case 'rename':
      return rename(draft, change)
    case 'mode':
      return setMode(draft, change)
    case 'submodule':
      return setSubmodule(draft, change)
  }
}

function look(draft: Draft, path: string): Promise<Place> {
  if (!isValidPath(path)) throw new TreeChangeError('path', path)
  return locate(draft, path)
}

/** What is at a path, which must be something other than a folder. */
async function find(draft: Draft, path: string): Promise<{ place: Place; leaf: Leaf }> {
  const place = await look(draft, path)
  if (place.found === undefined) throw new TreeChangeError('missing', path)
  if (isFolder(place.found)) throw new TreeChangeError('folder', path)
  return { place, leaf: place.found }
}

/** A place where nothing is yet. */
async function findRoom(draft: Draft, path: string): Promise<Place> {
  const place = await look(draft, path)
  if (isFolder(place.found)) throw new TreeChangeError('folder', path)
  if (place.found !== undefined) throw new TreeChangeError('exists', path)
  if (place.blockedBy !== undefined) throw new TreeChangeError('in_the_way', place.blockedBy)
  return place
}

async function write(draft: Draft, change: TreeChange & { kind: 'write' }): Promise<void> {
  const { path, content, executable, must } = change
  const isNew = must !== 'exist' && (await look(draft, path)).found === undefined
  if (must === 'be_absent' || isNew) {
    put(await findRoom(draft, path), { mode: modeOf(executable ?? false), content })
    return
  }
  const { place, leaf } = await find(draft, path)
  if (leaf.mode === submoduleMode) throw new TreeChangeError('no_file', path)
  put(place, { mode: executable === undefined ? leaf.mode : modeOf(executable), content })
}

async function rename(draft: Draft, change: TreeChange & { kind: 'rename' }): Promise<void> {
  const { from, path, content } = change
  const { place, leaf } = await find(draft, from)
  if (from === path) throw new TreeChangeError('exists', path)
  if (content && leaf.mode === submoduleMode) throw new TreeChangeError('no_file', from)
  drop(place)
  put(await findRoom(draft, path), content ? { mode: leaf.mode, content } : leaf)
}

async function setMode(draft: Draft, change: TreeChange & { kind: 'mode' }): Promise<void> {
  const { path, executable } = change
  const { place, leaf } = await find(draft, path)
  if (!leaf.mode.startsWith('100')) throw new TreeChangeError('no_file', path)
  put(place, { ...leaf, mode: modeOf(executable) })
}

async function setSubmodule(draft: Draft, change: TreeChange & { kind: 'submodule' }) {
  const { path, commit } = change
  if (!isOid(commit)) throw new GitError('invalid', 'a full object id is needed')
  const place = await look(draft, path)
  const { found } = place
  if (isFolder(found) || found?.mode !== submoduleMode) {
    throw new TreeChangeError('no_submodule', path)
  }
  put(place, { mode: submoduleMode, oid: commit })
}
