import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { MeasuredText } from './texts.ts'

/** What `git grep` found, and how long it took. */
export interface GrepResult {
  ms: number
  files: number
}

/**
 * Searches the repositories one after the other, as a shell would, for files with a text; ends with
 * the one after `limit`.
 */
export async function gitGrep(
  repositories: readonly string[],
  { text, pathspec }: MeasuredText,
  limit: number,
): Promise<GrepResult> {
  const start = performance.now()
  let files = 0
  for (const repository of repositories) {
    const paths = pathspec === undefined ? [] : ['--', pathspec]
    const args = ['grep', '-F', '-i', '-I', '-l', '-e', text, 'main', ...paths]
    const searching = spawn('git', args, { cwd: repository, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(searching, 'close')
    searching.stdout.on('data', (chunk: Buffer) => {
      for (const byte of chunk) if (byte === newline) files += 1
      if (files > limit) searching.kill()
    })
    await ended
    if (files > limit) break
  }
  return { ms: performance.now() - start, files: Math.min(files, limit) }
}

const newline = 0x0a
