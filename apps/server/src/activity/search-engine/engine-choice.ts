import type { App } from '../../platform/app.ts'
import type { SettingsCache } from '../../platform/settings/settings-cache.ts'
import { embeddedEngine } from './embedded-engine.ts'
import { engineAccess } from './opensearch/addresses.ts'
import { createEngineClient, type EngineClient } from './opensearch/http-client.ts'
import { openSearchEngine } from './opensearch/opensearch-engine.ts'
import type { SearchEngine } from './search-engine.ts'

/** The search engine that the settings choose. A job or search uses the same one to its end. */
export function searchEngine(app: App, signal: AbortSignal): SearchEngine {
  const client = engineClient(app)
  return client === undefined ? embeddedEngine(app, signal) : openSearchEngine(app, client, signal)
}

/** Whether the index is in another program, and not in the database or beside it. */
export function hasExternalEngine({ settings }: App): boolean {
  return engineAccess(settings) !== undefined
}

const clients = new WeakMap<SettingsCache, { access: string; client: EngineClient }>()

/** The client of the external engine, whose connections are kept until the settings change. */
function engineClient({ settings, settingsCache, config, now }: App): EngineClient | undefined {
  const latest = clients.get(settingsCache)
  const access = engineAccess(settings)
  const key = JSON.stringify(access)
  if (access !== undefined && latest?.access === key) return latest.client
  latest?.client.close()
  clients.delete(settingsCache)
  if (access === undefined) return undefined
  const maxResponseBytes = config.codeLimits.search.engineAnswerBytes
  const client = createEngineClient(access, { maxResponseBytes, now })
  clients.set(settingsCache, { access: key, client })
  return client
}
