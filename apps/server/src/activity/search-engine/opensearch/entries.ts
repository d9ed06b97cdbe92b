import { createHash } from 'node:crypto'
import { foldedText } from '@stithy/store'
import type { IndexChanges, IndexedPart } from '../search-engine.ts'

/** What is written of one document: its content, or null to delete it. */
export interface EntryWrite {
  id: string
  content: object | null
}

/** The document of a repository. Ids need no escape in a path. */
export function sourceId({ projectId, kind }: IndexedPart): string {
  return `source-${projectId}-${kind}`
}

function fileId({ projectId, kind }: IndexedPart, path: string): string {
  return `file-${projectId}-${kind}-${createHash('sha256').update(path).digest('base64url')}`
}

function commitId({ projectId }: IndexedPart, oid: string): string {
  return `commit-${projectId}-${oid}`
}

/** Places among the entries of one millisecond. */
const placesPerMs = 4096

/** The writes of changes; what comes later in a list is found first. */
export function writesOf(part: IndexedPart, changes: IndexChanges, now: number): EntryWrite[] {
  const { projectId, kind } = part
  const { paths, files, removedCommits, commits } = changes
  const common = { projectId, kind }
  let order = now * placesPerMs
  const added = new Set(files.map(({ path }) => path))
  const removed = [
    ...paths.filter((path) => !added.has(path)).map((path) => fileId(part, path)),
    ...removedCommits.map((oid) => commitId(part, oid)),
  ]
  return [
    ...removed.map((id) => ({ id, content: null })),
    ...files.map(({ path, oid, pathText, content }) => ({
      id: fileId(part, path),
      content: {
        type: 'file',
        ...common,
        order: order++,
        oid,
        path: clean(path),
        pathText: clean(pathText),
        // Decoded when it is written, and left out if there is none.
        get text() {
          return content === null ? undefined : clean(foldedText(content))
        },
      },
    })),
    ...commits.map(({ oid, text }) => {
      const content = { type: 'commit', ...common, order: order++, oid, message: clean(text) }
      return { id: commitId(part, oid), content }
    }),
  ]
}

/** JSON parsers refuse halves of surrogate pairs. */
function clean(text: string): string {
  return text.toWellFormed()
}

/** Bytes of a request that writes, unless a single entry has more. */
const maxRequestBytes = 4 * 1024 * 1024

/**
 * The bodies of requests that write entries with a version: those that were written with a later one
 * stay as they are.
 */
export function* bulkBodies(writes: readonly EntryWrite[], version: number): Generator<string> {
  const versioned = { version, version_type: 'external_gte' }
  let lines: string[] = []
  let bytes = 0
  for (const { id, content } of writes) {
    const action = content === null ? 'delete' : 'index'
    const header = `${JSON.stringify({ [action]: { _id: id, ...versioned } })}\n`
    const text = content === null ? header : `${header}${JSON.stringify(content)}\n`
    const size = Buffer.byteLength(text)
    if (bytes + size > maxRequestBytes && bytes > 0) {
      yield lines.join('')
      lines = []
      bytes = 0
    }
    lines.push(text)
    bytes += size
  }
  if (bytes > 0) yield lines.join('')
}
