import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The data folder of a size. */
export function dataFolder(size: string): string {
  return at(`../data/${size}`)
}

export const repositoryRoot: string = at('../..')
export const serverFolder: string = at('../../apps/server')
export const serverScript: string = at('../../apps/server/dist/main.js')
/** The built server of a checkout. */
export const serverScriptOf = (root: string): string => join(root, 'apps/server/dist/main.js')
export const baselineScript: string = at('./baseline/main.ts')
export const httpBackendScript: string = at('./transfers/http-backend.ts')
export const cgitScript: string = at('./browser/cgit-server.ts')
export const idleScript: string = at('./code-search/idle-server.ts')
export const loadScript: string = at('./load/main.ts')
