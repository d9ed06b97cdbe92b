import { StoreError } from '@stithy/store'
import { z } from 'zod'
import type { IndexChanges, IndexedPart, IndexedRepository, IndexState } from '../search-engine.ts'
import { bulkBodies, type EntryWrite, sourceId, writesOf } from './entries.ts'
import {
  type EngineIndex,
  ensureIndex,
  readIndex,
  refreshIndex,
  writeDocument,
  writeEntries,
} from './index-access.ts'

const commit = z.string().nullable()
const position = { _seq_no: z.number(), _primary_term: z.number() }
const SourceAnswer = z.object({
  ...position,
  _source: z.object({ version: z.number(), revision: commit, target: commit }),
})
const WriteAnswer = z.object(position)
const HitsAnswer = z.object({
  hits: z.object({ hits: z.array(z.object({ _id: z.string() })).optional() }).optional(),
})

/** A document of a repository, and where in the history of the index it was written. */
export interface SourceDocument {
  state: IndexState
  version: number
  at: z.infer<typeof WriteAnswer>
}

/** Entries that are removed at a time. */
const removedAtOnce = 5000

/** Reads the document of a repository, as it was last written. */
export async function findSource(
  index: EngineIndex,
  part: IndexedPart,
): Promise<SourceDocument | undefined> {
  const path = `/_doc/${sourceId(part)}`
  const found = await readIndex(index, { method: 'GET', path }, SourceAnswer)
  if (found === undefined) return undefined
  const { _source, ...at } = found
  const { version, revision, target } = _source
  return { state: { revision, target }, version, at }
}

/** Adds the document of a repository, unless it is there, and the index before it. */
export async function ensureSource(
  index: EngineIndex,
  part: IndexedPart,
  now: number,
): Promise<SourceDocument> {
  const existing = await findSource(index, part)
  if (existing !== undefined) return existing
  await ensureIndex(index)
  const state: IndexState = { revision: null, target: null }
  // Later than any version of a document that was deleted: no step takes less than a millisecond.
  const version = now
  const request = {
    method: 'PUT',
    path: `/_create/${sourceId(part)}`,
    body: contentOf(part, state, version),
  } as const
  const at = await writeDocument(index, request, WriteAnswer)
  if (at === undefined) throw busy()
  return { state, version, at }
}

function contentOf(part: IndexedPart, { revision, target }: IndexState, version: number) {
  const { projectId, kind } = part
  return { type: 'source', projectId, kind, version, revision, target }
}

function busy(): StoreError {
  return new StoreError('busy', 'Another process indexes the repository')
}

/**
 * Opens a repository to write to it. A step first writes its document, on condition that nobody else
 * did since, and then its entries, with the version of the step: a process that was overtaken can't
 * replace what another has written.
 */
export function openSource(
  index: EngineIndex,
  part: IndexedPart,
  now: () => number,
  { state, version, at }: SourceDocument,
): IndexedRepository {
  const document = { state, version, at }

  async function advance(next: IndexState): Promise<void> {
    const { _seq_no: if_seq_no, _primary_term: if_primary_term } = document.at
    const version = document.version + 1
    const request = {
      method: 'PUT',
      path: `/_doc/${sourceId(part)}`,
      query: { if_seq_no, if_primary_term },
      body: contentOf(part, next, version),
    } as const
    const written = await writeDocument(index, request, WriteAnswer)
    if (written === undefined) throw busy()
    Object.assign(document, { state: next, version, at: written })
  }

  async function write(writes: readonly EntryWrite[]): Promise<void> {
    for (const body of bulkBodies(writes, document.version)) {
      if (!(await writeEntries(index, body))) throw busy()
    }
  }

  return {
    get state() {
      return document.state
    },
    async write(next: IndexState, changes?: IndexChanges) {
      const { revision, target } = next
      const isLast = revision !== null && target === null
      if (changes !== undefined) {
        const { revision: from } = document.state
        await advance(isLast ? { revision: from, target: revision } : next)
        await write(writesOf(part, changes, now()))
      }
      // Whoever reads that a commit is indexed must find it.
      if (isLast) await refreshIndex(index)
      if (isLast || changes === undefined) await advance(next)
    },
    async clear() {
      for (let ids = ['']; ids.length > 0; ) {
        index.signal.throwIfAborted()
        await advance({ revision: null, target: null })
        await refreshIndex(index)
        ids = await listEntries(index, part)
        await write(ids.map((id) => ({ id, content: null })))
      }
    },
    async delete() {
      const { _seq_no: if_seq_no, _primary_term: if_primary_term } = document.at
      const path = `/_doc/${sourceId(part)}`
      const query = { if_seq_no, if_primary_term }
      const deleted = await writeDocument(index, { method: 'DELETE', path, query }, z.object())
      if (deleted === undefined) throw busy()
    },
  }
}

/** The ids of some entries of a repository, as of the last refresh. */
async function listEntries(
  index: EngineIndex,
  { projectId, kind }: IndexedPart,
): Promise<string[]> {
  const terms = [
    { terms: { type: ['commit', 'file'] } },
    { term: { projectId } },
    { term: { kind } },
  ]
  const request = {
    method: 'POST',
    path: '/_search',
    query: { allow_partial_search_results: 'false', filter_path: 'hits.hits._id' },
    body: { size: removedAtOnce, _source: false, query: { bool: { filter: terms } } },
  } as const
  const found = await readIndex(index, request, HitsAnswer)
  return found?.hits?.hits?.map(({ _id }) => _id) ?? []
}
