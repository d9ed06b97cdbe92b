import { isLimit, isNotFound, type Repository, walkBlobs } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import { codeLimitsOf } from '../../platform/settings/code-settings.ts'
import { searchEngine } from '../search-engine/engine-choice.ts'
import type { IndexedPart, IndexedRepository } from '../search-engine/search-engine.ts'
import { type IndexStep, indexSteps } from './index-steps.ts'
import { findIndexedRepository, isIndexing, type SearchedRepository } from './indexed-repository.ts'

/** How a repository is indexed. */
export interface IndexOptions {
  signal: AbortSignal
  /** Whether all of it is indexed anew, and what is in the index besides is thrown away. */
  rebuild?: boolean
}

interface Run {
  app: App
  part: IndexedPart
  indexed: IndexedRepository
  signal: AbortSignal
}

/**
 * Brings the index up to the newest commit of a repository, in steps of some megabytes, or
 * removes it from the index. If it is interrupted, the next run goes on from the last commit that
 * was reached. Can be repeated any time.
 * @throws StoreError `busy` if another process indexes the same repository; SearchEngineError
 */
export async function indexRepository(
  app: App,
  part: IndexedPart,
  { signal, rebuild = false }: IndexOptions,
): Promise<void> {
  // What is pushed until the index is switched on again is found then.
  if (!isIndexing(app)) return
  const engine = searchEngine(app, signal)
  const searched = await findIndexedRepository(app, part)
  if (searched === undefined) return removeFromIndex(await engine.find(part))
  const indexed = await engine.ensure(part)
  const run = { app, part, indexed, signal }
  if (rebuild) await renew(run, searched)
  // A step that was interrupted left files of its target.
  const { target } = indexed.state
  if (target !== null && target !== searched.head) await moveTo(run, { ...searched, head: target })
  const { state } = indexed
  if (state.revision !== searched.head || state.target !== null) await moveTo(run, searched)
}

/** Writes all of a commit again, and then removes what is not in it: what was found stays until then. */
async function renew(run: Run, searched: SearchedRepository): Promise<void> {
  const { indexed } = run
  if (indexed.renew === undefined) return indexed.clear()
  try {
    const removeOld = await indexed.renew()
    const { revision } = indexed.state
    for await (const { changes } of checkedSteps(run, searched, null)) {
      // Commits that are in the index already would stay as they are.
      const removedCommits = changes.commits.map(({ oid }) => oid)
      await indexed.write({ revision, target: searched.head }, { ...changes, removedCommits })
    }
    await removeOld()
    await indexed.write({ revision: searched.head, target: null })
  } catch (error) {
    if (!isLimit(error) && !isNotFound(error)) throw error
    await indexed.clear()
  }
}

/**
 * Indexes what changed up to a commit, or everything if that can't be compared with what is indexed.
 * A commit whose files exceed the limits is left out: the next push is tried again.
 */
async function moveTo(run: Run, searched: SearchedRepository): Promise<void> {
  const { app, indexed } = run
  const { revision } = indexed.state
  try {
    await applyChanges(run, searched)
  } catch (error) {
    // Without the commit before, it is this one that is gone.
    if (!isLimit(error) && (!isNotFound(error) || revision === null)) throw error
    await indexed.clear()
    if (revision !== null) return moveTo(run, searched)
    app.log.warn({ err: error, repository: searched.repository.path }, 'code cannot be indexed')
    await indexed.write({ revision: null, target: searched.head })
  }
}

async function applyChanges(run: Run, searched: SearchedRepository): Promise<void> {
  const { indexed } = run
  const { head } = searched
  const { revision: from } = indexed.state
  for await (const { changes, isLast } of checkedSteps(run, searched, from)) {
    const state = isLast ? { revision: head, target: null } : { revision: from, target: head }
    await indexed.write(state, changes)
  }
}

/** What differs from a commit, in steps; of everything only if it is within the limits of a list. */
async function* checkedSteps(
  { app, part, signal }: Run,
  { repository, head }: SearchedRepository,
  from: string | null,
): AsyncGenerator<IndexStep, void> {
  const range = { kind: part.kind, from, to: head, signal }
  let isChecked = from !== null
  for await (const step of indexSteps(app, repository, range)) {
    // What one step has is listed already.
    if (!step.isLast && !isChecked) await requireListable(app, repository, head)
    isChecked = true
    yield step
  }
}

/** A few objects can make any number of files. @throws GitError with a code of `isLimit` */
async function requireListable(app: App, repository: Repository, commit: string): Promise<void> {
  const visit = () => undefined
  await walkBlobs(app.git, repository, commit, { limits: codeLimitsOf(app).tree, visit })
}

async function removeFromIndex(indexed: IndexedRepository | undefined): Promise<void> {
  await indexed?.clear()
  await indexed?.delete()
}
