import { spawn } from 'node:child_process'
import { countLines, type FilesFound } from './count-lines.ts'
import type { MeasuredText } from './texts.ts'

/**
 * Searches the repositories one after the other, as a shell would, for files with a text; ends with
 * the one after `limit`.
 */
export async function gitGrep(
  repositories: readonly string[],
  { text, pathspec }: MeasuredText,
  limit: number,
): Promise<FilesFound> {
  const start = performance.now()
  let files = 0
  for (const repository of repositories) {
    const paths = pathspec === undefined ? [] : ['--', pathspec]
    const args = ['grep', '-F', '-i', '-I', '-l', '-e', text, 'main', ...paths]
    const searching = spawn('git', args, { cwd: repository, stdio: ['ignore', 'pipe', 'inherit'] })
    files += await countLines(searching, limit - files)
    if (files > limit) break
  }
  return { ms: performance.now() - start, files: Math.min(files, limit) }
}
