import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { splitTree } from '../parsing/tree-parser.ts'
import { readObject } from '../reading/object-reader.ts'
import { readCommit } from '../reading/text-object.ts'
import { type NewObject, newObject } from './loose-objects.ts'

/** A file, symbolic link or submodule of a draft: unchanged, or with a content to write. */
export type Leaf =
  | { mode: string; oid: string; content?: undefined }
  | { mode: string; content: Buffer; oid?: undefined }

/** A folder whose entries are loaded. */
interface Folder {
  /** By name in Latin-1: names need not be UTF-8. */
  items: Map<string, Leaf | Folder>
  /** Its own id, while it is unchanged. */
  oid: string | undefined
}

/** The tree of a new commit; folders are loaded on demand. */
export interface Draft {
  git: Git
  repository: Repository
  root: Folder
}

/** The resolved position of a path in a draft. */
export interface Position {
  /** The existing folders, from the root down. */
  folders: Folder[]
  /** The names from each folder to the next, then those that don't exist yet. */
  steps: string[]
  /** The item at the path; undefined if there is none. */
  found: Leaf | Folder | undefined
  /** The path of a file, link or submodule where a parent folder would have to be. */
  blockedBy?: string
}

const folderMode = '40000'

export function isFolder(item: Leaf | Folder | undefined): item is Folder {
  return item !== undefined && 'items' in item
}

/** Starts with the tree of a commit, or with nothing. @throws GitError `not_found`, `corrupt` */
export async function openDraft(
  git: Git,
  repository: Repository,
  base: string | undefined,
): Promise<Draft> {
  const draft: Draft = { git, repository, root: { items: new Map(), oid: undefined } }
  if (base === undefined) return draft
  const commit = await readCommit(git, repository, base)
  if (!commit) throw new GitError('not_found', `no commit ${base}`)
  return { ...draft, root: await readFolder(draft, commit.tree) }
}

async function readFolder({ git, repository }: Draft, oid: string): Promise<Folder> {
  const object = await readObject(git, repository, oid, { uncached: true })
  if (object?.type !== 'tree') throw new GitError('corrupt', `no tree ${oid}`)
  const { entries, whole } = splitTree(object.content)
  if (!whole) throw new GitError('corrupt', `damaged tree ${oid}`)
  return { oid, items: new Map(entries.map(({ name, mode, oid }) => [name, { mode, oid }])) }
}

/** The folder behind an entry, loaded on first access; undefined if it isn't one. */
async function enter(draft: Draft, parent: Folder, step: string): Promise<Folder | undefined> {
  const item = parent.items.get(step)
  if (item === undefined || isFolder(item)) return item
  if (item.mode !== folderMode || item.oid === undefined) return undefined
  const folder = await readFolder(draft, item.oid)
  parent.items.set(step, folder)
  return folder
}

/** Resolves a path, which must satisfy `isTreePath`. */
export async function locate(draft: Draft, path: string): Promise<Position> {
  const steps = path.split('/').map((step) => Buffer.from(step).toString('latin1'))
  const folders = [draft.root]
  let folder = draft.root
  for (const [depth, step] of steps.entries()) {
    const below = await enter(draft, folder, step)
    const isLast = depth === steps.length - 1
    const found = below ?? folder.items.get(step)
    if (isLast || found === undefined) return { folders, steps, found: isLast ? found : undefined }
    if (below === undefined) {
      const blockedBy = path
        .split('/')
        .slice(0, depth + 1)
        .join('/')
      return { folders, steps, found: undefined, blockedBy }
    }
    folders.push(below)
    folder = below
  }
  return { folders, steps, found: undefined }
}

/** Sets the item at a position, which must not be blocked; creates missing parent folders. */
export function put({ folders, steps }: Position, leaf: Leaf): void {
  let folder = change(folders)
  for (const step of steps.slice(folders.length - 1, -1)) {
    const below: Folder = { items: new Map(), oid: undefined }
    folder.items.set(step, below)
    folder = below
  }
  folder.items.set(steps.at(-1) ?? '', leaf)
}

/** Removes the item at a position, and parent folders that become empty. */
export function drop({ folders, steps }: Position): void {
  change(folders)
  for (const [depth, folder] of [...folders.entries()].reverse()) {
    folder.items.delete(steps[depth] ?? '')
    if (folder.items.size > 0) return
  }
}

/** Marks folders as changed and returns the deepest one. */
function change(folders: Folder[]): Folder {
  for (const folder of folders) folder.oid = undefined
  return folders.at(-1) ?? { items: new Map(), oid: undefined }
}

/** Appends the objects to store, the tree itself included, and returns the id of the tree. */
export function serializeDraft({ root }: Draft, objects: NewObject[]): string {
  return serializeFolder(root, objects)
}

function serializeFolder(folder: Folder, objects: NewObject[]): string {
  if (folder.oid !== undefined) return folder.oid
  const entries = [...folder.items].map(([name, item]) => {
    if (isFolder(item)) return { name, mode: folderMode, oid: serializeFolder(item, objects) }
    return { name, mode: item.mode, oid: item.oid ?? serializeBlob(item.content, objects) }
  })
  const lines = entries
    .toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    .flatMap(({ mode, name, oid }) => [
      Buffer.from(`${mode} ${name}\0`, 'latin1'),
      Buffer.from(oid, 'hex'),
    ])
  const tree = newObject('tree', Buffer.concat(lines))
  objects.push(tree)
  return tree.oid
}

function serializeBlob(content: Buffer, objects: NewObject[]): string {
  const blob = newObject('blob', content)
  objects.push(blob)
  return blob.oid
}

/** Git sorts names by their bytes, those of folders as if they ended with a slash. */
function sortKey({ name, mode }: { name: string; mode: string }): string {
  return mode === folderMode ? `${name}/` : name
}
