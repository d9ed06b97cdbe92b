import { foldCase } from '@stithy/core'
import { changedBlobs, type Repository } from '@stithy/git'
import type { SearchedFile, SearchSourceKind } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { IndexChanges } from '../search-engine/search-engine.ts'
import type { IndexedRange } from './indexed-range.ts'
import { readTexts, searchedPath } from './searched-text.ts'

/** Files of one step. */
const maxFiles = 256
/** Characters of one step, from which it gets no further file. */
const maxCharacters = 4 * 1024 * 1024
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
  range: IndexedRange,
): AsyncGenerator<IndexChanges, void> {
  // The next batch is read while one is written.
  for await (const draft of readAhead(drafts(app, repository, range))) {
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
  const changes = changedBlobs(app.git, repository, { from, to, maxEntries, signal })
  for await (const changed of changes) {
    const blobs = changed.filter(({ path }) => Buffer.byteLength(path) <= maxPathBytes)
    // Deleted files have no contents to wait for.
    for (const { path, oid } of blobs) if (oid === null) draft.paths.add(path)
    if (isFull(draft)) {
      yield draft
      draft = emptyDraft()
    }
    const present = blobs.filter((blob) => blob.oid !== null)
    const oids = present.map(({ oid }) => oid)
    let at = 0
    for await (const texts of readTexts(app, repository, oids)) {
      signal.throwIfAborted()
      for (const text of texts) {
        const blob = present[at]
        if (blob !== undefined) add(draft, kind, blob, text)
        at += 1
        if (!isFull(draft)) continue
        yield draft
        draft = emptyDraft()
      }
    }
  }
  yield draft
}

/** Yields the same as a generator, which runs ahead by one. */
async function* readAhead<T>(items: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  let next = items.next()
  try {
    for (;;) {
      const { value, done } = await next
      if (done) return
      next = items.next()
      // Whoever ends early doesn't see that it failed.
      next.catch(() => {})
      yield value
    }
  } finally {
    await items.return()
  }
}

function emptyDraft(): Draft {
  return { paths: new Set(), added: new Map(), characters: 0 }
}

function isFull({ paths, characters }: Draft): boolean {
  return paths.size >= maxFiles || characters >= maxCharacters
}

/** Paths that are not UTF-8 may be the same in Unicode: the last one stays. */
function add(
  draft: Draft,
  kind: SearchSourceKind,
  { path, oid }: { path: string; oid: string },
  content: string | undefined,
): void {
  const text = content === undefined ? null : foldCase(content)
  // An interrupted run may have added it already.
  draft.paths.add(path)
  draft.added.set(path, { path, oid, pathText: searchedPath(kind, path), text })
  draft.characters += text?.length ?? 0
}

function changesOf({ paths, added }: Draft): IndexChanges {
  return { paths: [...paths], files: [...added.values()], removedCommits: [], commits: [] }
}
