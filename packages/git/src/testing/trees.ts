import { join } from 'node:path'
import type { Work } from './fixture.ts'

/** Entries of a tree by path, of which each character is a byte: paths need not be UTF-8. */
export type TreeFiles = ReadonlyMap<string, { mode: string; oid: string }>

let built = 0

/** Writes a tree with these entries, without a work tree, and returns its id. */
export function writeTree(work: Work, files: TreeFiles): string {
  built += 1
  const env = { GIT_INDEX_FILE: join(work.repository.path, `index-${built}`) }
  const lines = [...files].map(([path, { mode, oid }]) => `${mode} ${oid}\t${path}\0`)
  work.run(['update-index', '-z', '--index-info'], Buffer.from(lines.join(''), 'latin1'), env)
  return work.run(['write-tree', '--missing-ok'], undefined, env)
}

/** Stores a blob and returns its id. */
export function writeBlob(work: Work, content: string | Buffer): string {
  return work.run(['hash-object', '-w', '--stdin'], content)
}
