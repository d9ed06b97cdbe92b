import { changedCommits, type Repository } from '@stithy/git'
import { addSearchedCommits, removeSearchedCommits } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Batch, IndexedRange } from './batch.ts'

/** Reads the commits that came and went, in batches that fit into a transaction. */
export async function* commitBatches(
  app: App,
  repository: Repository,
  range: IndexedRange,
): AsyncGenerator<Batch, void> {
  const walk = { ...range, oldestFirst: true }
  for await (const changes of changedCommits(app.git, repository, walk)) {
    const removed = changes.filter(({ change }) => change === 'removed')
    const added = changes.flatMap((change) => (change.change === 'added' ? [change.commit] : []))
    const texts = added.map(({ oid, message }) => ({ oid, text: textOf(message) }))
    yield async (tx, sourceId) => {
      await removeSearchedCommits(tx, sourceId, removed)
      await addSearchedCommits(tx, sourceId, texts)
    }
  }
}

/** PostgreSQL can't store a NUL character. */
function textOf(message: string): string {
  return message.replaceAll('\0', ' ').toLowerCase()
}
