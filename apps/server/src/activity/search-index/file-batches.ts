import { changedBlobs, type Repository } from '@stithy/git'
import type { SearchedFile, SearchSourceKind } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { IndexChanges } from '../search-engine/search-engine.ts'
import type { IndexedRange } from './indexed-range.ts'
import { readContents, searchedPath } from './searched-text.ts'

/** Git reads a megabyte ahead. */
const reading = { batchesAhead: 4, background: true }
/** Longer paths are not indexed: PostgreSQL's index takes no more, and nobody has them. */
const maxPathBytes = 2000

interface Draft {
  paths: Set<string>
  added: Map<string, SearchedFile>
  bytes: number
}

/** Reads the files that changed, in batches of one step. */
export async function* fileBatches(
  app: App,
  repository: Repository,
  range: IndexedRange,
): AsyncGenerator<IndexChanges, void> {
  for await (const draft of drafts(app, repository, range)) {
    range.signal.throwIfAborted()
    yield changesOf(draft)
  }
}

async function* drafts(
  app: App,
  repository: Repository,
  { kind, from, to, signal }: IndexedRange,
): AsyncGenerator<Draft, void> {
  let draft = emptyDraft()
  const { tree, search } = app.config.codeLimits
  // Of more changes, those of the whole repository are counted before any of them is read.
  const maxEntries = from === null ? tree.maxEntries : search.maxChanges
  const compared = { from, to, signal, background: true }
  const changes = changedBlobs(app.git, repository, { ...compared, maxEntries })
  for await (const changed of changes) {
    const blobs = changed.filter(({ path }) => Buffer.byteLength(path) <= maxPathBytes)
    // Deleted files have no contents to wait for.
    for (const { path, oid } of blobs) if (oid === null) draft.paths.add(path)
    if (isFull(draft, search)) {
      yield draft
      draft = emptyDraft()
    }
    const present = blobs.filter((blob) => blob.oid !== null)
    const oids = present.map(({ oid }) => oid)
    let at = 0
    for await (const contents of readContents(app, repository, oids, reading)) {
      signal.throwIfAborted()
      for (const content of contents) {
        const blob = present[at]
        if (blob !== undefined) add(draft, kind, blob, content ?? null)
        at += 1
        if (!isFull(draft, search)) continue
        yield draft
        draft = emptyDraft()
      }
    }
  }
  yield draft
}

function emptyDraft(): Draft {
  return { paths: new Set(), added: new Map(), bytes: 0 }
}

type StepLimits = Pick<App['config']['codeLimits']['search'], 'stepBytes' | 'stepFiles'>

function isFull({ paths, bytes }: Draft, { stepBytes, stepFiles }: StepLimits): boolean {
  return paths.size >= stepFiles || bytes >= stepBytes
}

/** Paths that are not UTF-8 may be the same in Unicode: the last one stays. */
function add(
  draft: Draft,
  kind: SearchSourceKind,
  { path, oid }: { path: string; oid: string },
  content: Buffer | null,
): void {
  // An interrupted run may have added it already.
  draft.paths.add(path)
  draft.added.set(path, { path, oid, pathText: searchedPath(kind, path), content })
  draft.bytes += content?.length ?? 0
}

function changesOf({ paths, added }: Draft): IndexChanges {
  return { paths: [...paths], files: [...added.values()], removedCommits: [], commits: [] }
}
