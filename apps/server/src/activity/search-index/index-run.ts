import { GitError, isLimit, type Repository, walkBlobs } from '@stithy/git'
import {
  advanceSearchSource,
  deleteSearchSource,
  ensureSearchSource,
  findSearchSource,
  removeSomeEntries,
  type SearchSource,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { codeLimitsOf } from '../../platform/settings/code-settings.ts'
import type { Batch, IndexedRange } from './batch.ts'
import { commitBatches } from './commit-batches.ts'
import { fileBatches } from './file-batches.ts'
import {
  findIndexedRepository,
  type IndexedPart,
  isIndexing,
  type SearchedRepository,
} from './indexed-repository.ts'

/** How a repository is indexed. */
export interface IndexOptions {
  signal: AbortSignal
  /** Whether what is in the index is thrown away first. */
  rebuild?: boolean
}

/** How many entries of each type are removed in one transaction. */
const removedAtOnce = 500

/**
 * Brings the index up to the newest commit of a repository, in transactions of about a megabyte, or
 * removes it from the index. If it is interrupted, the next run goes on from the last commit that
 * was reached. Can be repeated any time.
 * @throws StoreError `busy` if another process indexes the same repository.
 */
export async function indexRepository(
  app: App,
  part: IndexedPart,
  { signal, rebuild = false }: IndexOptions,
): Promise<void> {
  // What is pushed until the index is switched on again is found then.
  if (!isIndexing(app)) return
  const searched = await findIndexedRepository(app, part)
  if (searched === undefined) return removeFromIndex(app, part, signal)
  let source = await app.db.searchIndex.transaction((tx) => ensureSearchSource(tx, part))
  if (rebuild) source = await clear(app, source, signal)
  // A step that was interrupted left files of its target.
  const { target } = source
  if (target !== null && target !== searched.head) {
    source = await moveTo(app, source, { ...searched, head: target }, signal)
  }
  if (source.revision !== searched.head) await moveTo(app, source, searched, signal)
}

/**
 * Indexes what changed up to a commit, or everything if that can't be compared with what is indexed.
 * A commit whose files exceed the limits is left out: the next push is tried again.
 */
async function moveTo(
  app: App,
  source: SearchSource,
  searched: SearchedRepository,
  signal: AbortSignal,
): Promise<SearchSource> {
  try {
    return await applyChanges(app, source, searched, signal)
  } catch (error) {
    const isGone = error instanceof GitError && error.code === 'not_found'
    // Without the commit before, it is this one that is gone.
    if (!isLimit(error) && (!isGone || source.revision === null)) throw error
    const current = await app.db.searchIndex.transaction((tx) => ensureSearchSource(tx, source))
    const empty = await clear(app, current, signal)
    if (source.revision !== null) return moveTo(app, empty, searched, signal)
    app.log.warn({ err: error, repository: searched.repository.path }, 'code cannot be indexed')
    return write(app, { ...empty, target: searched.head })
  }
}

async function applyChanges(
  app: App,
  from: SearchSource,
  { repository, head }: SearchedRepository,
  signal: AbortSignal,
): Promise<SearchSource> {
  if (from.revision === null) await requireListable(app, repository, head)
  let source = await write(app, { ...from, target: head })
  const range = { from: from.revision, to: head, signal }
  for await (const batch of batches(app, source, repository, range)) {
    source = await write(app, source, batch)
  }
  return write(app, { ...source, revision: head, target: null })
}

/** A few objects can make any number of files. @throws GitError with a code of `isLimit` */
async function requireListable(app: App, repository: Repository, commit: string): Promise<void> {
  const visit = () => undefined
  await walkBlobs(app.git, repository, commit, { limits: codeLimitsOf(app).tree, visit })
}

async function* batches(
  app: App,
  { kind }: SearchSource,
  repository: Repository,
  range: IndexedRange,
): AsyncGenerator<Batch, void> {
  yield* fileBatches(app, repository, range)
  if (kind === 'code') yield* commitBatches(app, repository, range)
}

/** Writes a step of a source, unless another process did; returns the source after it. */
async function write(app: App, source: SearchSource, batch?: Batch): Promise<SearchSource> {
  const version = await app.db.searchIndex.transaction(async (tx) => {
    const next = await advanceSearchSource(tx, source)
    await batch?.(tx, source.id)
    return next
  })
  return { ...source, version }
}

/** Removes all entries of a source. */
async function clear(app: App, source: SearchSource, signal: AbortSignal): Promise<SearchSource> {
  let current = await write(app, { ...source, revision: null, target: null })
  for (let removed = 1; removed > 0; ) {
    signal.throwIfAborted()
    current = await write(app, current, async (tx, sourceId) => {
      removed = await removeSomeEntries(tx, { sourceId, limit: removedAtOnce })
    })
  }
  return current
}

async function removeFromIndex(app: App, part: IndexedPart, signal: AbortSignal): Promise<void> {
  const source = await findSearchSource(app.db.searchIndex.reads, part)
  if (source === undefined) return
  const { id } = await clear(app, source, signal)
  await app.db.searchIndex.transaction((tx) => deleteSearchSource(tx, id))
}
