import { foldCase } from '@stithy/core'
import { changedCommits, type Repository } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import type { IndexChanges } from '../search-engine/search-engine.ts'
import type { IndexedRange } from './indexed-range.ts'

/** Reads the commits that came and went, in batches of one step. */
export async function* commitBatches(
  app: App,
  repository: Repository,
  range: IndexedRange,
): AsyncGenerator<IndexChanges, void> {
  const walk = { ...range, oldestFirst: true, background: true }
  for await (const changes of changedCommits(app.git, repository, walk)) {
    const removedCommits = changes.flatMap(({ change, oid }) => (change === 'removed' ? [oid] : []))
    const added = changes.flatMap((change) => (change.change === 'added' ? [change.commit] : []))
    const commits = added.map(({ oid, message }) => ({ oid, text: textOf(message) }))
    yield { paths: [], files: [], removedCommits, commits }
  }
}

/** PostgreSQL can't store a NUL character. */
function textOf(message: string): string {
  return foldCase(message.replaceAll('\0', ' '))
}
