import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ThreadScripts } from '@stithy/store'

/**
 * The git broker next to the bundled program; undefined when running from source, where the git
 * package finds its own.
 */
export const brokerScript: string | undefined = bundledFile('./git-broker.js')

/** The worker for long texts next to the bundled program; undefined when running from source. */
export const textScript: string | undefined = bundledFile('./text-worker.js')

/** The worker for CI configurations next to the bundled program; undefined when running from source. */
export const lintScript: string | undefined = bundledFile('./lint-worker.js')

/** The worker for OpenPGP keys next to the bundled program; undefined when running from source. */
export const openpgpScript: string | undefined = bundledFile('./openpgp-worker.js')

/** The worker for security reports next to the bundled program; undefined when running from source. */
export const reportScript: string | undefined = bundledFile('./report-worker.js')

/** The workers of the store next to the bundled program; undefined from source. */
export const threadScripts: ThreadScripts | undefined = bundledThreads()

/** The list of emoji next to the bundled program; undefined when running from source. */
export const emojiScript: string | undefined = bundledFile('./emoji-list.js')

/** The folder of templates next to the bundled program; undefined when running from source. */
export const templatesFolder: string | undefined = bundledFile('./templates')

function bundledFile(name: string): string | undefined {
  const path = fileURLToPath(new URL(name, import.meta.url))
  return existsSync(path) ? path : undefined
}

function bundledThreads(): ThreadScripts | undefined {
  const checkpoint = bundledFile('./checkpoint-worker.js')
  const fullText = bundledFile('./full-text-worker.js')
  const index = bundledFile('./index-worker.js')
  const read = bundledFile('./read-worker.js')
  if (!(checkpoint && fullText && index && read)) return undefined
  return { checkpoint, fullText, index, read }
}
