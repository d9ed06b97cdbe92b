import { type ChangedBlob, changedBlobs, type Repository } from '@stithy/git'
import type { SearchedFile, SearchSourceKind } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { IndexChanges } from '../search-engine/search-engine.ts'
import type { IndexedRange } from './indexed-range.ts'
import { readText, searchedPath } from './searched-text.ts'

/** Files of one step. */
const maxFiles = 256
/** Characters of one step, from which it gets no further file. */
const maxCharacters = 1024 * 1024
/** Files that are read at the same time. */
const readAtOnce = 8
/** Longer paths are not indexed: PostgreSQL's index takes no more, and nobody has them. */
const maxPathBytes = 2000

interface Draft {
  paths: Set<string>
  added: Map<string, SearchedFile>
  characters: number
}

/** Reads the files that changed, in batches of one step. */
export async function* fileBatches(
  app: App,
  repository: Repository,
  { kind, from, to, signal }: IndexedRange,
): AsyncGenerator<IndexChanges, void> {
  let draft = emptyDraft()
  const { tree, search } = app.config.codeLimits
  // Of more changes, those of the whole repository are counted before any of them is read.
  const maxEntries = from === null ? tree.maxEntries : search.maxChanges
  const changes = changedBlobs(app.git, repository, { from, to, maxEntries, signal })
  for await (const changed of changes) {
    const blobs = changed.filter(({ path }) => Buffer.byteLength(path) <= maxPathBytes)
    for (let at = 0; at < blobs.length; at += readAtOnce) {
      signal.throwIfAborted()
      const some = blobs.slice(at, at + readAtOnce)
      const files = await Promise.all(some.map((blob) => readFile(app, repository, kind, blob)))
      for (const [index, { path }] of some.entries()) add(draft, path, files[index])
      if (!isFull(draft)) continue
      yield changesOf(draft)
      draft = emptyDraft()
    }
  }
  yield changesOf(draft)
}

function emptyDraft(): Draft {
  return { paths: new Set(), added: new Map(), characters: 0 }
}

function isFull({ paths, characters }: Draft): boolean {
  return paths.size >= maxFiles || characters >= maxCharacters
}

/** Undefined for a deleted file. */
async function readFile(
  app: App,
  repository: Repository,
  kind: SearchSourceKind,
  { path, oid }: ChangedBlob,
): Promise<SearchedFile | undefined> {
  if (oid === null) return undefined
  const text = await readText(app, repository, oid)
  return { path, oid, pathText: searchedPath(kind, path), text: text?.toLowerCase() ?? null }
}

/** Paths that are not UTF-8 may be the same in Unicode: the last one stays. */
function add(draft: Draft, path: string, file: SearchedFile | undefined): void {
  // An interrupted run may have added it already.
  draft.paths.add(path)
  if (file === undefined) return
  draft.added.set(path, file)
  draft.characters += file.text?.length ?? 0
}

function changesOf({ paths, added }: Draft): IndexChanges {
  return { paths: [...paths], files: [...added.values()], removedCommits: [], commits: [] }
}
