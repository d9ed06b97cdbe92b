import { commitTexts, type Repository } from '@stithy/git'
import { addSearchedCommits, removeSearchedCommits } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Batch, IndexedRange } from './index-run.ts'

/** Reads the commits that came and went, in batches that fit into a transaction. */
export async function* commitBatches(
  app: App,
  repository: Repository,
  range: IndexedRange,
): AsyncGenerator<Batch, void> {
  for await (const commits of commitTexts(app.git, repository, range)) {
    const removed = commits.filter(({ change }) => change === 'removed')
    const added = commits
      .filter(({ change }) => change === 'added')
      // A NUL character, which PostgreSQL can't store, ends a message for git too.
      .map(({ oid, message }) => ({ oid, text: message.replaceAll('\0', ' ').toLowerCase() }))
    yield async (tx, sourceId) => {
      await removeSearchedCommits(tx, sourceId, removed)
      await addSearchedCommits(tx, sourceId, added)
    }
  }
}
