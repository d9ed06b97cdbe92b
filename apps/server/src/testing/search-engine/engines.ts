import { setSetting } from '../settings.ts'
import type { TestServer } from '../test-server.ts'
import { startEngineServer } from './engine-server.ts'

/** The engines that the search of code promises the same with. */
export const engineNames = ['embedded', 'external'] as const
export type EngineName = (typeof engineNames)[number]

/** The engine that a server searches with. */
export interface UsedEngine {
  /** Makes what was written visible, also without the end of a run. */
  refresh: () => Promise<void>
  /** Loses all that is indexed. */
  lose: () => Promise<void>
  /** Goes back to the embedded one. */
  close: () => Promise<void>
}

/**
 * Has a server search with an engine. The external one is that of `STITHY_TEST_OPENSEARCH_URL`, or
 * else a server with the part of its API that is used.
 */
export async function useEngine(server: TestServer, name: EngineName): Promise<UsedEngine> {
  if (name === 'embedded') {
    const nothing = async () => {}
    return { refresh: nothing, lose: nothing, close: nothing }
  }
  const real = process.env.STITHY_TEST_OPENSEARCH_URL
  const own = real === undefined ? await startEngineServer() : undefined
  const url = real ?? own?.url ?? ''
  await setSetting(server, 'searchengine_url', url)
  const index = indexOf(server)
  const send = async (method: string, path: string) => {
    const { status } = await fetch(`${url}${path}`, { method })
    if (status !== 200 && status !== 404) throw new Error(`${method} ${path}: ${status}`)
  }
  const lose = () => send('DELETE', `/${index}-v1`)
  return {
    refresh: () => send('POST', `/${index}/_refresh`),
    lose,
    async close() {
      await setSetting(server, 'searchengine_url', null)
      await lose()
      await own?.close()
    },
  }
}

/** The alias of a server's index. */
export function indexOf({ app }: TestServer): string {
  return `stithy-code-${app.secrets.fingerprint('search index')}`
}
