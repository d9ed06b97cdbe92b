import {
  enqueueEachOnce,
  enqueueOnce,
  findExistingProjectIds,
  listSearchableProjects,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { searchQueue } from '../../platform/jobs/queues.ts'
import { createKeyedMutex } from '../../platform/threads/keyed-mutex.ts'
import { searchEngine } from '../search-engine/engine-choice.ts'
import type { IndexedPart } from '../search-engine/search-engine.ts'
import { indexRepository } from './index-run.ts'

/** The kind of the jobs that index a repository. */
export const indexKind = 'search.index'
const catchUpKind = 'search.catch_up'
/** Projects whose jobs are added in one transaction. */
const pageSize = 50

/** Enqueues a job that indexes a repository, in the transaction. */
export async function enqueueIndexing(
  tx: Transaction,
  part: IndexedPart,
  now: number,
): Promise<void> {
  await enqueueParts(tx, [part], now)
}

async function enqueueParts(
  tx: Transaction,
  parts: readonly IndexedPart[],
  now: number,
): Promise<void> {
  const payloads = parts.map(payloadOf)
  // A job that is already waiting will see the repository as it is then.
  await enqueueEachOnce(tx, { queue: searchQueue, kind: indexKind, payloads }, now)
}

/** The payload of the job that indexes a repository; as JSON the same for all of its jobs. */
export function payloadOf({ projectId, kind }: IndexedPart): IndexedPart {
  return { projectId, kind }
}

/** Enqueues a job that finds what the index lacks, in the transaction. */
export async function enqueueCatchUp(tx: Transaction, now: number): Promise<void> {
  // The daily one, which waits for tomorrow, runs now instead.
  await enqueueOnce(tx, { queue: searchQueue, kind: catchUpKind, payload: null }, now)
}

/** What is pushed while a repository is indexed has a job that may run meanwhile. */
const inTurn = createKeyedMutex<string>()

/** Brings the index of a repository up to date. */
export const indexRepositoryJob = {
  kind: indexKind,
  async run(app: App, payload: unknown, signal: AbortSignal): Promise<void> {
    // A change of the settings may be what the job was enqueued for.
    await app.settingsCache.refresh()
    const part = payload as IndexedPart
    await inTurn(`${part.kind} ${part.projectId}`, () => indexRepository(app, part, { signal }))
  },
}

/**
 * Enqueues jobs for all repositories, which cost little where the index is up to date, and for
 * those in the index whose project is gone.
 */
export const catchUpJob = {
  kind: catchUpKind,
  async run(app: App, _payload: unknown, signal: AbortSignal): Promise<void> {
    await app.settingsCache.refresh()
    for await (const parts of indexedParts(app, signal)) {
      signal.throwIfAborted()
      await app.db.transaction((tx) => enqueueParts(tx, parts, app.now()))
    }
  },
}

/** Everything that is in the index or should be, a few projects at a time. */
export async function* indexedParts(
  app: App,
  signal: AbortSignal,
): AsyncGenerator<IndexedPart[], void> {
  const engine = searchEngine(app, signal)
  for (let after = 0; ; ) {
    const projects = await listSearchableProjects(app.db, { after, limit: pageSize })
    const last = projects.at(-1)
    if (last === undefined) break
    after = last.id
    yield projects.flatMap(({ id: projectId, hasCode, hasWiki }) => [
      ...(hasCode === 1 ? [{ projectId, kind: 'code' as const }] : []),
      ...(hasWiki === 1 ? [{ projectId, kind: 'wiki' as const }] : []),
    ])
  }
  for (let after = 0; ; ) {
    const ids = await engine.listProjectIds({ after, limit: pageSize })
    const last = ids.at(-1)
    if (last === undefined) break
    after = last
    const existing = await findExistingProjectIds(app.db, ids)
    const gone = ids.filter((id) => !existing.has(id))
    yield gone.flatMap((projectId) => [
      { projectId, kind: 'code' as const },
      { projectId, kind: 'wiki' as const },
    ])
  }
}
