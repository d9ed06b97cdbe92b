import type { Repository } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import type { IndexChanges } from '../search-engine/search-engine.ts'
import { commitBatches } from './commit-batches.ts'
import { fileBatches } from './file-batches.ts'
import type { IndexedRange } from './indexed-range.ts'

/** What is written in one transaction. */
export interface IndexStep {
  changes: IndexChanges
  /** Whether nothing comes after it. */
  isLast: boolean
}

/** Reads what changed, in one step at least; the next one is read while one is written. */
export function indexSteps(
  app: App,
  repository: Repository,
  range: IndexedRange,
): AsyncGenerator<IndexStep, void> {
  return readAhead(readSteps(app, repository, range))
}

async function* readSteps(
  app: App,
  repository: Repository,
  range: IndexedRange,
): AsyncGenerator<IndexStep, void> {
  let changes: IndexChanges = { paths: [], files: [], removedCommits: [], commits: [] }
  let isFirst = true
  for await (const batch of fileBatches(app, repository, range)) {
    if (!isFirst) yield { changes, isLast: false }
    changes = batch
    isFirst = false
  }
  // The last step of files has the first commits: most repositories are written in one.
  let hasCommits = false
  const commits = range.kind === 'code' ? commitBatches(app, repository, range) : []
  for await (const batch of commits) {
    if (hasCommits) yield { changes, isLast: false }
    const { removedCommits, commits } = batch
    changes = hasCommits ? batch : { ...changes, removedCommits, commits }
    hasCommits = true
  }
  yield { changes, isLast: true }
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
