import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A branch or tag as stored in the repository's files. */
export interface StoredRef {
  /** In full: `refs/heads/main`. */
  ref: string
  oid: string
  /** The peeled object of a tag; null if it is not an annotated tag; undefined if unknown. */
  peeled: string | null | undefined
}

/** The branches and tags of a repository, and the folders with their files. */
export interface StoredRefs {
  /** By full name, in byte order. */
  refs: StoredRef[]
  folders: string[]
}

/** The folders and files below a folder of refs; names are bytes as latin1. */
interface Listing {
  folders: string[]
  files: string[]
}

const kinds = ['refs/heads', 'refs/tags']
/** Files to read concurrently. */
const batch = 64

async function list(path: string, folder: string): Promise<Listing> {
  const bytes = Buffer.from(join(path, '/'), 'utf8')
  const at = Buffer.concat([bytes, Buffer.from(folder, 'latin1')])
  const entries = await readdir(at, { withFileTypes: true, encoding: 'latin1' }).catch(() => [])
  const below = entries.filter((entry) => entry.isDirectory())
  const nested = await Promise.all(below.map(({ name }) => list(path, `${folder}/${name}`)))
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
    .map(({ name }) => `${folder}/${name}`)
  return {
    folders: [folder, ...nested.flatMap((found) => found.folders)],
    files: [...files, ...nested.flatMap((found) => found.files)],
  }
}

/**
 * The content of a ref's file; undefined if it no longer exists: git has moved it into packed-refs.
 */
async function readLoose(path: string, file: string): Promise<string | undefined> {
  const bytes = Buffer.concat([Buffer.from(join(path, '/'), 'utf8'), Buffer.from(file, 'latin1')])
  try {
    return (await readFile(bytes, 'latin1')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** False if a file contains something other than an id, which only git can interpret. */
async function addLoose(path: string, files: string[], found: Map<string, StoredRef>) {
  for (let start = 0; start < files.length; start += batch) {
    const names = files.slice(start, start + batch)
    const contents = await Promise.all(names.map((name) => readLoose(path, name)))
    for (const [index, oid] of contents.entries()) {
      const ref = names[index]
      if (oid === undefined || ref === undefined) continue
      if (!/^[0-9a-f]{40}$/.test(oid)) return false
      found.set(ref, { ref, oid, peeled: ref.startsWith('refs/tags/') ? undefined : null })
    }
  }
  return true
}

function addPacked(text: string, found: Map<string, StoredRef>): void {
  const fullyPeeled = /^# pack-refs with:.* fully-peeled /.test(text)
  let last: StoredRef | undefined
  for (const line of text.split('\n')) {
    if (line.startsWith('^')) {
      if (last) last.peeled = line.slice(1, 41)
      continue
    }
    const ref = line.slice(41)
    last = undefined
    if (line.startsWith('#') || !kinds.some((kind) => ref.startsWith(`${kind}/`))) continue
    // A loose ref takes precedence over a packed one.
    if (found.has(ref)) continue
    const known = fullyPeeled || ref.startsWith('refs/heads/')
    last = { ref, oid: line.slice(0, 40), peeled: known ? null : undefined }
    found.set(ref, last)
  }
}

/** `refs` and every folder below it with branches or tags. */
export async function listRefFolders(path: string): Promise<string[]> {
  const listings = await Promise.all(kinds.map((kind) => list(path, kind)))
  return ['refs', ...listings.flatMap((listing) => listing.folders).map(toText)]
}

function toText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/**
 * Reads branches and tags from git's own files (gitrepository-layout), without a git process.
 * Undefined if the files are not sufficient: no repository, symbolic or broken refs.
 */
export async function readRefFiles(path: string): Promise<StoredRefs | undefined> {
  if (!existsSync(join(path, 'refs'))) return undefined
  const listings = await Promise.all(kinds.map((kind) => list(path, kind)))
  const found = new Map<string, StoredRef>()
  // In this order: git writes packed-refs before it removes the files that are in it.
  const files = listings.flatMap((listing) => listing.files)
  if (!(await addLoose(path, files, found))) return undefined
  addPacked(await readLoose(path, 'packed-refs').then((text) => `${text ?? ''}\n`), found)
  const refs = [...found.values()].sort((a, b) => (a.ref < b.ref ? -1 : 1))
  return {
    refs: refs.map((entry) => ({ ...entry, ref: toText(entry.ref) })),
    folders: ['refs', ...listings.flatMap((listing) => listing.folders).map(toText)],
  }
}
