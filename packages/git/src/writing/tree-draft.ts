import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { readCommit } from '../history/history.ts'
import { cutTree } from '../parsing/tree-parser.ts'
import { readObject } from '../reading/object-reader.ts'
import { type NewObject, newObject } from './loose-objects.ts'

/** A file, symbolic link or submodule of a draft: as it was, or with a content yet to be written. */
export type Leaf =
  | { mode: string; oid: string; content?: undefined }
  | { mode: string; content: Buffer; oid?: undefined }

/** A folder whose entries are known. */
interface Folder {
  /** By the bytes of their names, as Latin-1: names need not be UTF-8. */
  items: Map<string, Leaf | Folder>
  /** Its own id, while nothing in it has changed. */
  oid: string | undefined
}

/** The tree of a commit that is being made; folders are read when somebody looks into them. */
export interface Draft {
  git: Git
  repository: Repository
  root: Folder
}

/** Where a path leads in a draft. */
export interface Place {
  /** The folders that are there, from the root down. */
  folders: Folder[]
  /** The steps that lead from each to the next, then those that lead nowhere yet. */
  steps: string[]
  /** What is at the path; undefined where nothing is. */
  found: Leaf | Folder | undefined
  /** The path of a file, link or submodule that is where a folder would have to be. */
  blockedBy?: string
}

const folderMode = '40000'

export function isFolder(item: Leaf | Folder | undefined): item is Folder {
  return item !== undefined && 'items' in item
}

/** Begins with the tree of a commit, or with nothing. @throws GitError `not_found`, `corrupt` */
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
  const object = await readObject(git, repository, oid)
  if (object?.type !== 'tree') throw new GitError('corrupt', `no tree ${oid}`)
  const { entries, whole } = cutTree(object.content, 'latin1')
  if (!whole) throw new GitError('corrupt', `a damaged tree ${oid}`)
  return { oid, items: new Map(entries.map(({ name, mode, oid }) => [name, { mode, oid }])) }
}

/** The folder behind an entry, read on the first look; undefined where it is none. */
async function enter(draft: Draft, parent: Folder, step: string): Promise<Folder | undefined> {
  const item = parent.items.get(step)
  if (item === undefined || isFolder(item)) return item
  if (item.mode !== folderMode || item.oid === undefined) return undefined
  const folder = await readFolder(draft, item.oid)
  parent.items.set(step, folder)
  return folder
}

/** Where a path leads. The path must be one that `isValidPath` accepts. */
export async function locate(draft: Draft, path: string): Promise<Place> {
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

/** Puts something at a place, which must not be blocked; folders on the way to it appear. */
export function put({ folders, steps }: Place, leaf: Leaf): void {
  let folder = change(folders)
  for (const step of steps.slice(folders.length - 1, -1)) {
    const below: Folder = { items: new Map(), oid: undefined }
    folder.items.set(step, below)
    folder = below
  }
  folder.items.set(steps.at(-1) ?? '', leaf)
}

/** Takes away what is at a place; folders that are empty then go too. */
export function drop({ folders, steps }: Place): void {
  change(folders)
  for (const [depth, folder] of [...folders.entries()].reverse()) {
    folder.items.delete(steps[depth] ?? '')
    if (folder.items.size > 0) return
  }
}

/** Marks folders as changed and gives the lowest. */
function change(folders: Folder[]): Folder {
  for (const folder of folders) folder.oid = undefined
  return folders.at(-1) ?? { items: new Map(), oid: undefined }
}

/** Appends what must be stored, the tree itself included, and gives the id of the tree. */
export function describeDraft({ root }: Draft, objects: NewObject[]): string {
  return describeFolder(root, objects)
}

function describeFolder(folder: Folder, objects: NewObject[]): string {
  if (folder.oid !== undefined) return folder.oid
  const entries = [...folder.items].map(([name, item]) => {
    if (isFolder(item)) return { name, mode: folderMode, oid: describeFolder(item, objects) }
    return { name, mode: item.mode, oid: item.oid ?? describeBlob(item.content, objects) }
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

function describeBlob(content: Buffer, objects: NewObject[]): string {
  const blob = newObject('blob', content)
  objects.push(blob)
  return blob.oid
}

/** Git orders names by their bytes, those of folders as if they ended with a slash. */
function sortKey({ name, mode }: { name: string; mode: string }): string {
  return mode === folderMode ? `${name}/` : name
}
