import { readFileSync } from 'node:fs'

declare const STITHY_VERSION: string | undefined
declare const STITHY_REVISION: string | undefined

/** The version of this program; all packages have the same. */
export const version: string =
  typeof STITHY_VERSION === 'string' ? STITHY_VERSION : versionOfSource()

/** The commit that it was built from; `source` when running from source. */
export const revision: string = typeof STITHY_REVISION === 'string' ? STITHY_REVISION : 'source'

function versionOfSource(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
