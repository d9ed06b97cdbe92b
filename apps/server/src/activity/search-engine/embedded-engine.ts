import {
  addSearchedCommits,
  addSearchedFiles,
  advanceSearchSource,
  deleteSearchSource,
  type EntryIds,
  ensureSearchSource,
  findSearchSource,
  listCandidates,
  listIndexedProjectIds,
  mergeSegments,
  nextEntryIds,
  type Queries,
  removeSearchedCommits,
  removeSearchedFiles,
  removeSomeEntries,
  type SearchSource,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type {
  CandidateQuery,
  CandidateReader,
  IndexChanges,
  IndexedRepository,
  IndexState,
  SearchEngine,
} from './search-engine.ts'

/** How many entries of each type are removed in one transaction. */
const removedAtOnce = 500

/** The index in the database, or beside it. */
export function embeddedEngine({ db }: Pick<App, 'db'>, signal: AbortSignal): SearchEngine {
  const { reads, transaction } = db.searchIndex
  return {
    findState: (part) => findSearchSource(reads, part),
    async find(part) {
      const source = await findSearchSource(reads, part)
      return source && openSource(db, source, signal)
    },
    async ensure(part) {
      const source = await transaction((tx) => ensureSearchSource(tx, part), 'process')
      return openSource(db, source, signal)
    },
    listProjectIds: (page) => listIndexedProjectIds(reads, page),
    search: (query) => candidateReader(db, query),
  }
}

type Write = (tx: Queries) => Promise<void>

function openSource(db: App['db'], source: SearchSource, signal: AbortSignal): IndexedRepository {
  const { id } = source
  const { transaction } = db.searchIndex
  let { version } = source
  let state: IndexState = source

  async function advance(next: IndexState, write: Write): Promise<void> {
    const step = { id, version, revision: next.revision, target: next.target }
    // The job ends with its last step; what of the others is lost is found by comparing commits.
    const durability = next.target === null ? 'disk' : 'process'
    version = await transaction(async (tx) => {
      const advanced = await advanceSearchSource(tx, step)
      await write(tx)
      return advanced
    }, durability)
    state = next
  }

  async function removeEntries(next: IndexState, before?: EntryIds): Promise<void> {
    const some = { sourceId: id, before, limit: removedAtOnce }
    for (let removed = 1; removed > 0; ) {
      signal.throwIfAborted()
      await advance(next, async (tx) => {
        removed = await removeSomeEntries(tx, some)
      })
      await mergeSegments(db.searchIndex)
    }
  }

  return {
    get state() {
      return state
    },
    async write(next, changes) {
      await advance(next, async (tx) => {
        if (changes !== undefined) await applyChanges(tx, id, changes)
      })
      if (changes !== undefined) await mergeSegments(db.searchIndex)
    },
    async clear() {
      const empty = { revision: null, target: null }
      await advance(empty, async () => {})
      await removeEntries(empty)
    },
    async renew() {
      const before = await nextEntryIds(db.searchIndex.reads, id)
      return () => removeEntries(state, before)
    },
    delete: () =>
      advance(state, async (tx) => {
        await deleteSearchSource(tx, id)
      }),
  }
}

async function applyChanges(
  tx: Queries,
  sourceId: number,
  { paths, files, removedCommits, commits }: IndexChanges,
): Promise<void> {
  if (paths.length > 0) await removeSearchedFiles(tx, sourceId, paths)
  if (files.length > 0) await addSearchedFiles(tx, sourceId, files)
  if (removedCommits.length > 0) {
    await removeSearchedCommits(
      tx,
      sourceId,
      removedCommits.map((oid) => ({ oid })),
    )
  }
  if (commits.length > 0) await addSearchedCommits(tx, sourceId, commits)
}

function candidateReader(db: App['db'], query: CandidateQuery): CandidateReader {
  let before: number | undefined
  return async (limit) => {
    const candidates = await listCandidates(db, { ...query, before, limit })
    before = candidates.at(-1)?.id
    return { candidates, isLast: candidates.length < limit }
  }
}
