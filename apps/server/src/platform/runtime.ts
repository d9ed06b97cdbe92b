import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The git broker beside the bundled program; undefined when running from source, where the git
 * package finds its own.
 */
export const brokerScript: string | undefined = bundledFile('./git-broker.js')

/** The Markdown worker beside the bundled program; undefined when running from source. */
export const markdownScript: string | undefined = bundledFile('./markdown-worker.js')

/** The list of emoji beside the bundled program; undefined when running from source. */
export const emojiScript: string | undefined = bundledFile('./emoji-list.js')

function bundledFile(name: string): string | undefined {
  const path = fileURLToPath(new URL(name, import.meta.url))
  return existsSync(path) ? path : undefined
}
