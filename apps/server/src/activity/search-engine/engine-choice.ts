import type { App } from '../../platform/app.ts'
import { embeddedEngine } from './embedded-engine.ts'
import type { SearchEngine } from './search-engine.ts'

/** The search engine that the settings choose. A job or search uses the same one to its end. */
export function searchEngine(app: App, signal: AbortSignal): SearchEngine {
  return embeddedEngine(app, signal)
}
