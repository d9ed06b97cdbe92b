import { setTimeout as delay } from 'node:timers/promises'
import { StoreError } from '@stithy/store'
import type { IndexedPart } from '../../activity/search-engine/search-engine.ts'
import { indexRepository } from '../../activity/search-index/index-run.ts'
import { isIndexing } from '../../activity/search-index/indexed-repository.ts'
import { indexedParts } from '../../activity/search-index/search-index.jobs.ts'
import type { App } from '../../platform/app.ts'
import { say, withApp } from './admin-actions.ts'
import type { ConfigFlags } from './config-flags.ts'
import { createProgressBar } from './progress-bar.ts'

/**
 * `stithy index`: brings the search index up to date, or makes it anew, also while a server runs.
 * @throws Error if the index of some repositories failed, or the index is switched off
 */
export function indexAll({ rebuild }: { rebuild: boolean }, sources: ConfigFlags): Promise<void> {
  return withApp(sources, async (app) => {
    if (!isIndexing(app)) throw new Error('The setting searchengine_indexing is off')
    const parts: IndexedPart[] = []
    for await (const some of indexedParts(app, new AbortController().signal)) parts.push(...some)
    const bar = createProgressBar(process.stderr, parts.length, 'repositories')
    const failed: string[] = []
    for (const part of parts) {
      const problem = await tryIndexing(app, part, rebuild)
      if (problem !== undefined) failed.push(problem)
      bar.advance()
    }
    bar.end()
    say(`${parts.length - failed.length} of ${parts.length} repositories are indexed`)
    if (failed.length > 0) throw new Error(`These are not:\n${failed.join('\n')}`)
  })
}

/** How often a repository is tried that another process indexes, and the milliseconds between. */
const attempts = 30
const pauseMs = 1000

/** The reason why a repository could not be indexed; undefined if it was. */
async function tryIndexing(
  app: App,
  part: IndexedPart,
  rebuild: boolean,
): Promise<string | undefined> {
  for (let left = attempts; ; left -= 1) {
    try {
      await indexRepository(app, part, { signal: new AbortController().signal, rebuild })
      return undefined
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'busy' || left === 0) {
        const { projectId, kind } = part
        return `project ${projectId} (${kind}): ${error instanceof Error ? error.message : error}`
      }
      await delay(pauseMs)
    }
  }
}
